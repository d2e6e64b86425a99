/** Files of registers: the EBA's two, as JSON and ZIP, and the project's own forms. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { zipSync } from "fflate";
import { readBankFile } from "../../../src/registers/import/bank-file.ts";
import { readEbaFile } from "../../../src/registers/import/eba-file.ts";
import { readEbaRecord } from "../../../src/registers/import/eba-record.ts";
import { describeProblem } from "../../../src/registers/import/form-fields.ts";
import { JsonRecords, JsonRecordsError } from "../../../src/registers/import/json-records.ts";
import { type NumbersFile, readNumbersFile } from "../../../src/registers/import/numbers-file.ts";
import { type RegisterFile, readRegisterFile } from "../../../src/registers/import/own-form.ts";
import { readRegisterCsv } from "../../../src/registers/import/own-form-csv.ts";
import { copyLinked, findFault, type NumberLink } from "../../../src/registers/number-links.ts";
import { must, readOrRefuse, type Target, toBytes, toText } from "../target.ts";

const FIXTURES = join(import.meta.dirname, "../../../fixtures");
const read = (path: string): Uint8Array => new Uint8Array(readFileSync(join(FIXTURES, path)));

/** Each record alone, and some together: the whole file would be changed in one place of many. */
function ebaDocuments(): Uint8Array[] {
  const lists: unknown[][] = JSON.parse(toText(read("suites/eba/psd2_golden_copy_sample.json")));
  const records = lists.flat();
  return [records.slice(0, 6), records.slice(6, 20), ...records.slice(0, 24).map((record) => [record])].map((some) =>
    toBytes(JSON.stringify([[], some])),
  );
}

/** Made up: as the search of the register of credit institutions answers it. */
const BANK = {
  ...{ CA_OwnerID: "FI_FIN-FSA", EntityCode: "5299000000000000AB75", EntityType: "CRD_CRE_INS" },
  Properties: [
    ...[{ ENT_COD_TYP: "LEI" }, { ENT_NAT_REF_COD: "2858394-9 " }, { ENT_NAM: "Pankki Oy" }],
    ...[{ ENT_NAM_NON_LAT: "Банк" }, { ENT_COU_RES: "FI" }, { ENT_AUT: ["2013-11-20"] }],
  ],
  __EBA_EntityVersion: "20261103000000000",
};
const BRANCH = {
  ...{ ...BANK, CA_OwnerID: "SE_FINA", EntityCode: "1", EntityType: "CRD_EEA_BRA" },
  Properties: [
    ...[{ ENT_NAM: "Filial" }, { ENT_COU_RES: "SE" }, { ENT_AUT: "2013-11-20" }],
    ...[{ ENT_COD_CRE_INS_EST_BRA: BANK.EntityCode }, { COU_CRE_INS_EST_BRA: "FI" }],
  ],
};

function bankDocuments(): Uint8Array[] {
  const [one, other] = [BANK, BRANCH].map((_payload) => ({ _payload }));
  return [[one], [one, other, one], { data: [other, one] }, { data: { "1": one, "2": other } }].map((document) =>
    toBytes(JSON.stringify(document)),
  );
}

const WORDS = [
  ...["CRD_CRE_INS", "CRD_NON_EEA_BRA", "_payload", '{"data":', "ENT_NAM_NON_LAT", "DER_CHI_ENT_AUT", "Inactive"],
  ...[
    "PSD_PI",
    "PSD_AG",
    "PSD_BR",
    "PSD_EXC",
    "ENT_NAM",
    "ENT_AUT",
    "ENT_NAT_REF_COD",
    "PS_010",
    "PS_03A",
    "FI_FIN-FSA",
    "EL",
    "GR",
  ],
  ...[
    "PSDXX-TEST-000001",
    "Credit Institution",
    "Payment Institution",
    "Withdrawn",
    "passportIn",
    "unknown",
    ";",
    "|",
    "\t",
    '"',
  ],
];

