import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isLei } from "../../../src/registers/check-digits.ts";
import { isBankFile, readBankFile } from "../../../src/registers/import/bank-file.ts";
import { BankRegisters } from "../../../src/registers/import/bank-registers.ts";
import { readEbaFile } from "../../../src/registers/import/eba-file.ts";
import type { PspRecord } from "../../../src/registers/psp-record.ts";
import { type Register, registerEntries } from "../../../src/registers/register.ts";
import { statusAt } from "../../../src/registers/status.ts";
import { sharedData } from "../../shared-data.ts";
import { readingOf } from "./reading-of.ts";

const FETCHED = "2026-11-27T06:00:00.000Z";
const NOW = Date.parse("2026-11-27T12:00:00Z");
/** Made up, with the check digits of ISO 17442. */
const LEI = "5299000000000000AB75";
const OTHER_LEI = "5299000000000000CD51";

type Properties = Readonly<Record<string, unknown>>;

/** As the EBA's search answers a bank; `undefined` leaves a property out. */
function bank(properties: Properties = {}, more: object = {}) {
  const all: Properties = {
    ...{ ENT_COD: LEI, ENT_COD_TYP: "LEI", ENT_NAT_REF_COD: "100", ENT_NAM: "Banca Esempio S.p.A.", ENT_COU_RES: "IT" },
    ...{ ENT_AUT: ["2013-11-20"], ...properties },
  };
  return {
    _payload: {
      ...{ CA_OwnerID: "IT_BI", EntityCode: LEI, EntityType: "CRD_CRE_INS" },
      Properties: Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [{ [key]: value }])),
      __EBA_EntityVersion: "20261103000000000",
      ...more,
    },
  };
}

const branch = (properties: Properties = {}, more: object = {}) =>
  bank(
    {
      ...{ ENT_NAT_REF_COD: "900", ENT_NAM: "Banca Esempio, filial", ENT_COU_RES: "ES" },
      ...{ ENT_COD_CRE_INS_EST_BRA: LEI, COU_CRE_INS_EST_BRA: "IT", ...properties },
    },
    { CA_OwnerID: "ES_BE", EntityCode: "ES900", EntityType: "CRD_EEA_BRA", ...more },
  );

function gather(...records: unknown[]): { registers: Register[]; all: BankRegisters } {
  const all = new BankRegisters();
  for (const record of records) all.add(record);
  return { all, registers: [...all.registers(FETCHED)] };
}

const found = (registers: readonly Register[], authNumber: string) =>
  readingOf([...registers], authNumber.slice(3, 5), authNumber).categories;

const established = (...records: unknown[]) =>
  found(gather(bank(), ...records).registers, "PSDIT-BI-100").map(({ record }) => record.established);

