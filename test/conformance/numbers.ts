/**
 * Pairs of the number in a certificate and the number in a register: how many PSPs are found. The banks' register lies beside
 * the pairs. Each is looked up without a link, and then with a file of numbers made of the pairs; that the pair has both
 * sides, and nothing of it is found, is a failure. Of a register that is not beside the pairs the entry is made of its pair.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { checkRegisters } from "../../src/registers/check.ts";
import { BankRegisters } from "../../src/registers/import/bank-registers.ts";
import { describeProblem } from "../../src/registers/import/form-fields.ts";
import { readNumbersFile } from "../../src/registers/import/numbers-file.ts";
import { entryKey, manifestKey } from "../../src/registers/keys.ts";
import { type RegisterReading, readingFrom } from "../../src/registers/lookup.ts";
import { DEFAULT_REGISTER_MAX_AGES_MS, type RegisterManifest } from "../../src/registers/manifest.ts";
import { copyLinked, type NumberLink } from "../../src/registers/number-links.ts";
import type { NumberKind, PspRecord } from "../../src/registers/psp-record.ts";
import { AgentRoll, registerEntries } from "../../src/registers/register.ts";
import type { CaseAnswer, SuiteKind } from "./suite.ts";

const pair = z.object({
  country: z.string().length(2),
  who: z.string(),
  inCertificate: z.string().startsWith("PSD"),
  register: z.enum(["CIR", "EBA PSD2"]),
  numberThere: z.string(),
  result: z.string(),
});
type Pair = z.infer<typeof pair>;

/** As the EBA's search answers it, packed or not. */
const BANK_FILES = ["cir-2022.json.gz", "cir.json"];
/** What the number in a certificate is; elsewhere the authority's own. */
const KINDS: Readonly<Record<string, NumberKind>> = { DE: "bafin_id", PL: "tax_number" };

export const numberSuites: SuiteKind = {
  name: "numbers of certificates and registers",
  recognises: ({ json }) =>
    z
      .array(pair.pick({ inCertificate: true, numberThere: true }))
      .min(1)
      .safeParse(json).success,
  read: ({ path, json }, now) => {
    const pairs = z.array(pair).parse(json);
    const banks = readBanks(dirname(path));
    const links = linkPairs(pairs, banks);
    return pairs.map((one) => {
      const known = counterpartOf(one, banks) !== null;
      return {
        id: `${one.inCertificate} (${one.who})`,
        expected: known ? "found" : "not found, and numbers differ",
        expectsAccept: known,
        run: async () => runCase(one, banks, links, now),
      };
    });
  },
  summary: (results) => {
    const count = (actual: string) => results.filter((one) => one.actual === actual).length;
    return [...SCORES, NOT_FOUND].map((actual) => `${count(actual)} ${actual}`).join(", ");
  },
};

const SCORES = ["found directly", "found by a rule", "found by a link"] as const;
const NOT_FOUND = "not found, and numbers differ";

function runCase(one: Pair, banks: readonly PspRecord[], links: readonly NumberLink[], now: number): CaseAnswer {
  const psps = one.register === "CIR" ? banks : ofPair(one);
  const [direct, linked] = [[], links].map((some) => describe(one, readAll(one.country, psps, some, now), now));
  const shown = direct?.score ? direct : linked;
  const actual = shown?.score ?? (shown?.differs ? NOT_FOUND : "not found");
  const reason = shown?.reason ?? "";
  if (actual === "not found") throw new Error(`its sentence does not say that numbers differ: ${reason}`);
  return { accepted: actual !== NOT_FOUND, actual, reason, notApplicable: null };
}

interface Described {
  readonly score: (typeof SCORES)[number] | null;
  readonly differs: boolean;
  readonly reason: string;
}

function describe({ country, inCertificate }: Pair, read: (number: string) => RegisterReading, now: number): Described {
  const { homeRegister } = checkRegisters({
    ...{ authNumber: inCertificate, jurisdiction: country, home: read(inCertificate), host: null, subjectName: null },
    ...{ now, maxAges: DEFAULT_REGISTER_MAX_AGES_MS, codes: true },
  });
  const [entry] = homeRegister.categoryEntries;
  const warnings = (homeRegister.warning ?? []).join("; ");
  if (!entry) return { score: null, differs: warnings.includes("numbers differ here"), reason: warnings };
  const { found_by: link, pspLegalName } = entry;
  if (!link) return { score: "found directly", differs: false, reason: pspLegalName };
  const score = link.source === "rule" ? "found by a rule" : "found by a link";
  return { score, differs: false, reason: `${pspLegalName}, ${link.register_number}` };
}