export function registerTargets(): Target[] {
  const documents = ebaDocuments();
  const own = ["registers/XX.json", "registers/XY.json"].map(read);
  return [
    {
      ...{ name: "eba-json", form: "json", stepsPerByte: 200, share: 2, corpus: documents, words: WORDS },
      check: async (input) => {
        // in two pieces, as a stream may come
        const half = input.length >> 1;
        const file = await readEbaFile(streamOf(input.subarray(0, half), input.subarray(half)), NOTHING_KNOWN);
        must(file.ok || file.reason !== "", "a refusal without a reason");
        compareRecords(input);
      },
    },
    {
      ...{ name: "eba-zip", form: "bytes", stepsPerByte: 2_000 },
      corpus: documents
        .slice(0, 2)
        .map((document) => zipSync({ "PSD2.json": document, "PSD2.json.sha256": toBytes("00") })),
      check: async (input) => {
        const file = await readEbaFile(streamOf(input), NOTHING_KNOWN);
        must(file.ok || file.reason !== "", "a refusal without a reason");
      },
    },
    {
      ...{ name: "banks-json", form: "json", stepsPerByte: 200, corpus: bankDocuments(), words: WORDS },
      check: checkBanks,
    },
    {
      ...{ name: "register-json", form: "json", stepsPerByte: 400, share: 2, corpus: own, words: WORDS },
      check: (input) => checkRegister(readRegisterFile(toText(input))),
    },
    {
      ...{
        name: "register-csv",
        form: "text",
        stepsPerByte: 800,
        corpus: [read("register-example.csv")],
        words: WORDS,
      },
      check: (input) => checkRegister(readRegisterCsv(toText(input))),
    },
    {
      ...{
        name: "numbers-file",
        form: "text",
        stepsPerByte: 800,
        corpus: [read("numbers-example.csv"), toBytes(JSON.stringify({ numbers: [NUMBER] }))],
        words: NUMBER_WORDS,
      },
      check: (input) => checkNumbers(readNumbersFile(toText(input), OTHER_NUMBERS)),
    },
    {
      ...{ name: "national-numbers", form: "text", stepsPerByte: 800, corpus: NATIONAL, words: NUMBER_WORDS },
      check: (input) => checkNumbers(readNumbersFile(toText(input), OTHER_NUMBERS, "2026-11-28")),
    },
  ];
}

const NUMBER = {
  ...{ country: "DE", authNumber: "PSDDE-BAFIN-106653", lei: "391200GLBAFG69QGNT85" },
  ...{ kind: "bafin_id", source: "A file", asOf: "2026-11-01" },
};
/** In BaFin's form and in REGAFI's. */
const NATIONAL = [
  `NAME;BAK NR;LEI;LAND;ENDE AM\nA;1302032/BAKNR:106653;${NUMBER.lei};Deutschland;\n;;;;01.01.2020\nB;106654;;Deutschland;`,
  JSON.stringify([
    { siren: "100000009", cib: '[{"code": "16958", "date": "2020-01-01"}]' },
    { siren: "200000008", cib: ["17000", "17001"] },
  ]),
].map(toBytes);
const NUMBER_WORDS = [
  ...["registerNumber", "lei", "siren", "tax_number", "PSDPL-PFSA-5250007738", "PSDPL-PFSA-102", "PL", "rule"],
  ...["PSDLU-CSSF-B00000351", "PSDLU-CSSF-LUB00351", "LU", "UK", "PSDGB-FCA-1", ";", "\t", '"', "2026-02-30"],
];
const OTHER_NUMBERS: readonly NumberLink[] = [
  {
    ...{ country: "XX", number: "PSDXX-TEST-1", kind: "tax_number", source: "Another", asOf: "2026-11-01" },
    target: { kind: "register_number", number: "PSDXX-TEST-000002" },
  },
];

