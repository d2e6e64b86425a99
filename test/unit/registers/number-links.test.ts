/** The table of what a link may do, and of what it may not. Each row is a register, or several, and links. */
import { describe, expect, test } from "vitest";
import { findEntitlementRefusals } from "../../../src/registers/entitlement.ts";
import {
  findClashes,
  findFault,
  type NumberLink,
  normaliseLink,
  resolveLinks,
} from "../../../src/registers/number-links.ts";
import type { NumberKind, PspRecord } from "../../../src/registers/psp-record.ts";
import { AgentRoll, type Register } from "../../../src/registers/register.ts";
import type { RegisterSource } from "../../../src/registers/sources.ts";
import { readingOf } from "./reading-of.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const LEI = "391200GLBAFG69QGNT85";
const OTHER_LEI = "529900ODI3047E2LIV03";

const psp = (authNumber: string, more: Partial<PspRecord> = {}): PspRecord => ({
  ...{ authNumber, agent: false },
  categories: [
    { category: "Payment Institution", legalName: authNumber, status: "Authorised", services: [7, 8], passportOut: {} },
  ],
  ...more,
});
const withLei = (authNumber: string, number = LEI) => psp(authNumber, { numbers: [{ kind: "lei", number }] });
const withdrawn = (authNumber: string): PspRecord => {
  const [category] = psp(authNumber).categories;
  return psp(authNumber, { categories: category ? [{ ...category, status: "Withdrawn" }] : [] });
};

const register = (source: RegisterSource, psps: readonly PspRecord[], country = "DE"): Register => ({
  ...{ country, source, ncaId: "DE-BAFIN", ncaName: "BaFin", published: "2026-11-01T00:00:00Z" },
  ...{ psps, agents: new AgentRoll(), refused: [] },
});

/** `target`: a LEI, or the reference of a register's number. */
function link(reference: string, target: string, more: Partial<NumberLink> = {}): NumberLink {
  const isLei = /^[0-9A-Z]{20}$/.test(target);
  return normaliseLink({
    ...{ country: "DE", number: `PSDDE-BAFIN-${reference}`, kind: "bafin_id", source: "a file", asOf: "2026-11-01" },
    target: isLei ? { kind: "lei", number: target } : { kind: "register_number", number: `PSDDE-BAFIN-${target}` },
    ...more,
  });
}

const BANK = "PSDDE-BAFIN-HRB1";
const OTHER = "PSDDE-BAFIN-HRB2";
const NUMBER = "PSDDE-BAFIN-106653";

/** The name of what is found under the number; "ambiguous", or null. */
function nameOf(registers: readonly Register[], links: readonly NumberLink[], number = NUMBER): string | null {
  const reading = readingOf(registers, "DE", number, undefined, links);
  if (reading.ambiguous) return reading.contradicted ? "contradicted" : "ambiguous";
  return reading.categories[0]?.record.legalName ?? null;
}

