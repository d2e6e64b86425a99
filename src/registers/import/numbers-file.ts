/**
 * A file of numbers: which entry of a register the number in a certificate means. CSV or JSON, in the project's own form:
 *
 *     country,authNumber,registerNumber,lei,kind,source,asOf
 *     XX,PSDXX-TEST-900001,PSDXX-TEST-HRB1,,supervisor_number,Test Authority,2026-11-01
 *     XX,PSDXX-TEST-900002,,5493001KJTIIGC8Y1R12,supervisor_number,Test Authority,2026-11-01
 *
 *     { "numbers": [ { "country": "XX", "authNumber": "PSDXX-TEST-900001", "registerNumber": "PSDXX-TEST-HRB1",
 *       "kind": "supervisor_number", "source": "Test Authority", "asOf": "2026-11-01" } ] }
 *
 * - `authNumber`: the authorisation number as certificates have it.
 * - `registerNumber`, or `lei`: the entry, by the authorisation number that the register has, or by its LEI.
 * - `kind`: what the certificate's number is. `source`: who says so. `asOf`: the day on which it was so.
 *
 * The rules are in src/registers/number-links.ts. A file with one row that they refuse is refused, with each such row. Files of
 * two national registers are read as well (src/registers/import/bafin-numbers.ts, regafi-numbers.ts).
 */
import * as z from "zod";
import { findClashes, findFault, type LinkClash, type NumberLink, normaliseLink } from "../number-links.ts";
import { NUMBER_KINDS, RULE_SOURCE } from "../psp-record.ts";
import { BAFIN, isBafinFile, readBafinFile } from "./bafin-numbers.ts";
import { problemInRow, readCsvRows } from "./csv-rows.ts";
import { country, oneOf, type Problem, parseJson, problemsOf, shown, text } from "./form-fields.ts";
import { type LeftOut, linkNumbers, type NationalEntity, type NationalRegister } from "./national-numbers.ts";
import { REGAFI, readRegafiFile } from "./regafi-numbers.ts";

export type NumbersFile =
  /** `leftOut`: of a national register. */
  | { readonly ok: true; readonly links: readonly NumberLink[]; readonly leftOut?: LeftOut }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Twenty times the PSPs of Europe. */
const MAX_LINKS = 100_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;

const COLUMNS = ["country", "authNumber", "registerNumber", "lei", "kind", "source", "asOf"] as const;
const OPTIONAL = ["registerNumber", "lei"] as const;
type Column = (typeof COLUMNS)[number];

const number = z.strictObject({
  country,
  authNumber: text(128),
  registerNumber: text(128).optional(),
  lei: text(20).optional(),
  kind: oneOf(NUMBER_KINDS, "a kind of number"),
  source: text(64)
    .regex(/^\P{C}+$/u, { error: "has a character that cannot be printed" })
    .refine((name) => name !== RULE_SOURCE, { error: `is "${RULE_SOURCE}", which this service's own rules have` }),
  asOf: z.iso.date({ error: ({ input }) => `${shown(input)} is not a day such as 2026-11-01` }),
});

const form = z.strictObject({
  numbers: z
    .array(z.unknown())
    .min(1, { error: "is empty" })
    .max(MAX_LINKS, { error: `has more than ${MAX_LINKS} numbers` }),
});

/** Where a field of a number stands in the file. */
type PlaceOf = (index: number, field: Column | null, message: string) => Problem;

const inJson: PlaceOf = (index, field, message) => ({
  path: ["numbers", index, ...(field === null ? [] : [field])],
  message,
});
const inCsv: PlaceOf = (index, field, message) => problemInRow(index + 2, field, message);

/**
 * Reads a file of any form. `others`: the links that are stored. Those that the file replaces do not count. `asOf`: YYYY-MM-DD,
 * the day of a national register's file, which does not say its own; null: not said. Does not throw.
 */
