/** Files of BaFin's and of REGAFI's form, made by ourselves: which number of a certificate means which entry. */
import { describe, expect, test } from "vitest";
import { describeProblem } from "../../../src/registers/import/form-fields.ts";
import { readNumbersFile } from "../../../src/registers/import/numbers-file.ts";
import type { NumberLink } from "../../../src/registers/number-links.ts";

const DAY = "2026-11-28";
const [LEI, OTHER_LEI, THIRD_LEI] = ["391200GLBAFG69QGNT85", "969500RJVJN89YW26S52", "5493001KJTIIGC8Y1R12"] as const;
const NONE = { no_number: 0, no_entry: 0, several_numbers: 0, ended: 0, not_valid: 0, contradicted: 0 };

const problemsOf = (content: string, asOf: string | null = DAY): string[] => {
  const file = readNumbersFile(content, [], asOf);
  return file.ok ? [] : file.problems.map(describeProblem);
};
/** The certificate's reference and the entry, of each link; and what is left out. */
function read(content: string, others: readonly NumberLink[] = []) {
  const file = readNumbersFile(content, others, DAY);
  if (!file.ok) throw new Error(file.problems.map(describeProblem).join("\n"));
  const left = Object.entries(file.leftOut ?? {}).filter(([, count]) => count > 0);
  return {
    links: file.links.map(({ number, target }) => `${number.split("-").at(-1)} ${target.number.split("-").at(-1)}`),
    leftOut: Object.fromEntries(left),
  };
}

describe("BaFin's export", () => {
  const HEADER =
    "NAME;BAK NR;REG NR;BAFIN-ID;LEI;NATIONALE IDENTIFIKATIONSNUMMER;PLZ;ORT;LAND;GATTUNG;ERLAUBNISSE;ENDE AM;ENDEGRUND";
  interface Company {
    bak?: string;
    lei?: string;
    land?: string;
    /** The ends of its permissions; "" of one that lasts. */
    ends?: string[];
  }
  const rows = ({ bak = "", lei = "", land = "Deutschland", ends = [""] }: Company, i: number) =>
    ends.map((end, row) =>
      row === 0
        ? `Beispielbank ${i} eG;${bak};HRB ${i};10${bak};${lei};;80331;Ort;${land};CRR-Kreditinstitut;Einlagen;${end};`
        : `;;;;;;;;;;Depot;${end};`,
    );
  const file = (...companies: Company[]) => [HEADER, ...companies.flatMap(rows)].join("\r\n");

  test("links the BAK number to the entry with the LEI", () => {
    expect(readNumbersFile(file({ bak: "106653", lei: LEI, ends: ["", "01.02.2020"] }), [], DAY)).toEqual({
      ok: true,
      links: [
        {
          ...{ country: "DE", number: "PSDDE-BAFIN-106653", kind: "bafin_id", source: "BaFin", asOf: DAY },
          target: { kind: "lei", number: LEI },
        },
      ],
      leftOut: NONE,
    });
  });

  test.each<[string, Company[], string[], object]>([
    ["a number behind another register's", [{ bak: "1302032/BAKNR:148509", lei: LEI }], [`148509 ${LEI}`], {}],
    ["a LEI in small letters", [{ bak: "106653", lei: LEI.toLowerCase() }], [`106653 ${LEI}`], {}],
    ["no number", [{ lei: OTHER_LEI }, { bak: "106653", lei: LEI }], [`106653 ${LEI}`], { no_number: 1 }],
    ["no LEI", [{ bak: "100001" }, { bak: "106653", lei: LEI }], [`106653 ${LEI}`], { no_entry: 1 }],
    [
      "a LEI with wrong check digits, and a number that is none of BaFin's",
      [
        { bak: "100001", lei: `${LEI.slice(0, 18)}00` },
        { bak: "12", lei: OTHER_LEI },
        { bak: "106653", lei: LEI },
      ],
      [`106653 ${LEI}`],
      { not_valid: 2 },
    ],
    [
      "permissions that have all ended: a successor may have the LEI",
      [
        { bak: "100001", lei: LEI, ends: ["01.01.2019", "01.01.2020"] },
        { bak: "106653", lei: LEI },
      ],
      [`106653 ${LEI}`],
      { ended: 1 },
    ],
    [
      "another country",
      [
        { bak: "100001", lei: OTHER_LEI, land: "Frankreich" },
        { bak: "106653", lei: LEI },
      ],
      [`106653 ${LEI}`],
      {},
    ],
    [
      "two numbers with one LEI, and two LEIs with one number: none of them counts",
      [
        ...[
          { bak: "100001", lei: LEI },
          { bak: "100002", lei: LEI },
        ],
        ...[
          { bak: "100003", lei: OTHER_LEI },
          { bak: "100003", lei: THIRD_LEI },
        ],
        { bak: "106653", lei: "549300NROGNBV2T1GS07" },
      ],
      ["106653 549300NROGNBV2T1GS07"],
      { contradicted: 4 },
    ],
  ])("%s", (_, companies, links, leftOut) => {
    expect(read(file(...companies))).toEqual({ links, leftOut });
  });

  test("a link of another source stays where the file contradicts it", () => {
    const other: NumberLink = {
      ...{ country: "DE", number: "PSDDE-BAFIN-200000", kind: "bafin_id", source: "By hand", asOf: DAY },
      target: { kind: "lei", number: LEI },
    };
    const content = file({ bak: "106653", lei: LEI }, { bak: "100001", lei: OTHER_LEI });
    expect(read(content, [other])).toEqual({ links: [`100001 ${OTHER_LEI}`], leftOut: { contradicted: 1 } });
    expect(read(content, [{ ...other, source: "BaFin" }]).leftOut).toEqual({});
  });

  test.each<[string, string, string]>([
    ["without a column", "NAME;BAK NR;LEI;LAND\nA;106653;;", "the file lacks the column ENDE AM"],
    [
      "with nothing to link",
      file({ bak: "106653" }),
      "the file is of BaFin, and no entity in it has two numbers to link",
    ],
  ])("%s is refused", (_, content, problem) => {
    expect(problemsOf(content)).toEqual([problem]);
  });
});

