/** Rows of CSV (RFC 4180, UTF-8) by the columns that the header names. What spreadsheets make of it is read, too. */
import { CsvError, parse } from "csv-parse/sync";
import type { Problem } from "./form-fields.ts";

export type CsvRow<Column extends string> = Readonly<Record<Column, string>>;

/** A problem if it is no CSV, or its header has a column that is not known, or lacks one that is not optional. */
export function readCsvRows<Column extends string>(
  csv: string,
  columns: readonly Column[],
  optional: readonly Column[] = [],
): CsvRow<Column>[] | Problem {
  try {
    const parsed: string[][] = parse(csv, { bom: true, trim: true, delimiter: findDelimiter(csv) });
    // trim leaves blanks inside quotes
    const [header = [], ...cells] = parsed.map((row) => row.map((cell) => cell.trim()));
    const unknown = header.find((name) => !columns.some((column) => column === name));
    if (unknown !== undefined) return problemInRow(1, unknown, `is not one of ${columns.join(", ")}`);
    const missing = columns.find((column) => !header.includes(column) && !optional.includes(column));
    if (missing) return problemInRow(1, missing, "is missing");
    const absent = Object.fromEntries(optional.map((column) => [column, ""]));
    return cells.map((row) => {
      const named = Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""]));
      return { ...absent, ...named } as CsvRow<Column>;
    });
  } catch (error) {
    if (error instanceof CsvError) return { path: [], message: `is not CSV: ${error.message}` };
    throw error;
  }
}

/** No column has one of them in its name. */
const findDelimiter = (csv: string): string => {
  const [header = ""] = csv.split(/\r?\n|\r/, 1);
  return [";", "\t"].find((delimiter) => header.includes(delimiter)) ?? ",";
};

/** The header is row 1. */
export const problemInRow = (row: number, column: string | null, message: string): Problem => ({
  path: [`row ${row}${column ? `, column ${column}` : ""}`],
  message,
});