describe("what is found under a number of certificates", () => {
  test.each<[string, Register[], NumberLink[], string | null]>([
    ["a link finds its entry", [register("eba", [psp(BANK)])], [link("106653", "HRB1")], BANK],
    ["in whatever spelling", [register("eba", [psp(BANK)])], [link("10-66 53", "hrb-1")], BANK],
    ["by its LEI", [register("eba", [withLei(BANK), psp(OTHER)])], [link("106653", LEI)], BANK],
    [
      "by both, where they are of one entry",
      [register("eba", [withLei(BANK)])],
      [link("106653", "HRB1"), link("106653", LEI)],
      BANK,
    ],
    [
      "two files say the same",
      [register("eba", [psp(BANK)])],
      [link("106653", "HRB1"), link("106653", "HRB1", { source: "b" })],
      BANK,
    ],
    ["nothing without a link", [register("eba", [psp(BANK)])], [], null],
    ["nothing for a link to what is not there", [register("eba", [psp(OTHER)])], [link("106653", "HRB1")], null],
    ["nothing for a LEI that no entry has", [register("eba", [withLei(BANK, OTHER_LEI)])], [link("106653", LEI)], null],
    // a link overrules nothing
    ["an entry of its own beats a link", [register("eba", [psp(NUMBER), psp(BANK)])], [link("106653", "HRB1")], NUMBER],
    [
      "in another source, too",
      [register("nca", [psp(NUMBER)]), register("eba", [psp(BANK)])],
      [link("106653", "HRB1")],
      NUMBER,
    ],
    [
      "in a later source, too",
      [register("nca", [psp(BANK)]), register("eba", [psp(NUMBER)])],
      [link("106653", "HRB1")],
      NUMBER,
    ],
    [
      "in another spelling, too",
      [register("eba", [psp("PSDDE-BAFIN-1066-53"), psp(BANK)])],
      [link("106653", "HRB1")],
      "PSDDE-BAFIN-1066-53",
    ],
    ["withdrawn, too", [register("eba", [withdrawn(NUMBER), psp(BANK)])], [link("106653", "HRB1")], NUMBER],
    ["an agent, too", [register("nca", [psp(NUMBER, { agent: true }), psp(BANK)])], [link("106653", "HRB1")], NUMBER],
    [
      "two entries of its own stay ambiguous",
      [register("eba", [psp(NUMBER), psp("PSDDE-BAFIN-1066-53"), psp(BANK)])],
      [link("106653", "HRB1")],
      "ambiguous",
    ],
    // what fits two finds none
    [
      "two entries",
      [register("eba", [psp(BANK), psp(OTHER)])],
      [link("106653", "HRB1"), link("106653", "HRB2")],
      "contradicted",
    ],
    [
      "two entries, by two files",
      [register("eba", [psp(BANK), psp(OTHER)])],
      [link("106653", "HRB1"), link("106653", "HRB2", { source: "b" })],
      "contradicted",
    ],
    [
      "two entries, of two kinds",
      [register("eba", [psp(BANK), psp(OTHER)])],
      [link("106653", "HRB1"), link("106653", "HRB2", { kind: "company_number" })],
      "contradicted",
    ],
    [
      "two entries, in two sources",
      [register("nca", [psp(BANK)]), register("eba", [psp(OTHER)])],
      [link("106653", "HRB1"), link("106653", "HRB2")],
      "contradicted",
    ],
    [
      "an entry, and one that is nowhere",
      [register("eba", [psp(BANK)])],
      [link("106653", "HRB1"), link("106653", "HRB2")],
      "contradicted",
    ],
    [
      "an entry, and the LEI of another",
      [register("eba", [psp(BANK), withLei(OTHER)])],
      [link("106653", "HRB1"), link("106653", LEI)],
      "contradicted",
    ],
    [
      "an entry without the LEI that is said, too",
      [register("nca", [psp(BANK)]), register("eba", [withLei(OTHER)])],
      [link("106653", "HRB1"), link("106653", LEI)],
      "contradicted",
    ],
    [
      "a LEI that two entries have",
      [register("eba", [withLei(BANK), withLei(OTHER)])],
      [link("106653", LEI)],
      "contradicted",
    ],
    [
      "a register number that two entries have",
      [register("eba", [psp(BANK), psp("PSDDE-BAFIN-HRB-1")])],
      [link("106653", "HRB1")],
      "contradicted",
    ],
    [
      "an entry with two numbers of a kind",
      [register("eba", [psp(BANK)])],
      [link("106653", "HRB1"), link("106654", "HRB1")],
      "contradicted",
    ],
    [
      "the second by its LEI",
      [register("eba", [withLei(BANK)])],
      [link("106653", "HRB1"), link("106654", LEI)],
      "contradicted",
    ],
    [
      "two numbers of two kinds are none of that",
      [register("eba", [psp(BANK)])],
      [link("106653", "HRB1"), link("7", "HRB1", { kind: "supervisor_number" })],
      BANK,
    ],
    [
      "a kind of which the register has another number",
      [register("eba", [psp(BANK, { numbers: [{ kind: "bafin_id", number: "999999" }] })])],
      [link("106653", "HRB1")],
      null,
    ],
    [
      "a kind of which the register has this number",
      [register("eba", [psp(BANK, { numbers: [{ kind: "bafin_id", number: "106653" }] })])],
      [link("106653", "HRB1")],
      BANK,
    ],
    // whom a link leads to
    ["no agent", [register("nca", [psp(BANK, { agent: true })])], [link("106653", "HRB1")], null],
    [
      "no chain",
      [register("eba", [psp(BANK)])],
      [link("106653", "7"), link("7", "HRB1", { kind: "supervisor_number" })],
      null,
    ],
    [
      "no PSP of another country, by its LEI",
      [register("nca", [withLei("PSDFR-ACPR-1")])],
      [link("106653", LEI)],
      null,
    ],
    [
      "no entry of another country's register",
      [register("eba", [withLei("PSDFR-ACPR-1")], "FR"), register("eba", [psp(OTHER)])],
      [link("106653", LEI)],
      null,
    ],
  ])("%s", (_, registers, links, expected) => {
    expect(nameOf(registers, links)).toBe(expected);
    expect(nameOf(registers, links.toReversed())).toBe(expected);
  });

  test("a copy says which link made it, and has the entry's own number", () => {
    const reading = readingOf([register("eba", [psp(BANK)])], "DE", NUMBER, undefined, [link("106653", "HRB1")]);
    const by = { kind: "bafin_id", source: "a file", asOf: "2026-11-01" };
    expect(reading.categories.map((category) => category.psp)).toEqual([
      { ...psp(BANK), link: { number: NUMBER, by } },
    ]);
  });

  test("a link makes no withdrawn PSP good", () => {
    const registers = [register("eba", [withdrawn(BANK)])];
    const reading = readingOf(registers, "DE", NUMBER, undefined, [link("106653", "HRB1")]);
    expect(findEntitlementRefusals(reading, "payments", null, NOW)).toEqual(["authorisation_withdrawn"]);
  });

  test("the register's own number finds the entry, whatever is linked", () => {
    const registers = [register("eba", [psp(BANK), psp(OTHER)])];
    const links = [link("106653", "HRB1"), link("106653", "HRB2"), link("106654", "HRB1")];
    expect(nameOf(registers, links, BANK)).toBe(BANK);
    expect(resolveLinks([psp(BANK), psp(OTHER)], links).map(({ outcome }) => outcome)).toEqual([
      ...["contradicted", "contradicted"],
    ]);
  });
});