async function* inPieces(text: string, size = 1_000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("the LEIs of this test are such", () => {
  expect([LEI, OTHER_LEI].map(isLei)).toEqual([true, true]);
});

describe("a bank of the EBA's register of credit institutions", () => {
  test("is a credit institution under its reference, with all its names, its LEI and its days", () => {
    const { registers } = gather(
      bank({ ENT_NAM: "Banca Esempio ", ENT_NAM_NON_LAT: "Банка Пример", ENT_NAT_REF_COD: "128001319 " }),
    );
    expect(registers).toMatchObject([
      { country: "IT", source: "credit-institutions", ncaId: "IT-BI", ncaName: "Bank of Italy", published: FETCHED },
    ]);
    const [one] = found(registers, "PSDIT-BI-128001319");
    expect(one?.psp).toEqual({
      authNumber: "PSDIT-BI-128001319",
      numbers: [{ kind: "lei", number: LEI }],
      agent: false,
      categories: [
        {
          ...{ category: "Credit Institution", legalName: "Banca Esempio", otherNames: ["Банка Пример"] },
          ...{ status: ["2013-11-20"], services: [], passportOut: {} },
        },
      ],
    });
    expect(one && statusAt(one.psp, one.record, NOW)).toBe("Authorised");
  });

  test("has the code of the authority's own system nowhere, nor a second LEI from it", () => {
    const { registers } = gather(bank({ ENT_COD_TYP: "NON_LEI" }, { EntityCode: "26137755" }));
    expect(registers[0]?.psps[0]).not.toHaveProperty("numbers");
  });

  test.each([
    ["no reference", undefined],
    ["its LEI as its reference", LEI],
    ["a reference of dashes", "--"],
  ])("with %s is counted and named, and no number finds it", (_, reference) => {
    const { all, registers } = gather(bank({ ENT_NAT_REF_COD: reference }));
    expect(all).toMatchObject({ institutions: 1, unnumbered: { count: 1, names: ["Banca Esempio S.p.A."] } });
    expect(registers[0]?.psps).toEqual([]);
    expect(found(registers, `PSDIT-BI-${LEI}`)).toEqual([]);
  });

  test("with the number of another one is not found, nor is that", () => {
    const { registers } = gather(bank(), bank({ ENT_NAM: "Other" }, { EntityCode: OTHER_LEI }));
    expect(readingOf(registers, "IT", "PSDIT-BI-100")).toMatchObject({ categories: [], ambiguous: true });
  });

  test("in two versions is as in the later, whichever comes first", () => {
    const later = bank({ ENT_NAM: "Later" }, { __EBA_EntityVersion: "20261104000000000" });
    for (const records of [
      [bank(), later],
      [later, bank()],
    ])
      expect(found(gather(...records).registers, "PSDIT-BI-100").map(({ record }) => record.legalName)).toEqual([
        "Later",
      ]);
  });

  test.each<[string, Properties, string | null]>([
    ["withdrawn", { ENT_AUT: ["2013-11-20", "2026-11-01"] }, "Withdrawn"],
    ["withdrawn on a day that cannot be read", { ENT_AUT: ["2013-11-20", "1.11.2026"] }, null],
    ["authorised from tomorrow on", { ENT_AUT: ["2026-11-28"] }, "Unauthorised"],
    ["without a day", { ENT_AUT: undefined }, null],
  ])("that is %s has the status", (_, properties, status) => {
    const { registers } = gather(bank(properties));
    expect(found(registers, "PSDIT-BI-100").map(({ psp, record }) => statusAt(psp, record, NOW))).toEqual([status]);
  });

  test.each<[string, unknown, object]>([
    ["without a name", bank({ ENT_NAM: undefined }), { refused: 1, unreadable: 0 }],
    ["whose day is none", bank({ ENT_AUT: "2013" }), { refused: 1, unreadable: 0 }],
    ["without a name or a number", bank({ ENT_NAM: " ", ENT_NAT_REF_COD: undefined }), { refused: 0, unreadable: 1 }],
    ["without a code", bank({}, { EntityCode: 1 }), { refused: 0, unreadable: 1 }],
    ["of nobody", bank({}, { CA_OwnerID: "ITBI" }), { refused: 0, unreadable: 1 }],
    ["with properties that are none", bank({}, { Properties: {} }), { refused: 0, unreadable: 1 }],
    ["in the golden copy's form", bank()._payload, { refused: 0, unreadable: 1 }],
    ["that is no object", [], { refused: 0, unreadable: 1 }],
  ])("%s is malformed", (_, record, expected) => {
    const { all, registers } = gather(record);
    const refused = registers.flatMap((register) => register.refused).length;
    expect({ refused, unreadable: all.unreadable.length }).toEqual(expected);
    expect(registers.flatMap(({ psps }) => psps)).toEqual([]);
  });
});

describe("a branch in the register of credit institutions", () => {
  test("gives its bank all services in its country, whichever authority has entered it", () => {
    expect(established(branch())).toEqual([{ ES: [1, 2, 3, 4, 5, 6, 7, 8] }]);
    expect(established(branch({}, { CA_OwnerID: "IT_BI" }))).toEqual([{ ES: [1, 2, 3, 4, 5, 6, 7, 8] }]);
    expect(established(branch({ DER_CHI_ENT_AUT: "Active", COU_CRE_INS_EST_BRA: undefined }))).toEqual([
      { ES: [1, 2, 3, 4, 5, 6, 7, 8] },
    ]);
  });

  test.each<[string, unknown[]]>([
    ["says no bank", [branch({ ENT_COD_CRE_INS_EST_BRA: undefined })]],
    ["says another bank", [branch({ ENT_COD_CRE_INS_EST_BRA: OTHER_LEI })]],
    ["says a bank of another country", [branch({ COU_CRE_INS_EST_BRA: "FR" })]],
    [
      "says a code that two banks have",
      [branch({ COU_CRE_INS_EST_BRA: undefined }), bank({}, { CA_OwnerID: "FR_ACPR" })],
    ],
    ["says no country", [branch({ ENT_COU_RES: undefined })]],
    ["is in the country of its bank", [branch({ ENT_COU_RES: "IT" })]],
    ["is inactive", [branch({ DER_CHI_ENT_AUT: "Inactive" })]],
    ["is closed", [branch({ ENT_AUT: ["2013-11-20", "2026-11-01"] })]],
    ["opens tomorrow", [branch({ ENT_AUT: ["2026-11-28"] })]],
    ["is of a bank outside the EEA", [branch({}, { EntityType: "CRD_NON_EEA_BRA" })]],
  ])("that %s gives none", (_, records) => {
    expect(established(...records)).toEqual([undefined]);
  });

  test.each(["CRD_EEA_BRA", "CRD_NON_EEA_BRA"])("of type %s has no status, and is no bank", (EntityType) => {
    const { all, registers } = gather(branch({}, { EntityType }));
    expect(all.institutions).toBe(0);
    const [one] = found(registers, "PSDES-BE-900");
    expect(one?.record).toMatchObject({ category: "Branch", status: null, services: [] });
    expect(one && statusAt(one.psp, one.record, NOW)).toBeNull();
  });

  test("with the number of a bank leaves that as it is, even if it is malformed", () => {
    for (const properties of [{}, { ENT_NAM: undefined }]) {
      const its = branch({ ENT_NAT_REF_COD: "100", ...properties }, { CA_OwnerID: "IT_BI" });
      const categories = found(gather(its, bank()).registers, "PSDIT-BI-100").map(({ record }) => record.category);
      expect(categories).toEqual(["Credit Institution"]);
    }
  });
});

describe("a file of the register of credit institutions", () => {
  const FORMS: [string, (records: object[]) => unknown][] = [
    ["a list", (records) => records],
    ["a list in data", (data) => ({ data })],
    ["an object in data", (records) => ({ data: Object.fromEntries(records.map((one, i) => [`k${i}`, one])) })],
  ];
  test.each(FORMS)("is read as %s", async (_, write) => {
    const text = JSON.stringify(write([bank(), branch()]));
    const read = await readBankFile(inPieces(text, 7), { fetchedAt: FETCHED });
    const sha256 = createHash("sha256").update(text).digest("hex");
    expect(read).toMatchObject({ ok: true, published: FETCHED, dated: "fetch", sha256 });
    expect(read.ok && read.registers).toMatchObject({ records: 2, institutions: 1 });
    expect(isBankFile(text)).toBe(true);
    for (const end of [1, 2, 40, text.length - 1])
      expect((await readBankFile(inPieces(text.slice(0, -end)), { fetchedAt: FETCHED })).ok).toBe(false);
  });

  test("of which nobody knows when it was fetched is as old as its newest record", async () => {
    const read = await readBankFile(inPieces(JSON.stringify([bank()])), { fetchedAt: null });
    expect(read).toMatchObject({ ok: true, published: "2026-11-03T00:00:00.000Z" });
    expect(read).not.toHaveProperty("dated");
    const undated = JSON.stringify([bank({}, { __EBA_EntityVersion: "" })]);
    expect(await readBankFile(inPieces(undated), { fetchedAt: null })).toEqual({
      ...{ ok: false, reason: "no record says when it was changed" },
    });
  });

  test.each<[string, unknown, string]>([
    ["without a record", [], "it has no bank: of 0 records 0 cannot be read"],
    [
      "of unknown types only",
      [bank({}, { EntityType: "CRD_X" }), bank({}, { EntityType: "PSD_PI" })],
      "it has no bank, only 1 of CRD_X, 1 of PSD_PI",
    ],
    ["of another form", [[bank()._payload]], "it has no bank: of 1 records 1 cannot be read (no _payload)"],
    ["of branches only", [branch()], "it has no bank: of 1 records 0 cannot be read"],
    ["of text", "<html>", 'the JSON cannot be read: byte 0: "\\"" instead of value'],
  ])("%s is refused", async (_, document, reason) => {
    expect(await readBankFile(inPieces(JSON.stringify(document)), { fetchedAt: FETCHED })).toEqual({
      ...{ ok: false, reason },
    });
  });

  test("in the golden copy's form is refused as what it is", async () => {
    const text = JSON.stringify([[bank()._payload]]);
    expect(isBankFile(text)).toBe(false);
    expect(await readEbaFile(inPieces(text), { sha256: null, published: null })).toEqual({
      ok: false,
      reason: `it is of the EBA's register of credit institutions (1 of CRD_CRE_INS), which is read as the EBA's search answers it: [{"_payload": …}]`,
    });
  });
});

describe.runIf(sharedData)("the EBA's real register of credit institutions", () => {
  test("is read to the last of its 4,131 banks of 30 countries; three have no number, two an LEI for one, and one is there twice", async () => {
    const text = gunzipSync(readFileSync(join(sharedData ?? "", "registers/cir-2022.json.gz"))).toString();
    const read = await readBankFile(inPieces(text, 65_536), { fetchedAt: null });
    if (!read.ok) throw new Error(read.reason);
    const { registers: all, published } = read;
    expect(published).toBe("2022-10-03T00:00:00.000Z");
    expect(all).toMatchObject({ records: 4_131, institutions: 4_131, unreadable: [], unknownTypes: {} });
    expect(all.unnumbered).toEqual({
      ...{ count: 3, names: ["Barclays Bank Ireland plc", "Ekspres Bank AS", "EUROPE ARAB BANK SA"] },
    });
    const registers = [...all.registers(published)];
    expect(registers).toHaveLength(30);
    expect(registers.flatMap(({ refused, undated = [] }) => [...refused, ...undated])).toEqual([]);
    const psps = registers.flatMap((register) => register.psps);
    expect(psps).toHaveLength(4_128);
    expect(psps.flatMap(({ numbers = [] }) => numbers)).toHaveLength(3_907);
    expect(psps.filter(({ authNumber }) => isLei(authNumber.split("-").at(-1) ?? ""))).toEqual([]);
    expect(psps.filter((psp) => psp.categories.some((one) => statusAt(psp, one, NOW) !== "Authorised"))).toEqual([]);
    // one bank was entered twice, with two LEIs and days
    const shared = registers.flatMap((register) => [...registerEntries(register)].map(([, json]) => JSON.parse(json)));
    expect(
      shared.filter(({ length }) => length > 1).map((some) => some.map((one: PspRecord) => one.authNumber)),
    ).toEqual([["PSDSE-FINA-556709-4866", "PSDSE-FINA-5567094866"]]);
    expect(readingOf(registers, "SE", "PSDSE-FINA-5567094866")).toMatchObject({ categories: [], ambiguous: true });
    expect(found(registers, "PSDCZ-CNB-63492555").map(({ record }) => record.legalName)).toEqual([
      "Banka CREDITAS a.s.",
    ]);
  });
});