/** As after an import of the register and of the links. */
function readAll(country: string, psps: readonly PspRecord[], links: readonly NumberLink[], now: number) {
  const [its, ofCountry] = [psps.filter(isOf(country)), links.filter((link) => link.country === country)];
  const manifest: RegisterManifest = {
    ...{ country, source: "credit-institutions", ncaId: "", ncaName: "", published: "2022-10-03T00:00:00Z" },
    ...{ fetchedAt: "2022-10-03T00:00:00Z", psps: its.length, agents: 0, refused: 0, hash: "", run: "" },
  };
  const values = new Map<string, unknown>([[manifestKey(country, manifest.source), manifest]]);
  const entries = registerEntries({ psps: [...its, ...copyLinked(its, ofCountry)], agents: new AgentRoll() });
  for (const [name, json] of entries) values.set(entryKey(country, manifest.source, name), JSON.parse(json));
  return (number: string) => readingFrom(values, country, number, now);
}

const isOf = (country: string) => (psp: PspRecord) => psp.authNumber.startsWith(`PSD${country}-`);

/** The entry of a pair: by the number there, or where only its form is told by the name, if one entry has it. */
function counterpartOf(one: Pair, banks: readonly PspRecord[]): PspRecord | null {
  if (one.register !== "CIR") return ofPair(one)[0] ?? null;
  const its = banks.filter(isOf(one.country));
  const byNumber = its.filter(({ authNumber }) => authNumber.endsWith(`-${one.numberThere}`));
  const byName = its.filter(({ categories }) => categories.some(({ legalName }) => legalName.includes(one.who)));
  const [only, ...more] = byNumber.length > 0 ? byNumber : byName;
  return more.length === 0 ? (only ?? null) : null;
}

/** Of a register that is not beside the pairs: it has the certificate's number where the pair says so. */
const ofPair = ({ result, who, inCertificate }: Pair): PspRecord[] =>
  result.includes("match") && !result.includes("DIFFERS") ? [toBank(`${inCertificate} `, who)] : [];

/** The file of numbers that the pairs make: half of the entries by their LEI. */
function linkPairs(pairs: readonly Pair[], banks: readonly PspRecord[]): readonly NumberLink[] {
  const numbers = pairs.flatMap((one) => {
    const entry = one.register === "CIR" ? counterpartOf(one, banks) : null;
    if (!entry || !one.result.includes("DIFFERS") || one.country === "LU") return [];
    return [{ one, entry }];
  });
  if (numbers.length === 0) return [];
  const rows = numbers.map(({ one, entry }, i) => {
    const lei = entry.numbers?.find(({ kind }) => kind === "lei")?.number;
    const target = i % 2 === 1 && lei !== undefined ? { lei } : { registerNumber: entry.authNumber };
    const kind = KINDS[one.country] ?? "supervisor_number";
    return {
      country: one.country,
      authNumber: one.inCertificate,
      ...target,
      kind,
      source: "pairs",
      asOf: "2026-11-27",
    };
  });
  const file = readNumbersFile(JSON.stringify({ numbers: rows }), []);
  if (!file.ok) throw new Error(file.problems.map(describeProblem).join("\n"));
  return file.links;
}

const bankFile = z.object({ data: z.array(z.unknown()) });

function readBanks(folder: string): PspRecord[] {
  const path = BANK_FILES.map((name) => join(folder, name)).find((one) => existsSync(one));
  if (path === undefined) throw new Error(`none of ${BANK_FILES.join(", ")} lies beside the pairs`);
  const bytes = readFileSync(path);
  const text = path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  const banks = new BankRegisters();
  for (const record of bankFile.parse(JSON.parse(text.toString("utf8"))).data) banks.add(record);
  return [...banks.registers("2022-10-03T00:00:00.000Z")].flatMap(({ psps }) => psps);
}

const toBank = (authNumber: string, legalName: string): PspRecord => ({
  ...{ authNumber, agent: false },
  categories: [{ category: "Credit Institution", legalName, status: "Authorised", services: [], passportOut: {} }],
});
