/**
 * The export of BaFin's database of companies (CSV with `;`), which an operator downloads in a browser: its site asks robots
 * to stay away. One row for each permission: the first of a company has its name and numbers, the others have the permission
 * alone. German certificates have the BAK number, and the EBA's registers know the company by its LEI.
 *
 *     NAME;BAK NR;REG NR;BAFIN-ID;LEI;...;LAND;...;ERTEILUNGSDATUM;ENDE AM;ENDEGRUND
 *
 * Only columns with names in ASCII are read, as the file's encoding is not known. The form is as others describe it: no file
 * of BaFin's was at hand.
 */
import { CsvError, parse } from "csv-parse/sync";
import type { NationalEntity, NationalRegister } from "./national-numbers.ts";

export const BAFIN: NationalRegister = { country: "DE", source: "BaFin", kind: "bafin_id" };

const COLUMNS = ["NAME", "BAK NR", "LEI", "LAND", "ENDE AM"] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** By its header alone. */
export const isBafinFile = (content: string): boolean =>
  (content.split(/\r?\n|\r/, 1)[0] ?? "").split(";").some((name) => name.replaceAll('"', "").trim() === "BAK NR");

/** A message to follow "the file" if it cannot be read. Companies of other countries are none of its. */
export function readBafinFile(content: string): NationalEntity[] | string {
  const rows = readRows(content);
  if (typeof rows === "string") return rows;
  const companies: Row[][] = [];
  for (const row of rows) {
    if (row.NAME !== "") companies.push([row]);
    else companies.at(-1)?.push(row);
  }
  return companies.flatMap(([first, ...more]) =>
    first && first.LAND === "Deutschland" ? [toEntity(first, [first, ...more])] : [],
  );
}

function readRows(content: string): Row[] | string {
  let cells: string[][];
  try {
    const lenient = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
    cells = parse(content, { bom: true, delimiter: ";", trim: true, ...lenient });
  } catch (error) {
    if (error instanceof CsvError) return `is not CSV: ${error.message}`;
    throw error;
  }
  const [header = [], ...rows] = cells;
  const missing = COLUMNS.find((column) => !header.includes(column));
  if (missing !== undefined) return `lacks the column ${missing}`;
  const at = COLUMNS.map((column) => [column, header.indexOf(column)] as const);
  return rows.map((row) => Object.fromEntries(at.map(([column, i]) => [column, (row[i] ?? "").trim()])) as Row);
}

function toEntity(first: Row, permissions: readonly Row[]): NationalEntity {
  const number = readBakNumber(first["BAK NR"]);
  return {
    numbers: number === "" ? [] : [`PSDDE-BAFIN-${number}`],
    target: first.LEI === "" ? null : { kind: "lei", number: first.LEI.toUpperCase() },
    ended: permissions.every((row) => row["ENDE AM"] !== ""),
  };
}

/** `149489`, or after a number of another register: `1302032/BAKNR:148509`. */
const readBakNumber = (text: string): string => text.slice(text.lastIndexOf(":") + 1).trim();