describe("a link by itself", () => {
  test.each<[string, string, NumberKind, string, string, RegExp | null]>([
    ["BaFin's", "DE", "bafin_id", "PSDDE-BAFIN-106653", BANK, null],
    ["BaFin's with letters", "DE", "bafin_id", "PSDDE-BAFIN-GnR1", BANK, /GNR1 is not a number of BaFin's/],
    [
      "BaFin's of Austria",
      "AT",
      "bafin_id",
      "PSDAT-FMA-106653",
      "PSDAT-FMA-1",
      /bafin_id is a number of DE, not of AT/,
    ],
    ["a LEI", "DE", "lei", `PSDDE-BAFIN-${LEI}`, BANK, null],
    ["a LEI with a wrong digit", "DE", "lei", "PSDDE-BAFIN-391200GLBAFG69QGNT86", BANK, /is not a LEI/],
    ["a SIREN", "FR", "siren", "PSDFR-ACPR-732829320", "PSDFR-ACPR-15930", null],
    ["a SIREN with a wrong digit", "FR", "siren", "PSDFR-ACPR-732829321", "PSDFR-ACPR-15930", /is not a SIREN/],
    ["a CIB", "FR", "cib", "PSDFR-ACPR-15930", "PSDFR-ACPR-732829320", null],
    ["a CIB of four digits", "FR", "cib", "PSDFR-ACPR-1593", "PSDFR-ACPR-732829320", /is not a CIB/],
    ["a NIP", "PL", "tax_number", "PSDPL-PFSA-5250007738", "PSDPL-PFSA-102", null],
    ["a NIP with a wrong digit", "PL", "tax_number", "PSDPL-PFSA-5250007739", "PSDPL-PFSA-102", /is not a NIP/],
    ["an OIB", "HR", "tax_number", "PSDHR-HNB-71221608291", "PSDHR-HNB-2408002", null],
    ["an OIB with a wrong digit", "HR", "tax_number", "PSDHR-HNB-71221608292", "PSDHR-HNB-2408002", /is not an OIB/],
    ["a tax number of a country without a rule", "RO", "tax_number", "PSDRO-NBR-41251980", "PSDRO-NBR-IP1", null],
    ["a number of another country", "DE", "bafin_id", "PSDFR-ACPR-106653", BANK, /is not of DE/],
    ["an entry of another country", "DE", "bafin_id", NUMBER, "PSDFR-ACPR-1", /is of FR: a link stays in its country/],
    ["itself", "DE", "bafin_id", NUMBER, "PSDDE-BAFIN-1066-53", /is the number itself/],
    [
      "itself by a rule",
      "LU",
      "supervisor_number",
      "PSDLU-CSSF-B00000351",
      "PSDLU-CSSF-LUB00351",
      /is the number itself/,
    ],
    ["a number without a reference", "DE", "supervisor_number", "PSDDE-BAFIN", BANK, /does not have the form/],
    ["digits of another script", "DE", "supervisor_number", "PSDDE-BAFIN-10665\u0663", BANK, /characters beside ASCII/],
    ["a LEI as target with a wrong digit", "DE", "bafin_id", NUMBER, "391200GLBAFG69QGNT86", /is not a LEI/],
  ])("%s", (_, country, kind, number, target, expected) => {
    const kindOfTarget = /^[0-9A-Z]{20}$/.test(target) ? "lei" : "register_number";
    const fault = findFault({ country, kind, number, target: { kind: kindOfTarget, number: target } });
    if (expected === null) expect(fault).toBeNull();
    else expect(fault?.message).toMatch(expected);
  });
});

test.each<[string, NumberLink[], NumberLink[], string[]]>([
  ["said twice", [link("1", "HRB1"), link("1", "HRB1")], [], ["again"]],
  ["said by another source, too", [link("1", "HRB1")], [link("1", "HRB1", { source: "b" })], []],
  ["two of a kind", [link("1", "HRB1"), link("2", "HRB1")], [], ["second-of-kind"]],
  [
    "two of a kind, the other of another source",
    [link("2", "HRB1")],
    [link("1", "HRB1", { source: "b" })],
    ["second-of-kind"],
  ],
  ["two of two kinds", [link("1", "HRB1"), link("2", "HRB1", { kind: "company_number" })], [], []],
  ["two entries", [link("1", "HRB1"), link("1", "HRB2")], [], []],
  ["a chain", [link("1", "2"), link("2", "HRB1")], [], ["chain"]],
  ["a chain from another source", [link("2", "HRB1")], [link("1", "2", { source: "b" })], ["chain"]],
  ["a chain to another source", [link("1", "2")], [link("2", "HRB1", { source: "b" })], ["chain"]],
])("of links of one file: %s", (_, links, others, expected) => {
  expect(findClashes(links, others).map(({ why }) => why)).toEqual(expected);
});