/** Each link stays in its country, and by all of them no entry is found under two numbers of a kind, or under its own. */
function checkNumbers(file: NumbersFile): void {
  if (!file.ok) {
    must(file.problems.length > 0, "a refusal without a reason");
    for (const problem of file.problems) must(describeProblem(problem) !== "", "a problem without a sentence");
    return;
  }
  const targets = file.links.flatMap(({ target }) => (target.kind === "lei" ? [] : [target.number]));
  const psps = [...new Set(targets)].map((authNumber) => ({ authNumber, agent: false, categories: [] }));
  for (const link of file.links) must(findFault(link) === null, "a link that the rules refuse");
  const copies = copyLinked(psps, file.links).filter(({ link }) => link?.by !== null);
  const ways = copies.map(({ authNumber, link }) => `${authNumber} ${link?.by?.kind}`);
  must(new Set(ways).size === ways.length, "an entry with two numbers of a kind");
  for (const { authNumber, link } of copies) {
    must(link?.number.slice(0, 6) === authNumber.slice(0, 6), "a link to another country");
    must(!targets.includes(link?.number ?? ""), "a link in place of an entry");
  }
}

/** In two pieces and byte by byte alike; what is read has a form that JSON.parse reads, too. */
async function checkBanks(input: Uint8Array): Promise<void> {
  const half = input.length >> 1;
  const [file, again] = await Promise.all([
    readBankFile(streamOf(input.subarray(0, half), input.subarray(half)), { fetchedAt: FETCHED_AT }),
    readBankFile(streamOf(...[...input].map((byte) => Uint8Array.of(byte))), { fetchedAt: FETCHED_AT }),
  ]);
  must(file.ok === again.ok, "it depends on how a file is cut");
  if (!file.ok) return must(file.reason !== "", "a refusal without a reason");
  const theirs: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input));
  const data: unknown = Array.isArray(theirs) ? theirs : (theirs as { readonly data: unknown }).data;
  const records = Array.isArray(data) ? data.flat(Number.POSITIVE_INFINITY) : Object.keys(data as object);
  // of a key that a document has twice JSON.parse reads the last alone
  must(file.registers.records >= records.length, "JSON.parse reads more records");
  for (const register of file.registers.registers(FETCHED_AT)) checkRegister({ ok: true, register });
}

const FETCHED_AT = "2026-11-27T06:00:00.000Z";
const NOTHING_KNOWN = { sha256: null, published: null };

async function* streamOf(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield piece;
}

/** What is JSON of objects within arrays is read so by JSON.parse, and the other way round. */
function compareRecords(input: Uint8Array): void {
  const records: unknown[] = [];
  const ours = readOrRefuse(() => {
    const cutter = new JsonRecords((record) => records.push(record));
    // byte by byte: what it holds of a record must not be gone through at each
    for (let at = 0; at < input.length; at++) cutter.push(input.subarray(at, at + 1));
    cutter.end();
    return records;
  }, JsonRecordsError);
  if (!ours) return;
  for (const record of ours)
    must(["institution", "agent", "other", "malformed"].includes(readEbaRecord(record).kind), "a record of no kind");
  const theirs: unknown = readOrRefuse(
    () => JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input)),
    Error,
  );
  must(Array.isArray(theirs), "JSON.parse refuses what is accepted");
  must(isDeepStrictEqual((theirs as unknown[]).flat(Number.POSITIVE_INFINITY), ours), "JSON.parse reads other records");
}

function checkRegister(file: RegisterFile): void {
  if (!file.ok) {
    must(file.problems.length > 0, "a refusal without a reason");
    for (const problem of file.problems) must(describeProblem(problem) !== "", "a problem without a sentence");
    return;
  }
  const { country, psps, published } = file.register;
  must(/^[A-Z]{2}$/.test(country) && !Number.isNaN(Date.parse(published)), "a register without a country or a time");
  for (const { authNumber, categories } of psps) {
    must(/^PSD[A-Za-z]{2}-/.test(authNumber), "a PSP without a number");
    for (const { services } of categories)
      must(
        services.every((service) => service >= 1 && service <= 8),
        "a payment service that is none",
      );
  }
}