export function readNumbersFile(
  content: string,
  others: readonly NumberLink[],
  asOf: string | null = null,
): NumbersFile {
  if (content.length > MAX_CHARACTERS)
    return refuse({ path: [], message: `has more than ${MAX_CHARACTERS} characters` });
  if (isBafinFile(content)) return readNational(readBafinFile(content), BAFIN, others, asOf);
  return /^\uFEFF?\s*[{[]/.test(content) ? readJson(content, others, asOf) : readCsv(content, others);
}

function readJson(content: string, others: readonly NumberLink[], asOf: string | null): NumbersFile {
  const parsed = parseJson(content);
  if (!parsed.ok) return refuse(parsed.problem);
  if (Array.isArray(parsed.value)) return readNational(readRegafiFile(parsed.value), REGAFI, others, asOf);
  const file = form.safeParse(parsed.value);
  return file.success ? readNumbers(file.data.numbers, inJson, others) : refuse(...problemsOf(file.error));
}

/** `entities`: a message if the file is none of the register's. */
function readNational(
  entities: NationalEntity[] | string,
  register: NationalRegister,
  others: readonly NumberLink[],
  asOf: string | null,
): NumbersFile {
  if (typeof entities === "string") return refuse({ path: [], message: entities });
  if (entities.length > MAX_LINKS) return refuse({ path: [], message: `has more than ${MAX_LINKS} entities` });
  if (asOf === null)
    return refuse({ path: [], message: `is of ${register.source} and does not say its day: say it with --as-of` });
  const replaced = pairOf(register);
  const kept = others.filter((other) => pairOf(other) !== replaced);
  const { links, leftOut } = linkNumbers(entities, register, asOf, kept);
  if (links.length === 0)
    return refuse({ path: [], message: `is of ${register.source}, and no entity in it has two numbers to link` });
  return { ok: true, links, leftOut };
}

function readCsv(content: string, others: readonly NumberLink[]): NumbersFile {
  const rows = readCsvRows(content, COLUMNS, OPTIONAL);
  if (!Array.isArray(rows)) return refuse(rows);
  if (rows.length === 0) return refuse(problemInRow(1, null, "no number follows the header"));
  if (rows.length > MAX_LINKS) return refuse({ path: [], message: `has more than ${MAX_LINKS} numbers` });
  const given = rows.map(({ registerNumber, lei, ...row }) => ({
    ...row,
    ...(registerNumber !== "" && { registerNumber }),
    ...(lei !== "" && { lei }),
  }));
  return readNumbers(given, inCsv, others);
}

const refuse = (...problems: Problem[]): NumbersFile => ({ ok: false, problems });

function readNumbers(given: readonly unknown[], placeOf: PlaceOf, others: readonly NumberLink[]): NumbersFile {
  const read = given.map((one, i) => readNumber(one, i, placeOf));
  const problems = read.flatMap((one) => ("problems" in one ? one.problems : []));
  if (problems.length > 0) return refuse(...problems);
  const links = read.flatMap((one) => ("link" in one ? [one.link] : []));
  const indexOf = new Map(links.map((link, i) => [link, i]));
  const replaced = new Set(links.map(pairOf));
  const clashes = findClashes(
    links,
    others.filter((other) => !replaced.has(pairOf(other))),
  );
  const clashing = clashes.map((clash): Problem => {
    const place = indexOf.get(clash.other);
    const where = place === undefined ? `the source ${clash.other.source}` : describePlace(placeOf(place, null, ""));
    return placeOf(indexOf.get(clash.link) ?? 0, "authNumber", explainClash(clash, where));
  });
  return clashing.length > 0 ? refuse(...clashing) : { ok: true, links };
}

/** What one file replaces as a whole. */
const pairOf = ({ country, source }: Pick<NumberLink, "country" | "source">): string => `${country} ${source}`;

const describePlace = ({ path }: Problem): string =>
  path.map((step) => (typeof step === "number" ? `[${step}]` : step)).join("");

type ReadNumber = { readonly link: NumberLink } | { readonly problems: readonly Problem[] };

function readNumber(given: unknown, index: number, placeOf: PlaceOf): ReadNumber {
  const parsed = number.safeParse(given);
  if (!parsed.success)
    return {
      problems: problemsOf(parsed.error).map(({ path: [field], message }) =>
        placeOf(index, COLUMNS.find((column) => column === field) ?? null, message),
      ),
    };
  const { authNumber, registerNumber, lei, ...rest } = parsed.data;
  if ((registerNumber === undefined) === (lei === undefined))
    return { problems: [placeOf(index, "registerNumber", "is the entry, or lei is: exactly one of them is given")] };
  const target =
    lei === undefined
      ? ({ kind: "register_number", number: registerNumber ?? "" } as const)
      : ({ kind: "lei", number: lei.toUpperCase() } as const);
  const link: NumberLink = { ...rest, number: authNumber, target };
  const fault = findFault(link);
  if (fault === null) return { link: normaliseLink(link) };
  const fields = { number: "authNumber", target: lei === undefined ? "registerNumber" : "lei", kind: "kind" } as const;
  return { problems: [placeOf(index, fields[fault.field], fault.message)] };
}

function explainClash({ link, other, why }: LinkClash, where: string): string {
  switch (why) {
    case "again":
      return `${link.number} is said again: ${where} says the same`;
    case "second-of-kind":
      return `${link.number} is a second ${link.kind} of ${link.target.number}: ${where} says ${other.number}`;
    case "chain":
      return `${link.number} leads to ${link.target.number}, and ${where} leads from one of them to another: a link leads to an entry`;
  }
}
