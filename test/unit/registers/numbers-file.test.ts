import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeProblem } from "../../../src/registers/import/form-fields.ts";
import { readNumbersFile } from "../../../src/registers/import/numbers-file.ts";
import type { NumberLink } from "../../../src/registers/number-links.ts";

const EXAMPLE = readFileSync(join(import.meta.dirname, "../../../fixtures/numbers-example.csv"), "utf8");
const HEADER = "country,authNumber,registerNumber,lei,kind,source,asOf";
const ROW = "DE,PSDDE-BAFIN-106653,PSDDE-BAFIN-HRB1,,bafin_id,A file,2026-11-01";
const LEI_ROW = "DE,PSDDE-BAFIN-106654,,391200glbafg69qgnt85,bafin_id,A file,2026-11-01";
const LINKS: NumberLink[] = [
  {
    ...{ country: "DE", number: "PSDDE-BAFIN-106653", kind: "bafin_id", source: "A file", asOf: "2026-11-01" },
    target: { kind: "register_number", number: "PSDDE-BAFIN-HRB1" },
  },
  {
    ...{ country: "DE", number: "PSDDE-BAFIN-106654", kind: "bafin_id", source: "A file", asOf: "2026-11-01" },
    target: { kind: "lei", number: "391200GLBAFG69QGNT85" },
  },
];
const inJson = ([first, second] = LINKS) => ({
  numbers: [
    { ...named(first), registerNumber: "PSDDE-BAFIN-HRB1" },
    { ...named(second), lei: "391200GLBAFG69QGNT85" },
  ],
});
const named = (link: NumberLink | undefined) => {
  const { target: _, number: authNumber, ...rest } = link ?? { target: null, number: "" };
  return { ...rest, authNumber };
};

const problemsOf = (content: string, others: readonly NumberLink[] = []): string[] => {
  const file = readNumbersFile(content, others);
  return file.ok ? [] : file.problems.map(describeProblem);
};

test.each<[string, string]>([
  ["CSV", `${HEADER}\n${ROW}\n${LEI_ROW}\n`],
  ["CSV as a spreadsheet writes it", `\uFEFF${HEADER}\r\n${ROW}\r\n${LEI_ROW}\r\n`.replaceAll(",", ";")],
  ["JSON", JSON.stringify(inJson())],
])("%s", (_, content) => {
  expect(readNumbersFile(content, [])).toEqual({ ok: true, links: LINKS });
});

test("a column for LEIs alone, or for register numbers alone, is enough", () => {
  const without = (column: number, text: string) => text.split(",").toSpliced(column, 1).join(",");
  expect(readNumbersFile(`${without(3, HEADER)}\n${without(3, ROW)}`, [])).toEqual({ ok: true, links: [LINKS[0]] });
  expect(readNumbersFile(`${without(2, HEADER)}\n${without(2, LEI_ROW)}`, [])).toEqual({ ok: true, links: [LINKS[1]] });
});

test("the example in the repository is read", () => {
  expect(readNumbersFile(EXAMPLE, [])).toMatchObject({ ok: true, links: { length: 3 } });
});

test.each<[string, string, string]>([
  ["no row", HEADER, "row 1: no number follows the header"],
  [
    "a column that is not known",
    `${HEADER},name\n${ROW},x`,
    `row 1, column name: is not one of ${HEADER.replaceAll(",", ", ")}`,
  ],
  ["no column", "country,authNumber", "row 1, column kind: is missing"],
  ["no CSV", `${HEADER}\n"`, "the file is not CSV"],
  [
    "a country",
    `${HEADER}\n${ROW}\n${ROW.replace("DE,", "D,")}`,
    'row 3, column country: "D" is not a two-letter country',
  ],
  ["a kind", `${HEADER}\n${ROW.replace("bafin_id", "name")}`, 'row 2, column kind: "name" is not a kind of number'],
  [
    "a day",
    `${HEADER}\n${ROW.replace("11-01", "02-30")}`,
    'row 2, column asOf: "2026-02-30" is not a day such as 2026-11-01',
  ],
  ["no source", `${HEADER}\n${ROW.replace("A file", "")}`, "row 2, column source: is empty"],
  ["our own source", `${HEADER}\n${ROW.replace("A file", "rule")}`, 'row 2, column source: is "rule"'],
  [
    "a source of two lines",
    `${HEADER}\n${ROW.replace("A file", '"A\nfile"')}`,
    "row 2, column source: has a character that cannot be printed",
  ],
  [
    "neither target",
    `${HEADER}\n${ROW.replace("PSDDE-BAFIN-HRB1", "")}`,
    "row 2, column registerNumber: is the entry, or lei is",
  ],
  [
    "both targets",
    `${HEADER}\n${ROW.replace(",,", ",391200GLBAFG69QGNT85,")}`,
    "row 2, column registerNumber: is the entry, or lei is",
  ],
  [
    "a number with a wrong form",
    `${HEADER}\n${ROW.replace("106653", "A")}`,
    "row 2, column authNumber: A is not a number of BaFin's",
  ],
  [
    "an entry of another country",
    `${HEADER}\n${ROW.replace("DE-BAFIN-HRB1", "FR-ACPR-1")}`,
    "row 2, column registerNumber: PSDFR-ACPR-1 is of FR",
  ],
  [
    "a LEI with a wrong digit",
    `${HEADER}\n${LEI_ROW.replace("85", "86")}`,
    "row 2, column lei: 391200GLBAFG69QGNT86 is not a LEI",
  ],
  [
    "said twice",
    `${HEADER}\n${ROW}\n${ROW}`,
    "row 3, column authNumber: PSDDE-BAFIN-106653 is said again: row 2 says the same",
  ],
  [
    "a second of a kind",
    `${HEADER}\n${ROW}\n${ROW.replace("106653", "106654")}`,
    "row 3, column authNumber: PSDDE-BAFIN-106654 is a second bafin_id of PSDDE-BAFIN-HRB1: row 2 says PSDDE-BAFIN-106653",
  ],
  ["no JSON", "{", "the file is not JSON"],
  ["another JSON", "[]", "the file has no record"],
  ["JSON with a field too many", JSON.stringify({ ...inJson(), more: 1 }), 'the file Unrecognized key: "more"'],
  ["JSON without numbers", '{"numbers": []}', "numbers: is empty"],
  ["JSON of something else", '{"numbers": [1]}', "numbers[0]: Invalid input"],
])("refused: %s", (_, content, expected) => {
  expect(problemsOf(content)[0]).toContain(expected);
});

test("what another source says counts, and what the file replaces does not", () => {
  const other = LINKS.slice(0, 1).map((link) => ({ ...link, number: "PSDDE-BAFIN-999999" }));
  const elsewhere = other.map((link) => ({ ...link, source: "Another file" }));
  expect(problemsOf(`${HEADER}\n${ROW}`, other)).toEqual([]);
  expect(problemsOf(`${HEADER}\n${ROW}`, elsewhere)).toEqual([
    "row 2, column authNumber: PSDDE-BAFIN-106653 is a second bafin_id of PSDDE-BAFIN-HRB1: the source Another file says PSDDE-BAFIN-999999",
  ]);
});

test("a file with more numbers than are read is refused", () => {
  const rows = Array.from({ length: 100_001 }, () => "a,b,c,d,e,f,g").join("\n");
  expect(problemsOf(`${HEADER}\n${rows}`)).toEqual(["the file has more than 100000 numbers"]);
  expect(problemsOf("x".repeat(32 * 1024 * 1024 + 1))).toEqual(["the file has more than 33554432 characters"]);
});
