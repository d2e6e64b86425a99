/**
 * The project's own register format as CSV (RFC 4180, UTF-8, header in the first row): one row for each PSP and
 * category, in the register's order. fixtures/register-example.csv is one.
 *
 *     country,ncaId,ncaName,published,source,authNumber,agent,category,legalName,status,services,passportOut,passportIn
 *     XX,XX-TEST,Test Authority,2026-11-01T00:00:00Z,nca,PSDXX-TEST-000001,,AISP,Example Ltd,Registered,8,XY:8;XZ:8,
 *
 * - `country` to `source` describe the file and are the same in every row. An empty `source` means nca. So do `lacks` and
 *   `whole`, which a file need not have: their values are separated by `;` or `|`.
 * - `authNumber`, `category` and the other columns have the same meaning as in the JSON format (own-form.ts).
 * - `agent`: true or false; empty means false. `category`, `status`: empty if the register does not document them.
 * - `services`: numbers separated by blanks. `passportOut`: country, `:`, services; countries are separated by `;` or
 *   `|`.
 * - `passportIn`: the home country of a foreign PSP, or `unknown`; empty for a domestic PSP.
 *
 * Cells may be separated by `;` or tabs instead, as spreadsheets write them; the header decides. `passportOut` with `;` is
 * then in quotes, or has `|`. Blanks around a value do not count. The columns may be in any order. Problems are reported with row and column; the header is row 1.
 */
import { problemInRow as problem, readCsvRows } from "./csv-rows.ts";
import type { Problem } from "./form-fields.ts";
import { type RegisterFile, readRegisterValue } from "./own-form.ts";

const FILE_COLUMNS = ["country", "ncaId", "ncaName", "published", "source"] as const;
const OPTIONAL = ["lacks", "whole"] as const;
const PSP_COLUMNS = ["authNumber", "agent"] as const;
const CATEGORY_COLUMNS = ["category", "legalName", "status", "services", "passportOut", "passportIn"] as const;
const COLUMNS = [...FILE_COLUMNS, ...PSP_COLUMNS, ...CATEGORY_COLUMNS, ...OPTIONAL] as const;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** Reads a register in the CSV format. Does not throw. */
export function readRegisterCsv(csv: string): RegisterFile {
  const rows = readCsvRows(csv, COLUMNS, OPTIONAL);
  if (!Array.isArray(rows)) return { ok: false, problems: [rows] };
  const [first] = rows;
  if (!first) return { ok: false, problems: [problem(1, null, "no PSP follows the header")] };

  const psps = [...Map.groupBy(rows.keys(), (i) => rows[i]?.authNumber ?? "").values()];
  const starts = new Map(psps.flatMap(([start = 0, ...more]) => more.map((i) => [i, start] as const)));
  const contradictions = rows.flatMap((row, i) => {
    const start = starts.get(i) ?? i;
    return [
      ...contradiction([...FILE_COLUMNS, ...OPTIONAL], row, i, first, 0),
      ...contradiction(["agent"], row, i, rows[start] ?? row, start),
    ];
  });
  if (contradictions.length > 0) return { ok: false, problems: contradictions };

  const file = readRegisterValue({
    ...{ country: first.country, ncaId: first.ncaId, ncaName: first.ncaName, published: first.published },
    ...(first.source !== "" && { source: first.source }),
    ...{ lacks: listOf(first.lacks), whole: listOf(first.whole) },
    psps: psps.map(([start = 0, ...more]) => ({
      authNumber: rows[start]?.authNumber,
      agent: { true: true, false: false, "": false }[rows[start]?.agent ?? ""] ?? rows[start]?.agent,
      categories: [start, ...more].map((i) => categoryOf(rows[i] ?? first)),
    })),
  });
  return file.ok ? file : { ok: false, problems: file.problems.map((found) => inCsv(found, psps)) };
}

const listOf = (text: string): string[] =>
  text
    .split(/[;|]/)
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** The columns that should be the same in both rows and differ. */
function contradiction(columns: readonly (keyof Row)[], row: Row, at: number, other: Row, otherAt: number): Problem[] {
  return columns
    .filter((column) => row[column] !== other[column])
    .map((column) => problem(at + 2, column, `"${row[column]}" is not "${other[column]}", as row ${otherAt + 2} says`));
}

const categoryOf = (row: Row) => ({
  category: row.category || null,
  legalName: row.legalName,
  status: row.status || null,
  ...servicesOf(row, row.services),
  passportOut: row.passportOut.split(/[;|]/).flatMap((passport) => {
    const [country = "", services = ""] = passport.split(":");
    return passport.trim() === "" ? [] : [{ country: country.trim(), ...servicesOf(row, services) }];
  }),
  ...(row.passportIn !== "" && { passportIn: row.passportIn === "unknown" ? null : row.passportIn }),
});

/** None at all are all eight of a credit institution, or none that the register publishes. */
const servicesOf = ({ category, lacks }: Row, text: string) =>
  text.trim() === "" && (category === "Credit Institution" || listOf(lacks).includes("services"))
    ? {}
    : { services: numbers(text) };

/** Words that are not numbers are kept as text, so that the schema reports them. */
const numbers = (text: string): (number | string)[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => (/^\d+$/.test(word) ? Number(word) : word));

/** Maps a problem in the JSON format to the row and column from which the value came. */
function inCsv({ path, message }: Problem, psps: readonly (readonly number[])[]): Problem {
  const [, i, field, j, categoryField] = path;
  if (typeof i !== "number") return problem(2, String(path[0] ?? ""), message);
  const rows = psps[i] ?? [];
  return typeof j === "number"
    ? problem((rows[j] ?? 0) + 2, String(categoryField ?? ""), message)
    : problem((rows[0] ?? 0) + 2, String(field ?? ""), message);
}