describe("REGAFI's export", () => {
  const [SIREN, OTHER_SIREN] = ["100000009", "200000008"];
  const entity = (cib: unknown, siren: unknown = SIREN) => ({
    ...{ id_referentiel: "1", siren, cib, denomination: "Exemple SA", lei: null, pays: "FRANCE" },
    categorie: ["Établissement de Paiement"],
  });
  const codes = (...list: string[]) => JSON.stringify(list.map((code) => ({ code, date: "2020-01-01" })));
  const file = (...records: unknown[]) => JSON.stringify(records);

  test("links the CIB to the entry with the SIREN", () => {
    expect(readNumbersFile(file(entity(codes("16958"))), [], DAY)).toEqual({
      ok: true,
      links: [
        {
          ...{ country: "FR", number: "PSDFR-ACPR-16958", kind: "cib", source: "REGAFI", asOf: DAY },
          target: { kind: "register_number", number: `PSDFR-ACPR-${SIREN}` },
        },
      ],
      leftOut: NONE,
    });
  });

  const good = entity(codes("16958"));
  test.each<[string, unknown[], object]>([
    ["codes alone", [entity('["16958"]')], {}],
    ["a list that is no text", [entity(["16958"])], {}],
    ["no code: agents have none", [good, entity("[]", OTHER_SIREN), entity(null), entity("")], { no_number: 3 }],
    ["no SIREN", [good, entity(codes("17000"), null)], { no_entry: 1 }],
    ["several codes", [good, entity(codes("17000", "17001"), OTHER_SIREN)], { several_numbers: 1 }],
    ["a SIREN with a wrong digit", [good, entity(codes("17000"), "200000009")], { no_entry: 1 }],
    ["a code of four digits", [good, entity(codes("7788"), OTHER_SIREN)], { not_valid: 1 }],
    [
      "a code of two companies",
      [good, entity(codes("17000"), OTHER_SIREN), entity(codes("17000"), "300000007")],
      { contradicted: 2 },
    ],
  ])("%s", (_, records, leftOut) => {
    expect(read(file(...records))).toEqual({ links: [`16958 ${SIREN}`], leftOut });
  });

  test.each<[string, string, string]>([
    ["a list of something else", file("16958"), "the file has no object as its record 1"],
    ["records of something else", file(good, { siren: SIREN }), "the file has no siren or no cib in its record 2"],
    ["a code that is no text", file(entity([16958])), "the file has a cib in its record 1 that is no list of codes"],
    ["nothing", "[]", "the file has no record"],
    ["no pair", file(entity("[]")), "the file is of REGAFI, and no entity in it has two numbers to link"],
  ])("%s is refused", (_, content, problem) => {
    expect(problemsOf(content)).toEqual([problem]);
  });

  test("does not say its day", () => {
    expect(problemsOf(file(good), null)).toEqual([
      "the file is of REGAFI and does not say its day: say it with --as-of",
    ]);
  });
});
