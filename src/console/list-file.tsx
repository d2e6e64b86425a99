/**
 * The lists of pages as files: CSV (RFC 4180) or JSON lines, by the page's own address with its filters and `as`. A file
 * is streamed part by part. A store that fails in the middle breaks the answer off: no part looks like the whole.
 */
import { baseUrl } from "../http/errors/errors.ts";
import { nameEndpoint } from "../http/middleware/ledger.ts";
import type { FinancialInstitution } from "../institutions/financial-institutions.ts";
import { nameDay } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import { StoreError } from "../platform/stores.ts";
import { recordAct } from "./act.ts";
import { PageProblem, type Reader, signatureOf, type Visit } from "./page.ts";

/** Records of a file; the last line has the address of the rest. */
export const MAX_RECORDS = 100_000;
/** What a list reads at once. */
export const PART_RECORDS = 500;
/** A list may look long for few records, and a request has a limit of calls to stores. */
export const MAX_PARTS = 400;

export type Query = Readonly<Record<string, string>>;

/** By the name of the column, in their order. */
type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | null | undefined>>;

/** Columns of members that are written as they are, by their own names. */
export const members = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(
    names.map((name) => [name, (row: Readonly<Partial<Record<Name, string | number | null>>>) => row[name]]),
  );

/** As a file has it. */
export const writeInstant = (time: Instant | null): string | null =>
  time === null ? null : new Date(time).toISOString();

/** A number after which a list goes on, from an address; null: from the newest on. */
export const readPosition = (text = ""): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);

interface ListPart<Row> {
  readonly rows: readonly Row[];
  /** What of this part cannot be read, in sentences: each is a line of the file. */
  readonly notes?: readonly string[];
  /** The parameters by which the address goes on; null: it was the last part. */
  readonly next: Query | null;
}

export interface ListFile<Row> {
  /** Of the file, such as `evidence`. */
  readonly name: string;
  readonly columns: Columns<Row>;
  /** The part that an address of the page begins with. Throws StoreError. */
  readonly read: (query: Query) => Promise<ListPart<Row>>;
}

const FORMATS = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/jsonl; charset=utf-8",
} as const;
export type Format = keyof typeof FORMATS;

/** The file that the address asks for; null: the page. */
export const readFormat = ({ as = "" }: Query): Format | null => (Object.hasOwn(FORMATS, as) ? (as as Format) : null);

/** By it spreadsheets know UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";
/** What a spreadsheet would take for a formula, and carry out; in much of Europe a cell ends with a semicolon. */
const FORMULA = /(^|[;\t])(?=[=+\-@\t\r])/g;

const writeField = (value: string | number): string => {
  const text = typeof value === "string" ? value.replace(FORMULA, "$1'") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A line of CSV. Each has a field for each column. */
export const writeCsvLine = (values: readonly (string | number | null | undefined)[]): string =>
  `${values.map((value) => writeField(value ?? "")).join(",")}\r\n`;

/** The texts of a file, one for each part. `address`: of the page with these parameters. Throws StoreError. */
export async function* writeList<Row>(
  { columns, read }: ListFile<Row>,
  format: Format,
  query: Query,
  address: (query: Query) => string,
): AsyncGenerator<string, void> {
  const names = Object.keys(columns);
  const isCsv = format === "csv";
  const writeRow = (row: Row): string => {
    const values = names.map((name) => columns[name]?.(row) ?? null);
    return isCsv
      ? writeCsvLine(values)
      : `${JSON.stringify(Object.fromEntries(names.map((n, i) => [n, values[i]])))}\n`;
  };
  const writeNote = (name: string, text: string): string =>
    isCsv ? writeCsvLine(names.map((_, i) => (i === 0 ? text : ""))) : `${JSON.stringify({ [name]: text })}\n`;
  let head = isCsv ? BYTE_ORDER_MARK + writeCsvLine(names) : "";
  let position = query;
  for (let [parts, records] = [1, 0]; ; parts++) {
    const { rows, notes = [], next } = await read(position);
    records += rows.length;
    const isFull = records >= MAX_RECORDS || parts >= MAX_PARTS;
    position = { ...query, ...next };
    const rest = next !== null && isFull ? address({ ...position, as: format }) : null;
    const more = rest === null ? "" : writeNote("next", isCsv ? `The list goes on at ${rest}` : rest);
    yield head + rows.map(writeRow).join("") + notes.map((note) => writeNote("note", note)).join("") + more;
    if (next === null || isFull) return;
    head = "";
  }
}

/** Answers with the list as a file, from where the request's address begins. As {@link sendFile}. */
export async function sendList<Row>(
  visit: Visit<Reader>,
  fi: FinancialInstitution | null,
  list: ListFile<Row>,
  format: Format,
): Promise<Response> {
  const { as: _, ...query } = visit.c.req.query();
  const address = (parameters: Query): string => addressOf(visit, parameters);
  const parts = writeList(list, format, query, address);
  return await sendFile(visit, fi, { name: list.name, extension: format, type: FORMATS[format], parts });
}

/**
 * The page's whole address with these parameters, as a file names it. An account that was searched for is not in it: a file
 * has accounts as tags, and may go to an auditor. Who goes on puts the id into its place; as it is, it finds nothing.
 */
export function addressOf({ c, href }: Visit<Reader>, parameters: Query): string {
  const shown = { ...parameters, ...(parameters["account"] && { account: "ACCOUNT_ID" }) };
  return new URL(href(`${c.req.path}?${new URLSearchParams(shown)}`), baseUrl(c.env.BASE_URL, c.req.url)).href;
}

interface SentFile {
  readonly name: string;
  readonly extension: string;
  readonly type: string;
  readonly parts: AsyncGenerator<string | Uint8Array, void>;
}

/**
 * Answers with a file. The export is recorded in the ledger of `fi` before anything leaves; null: the list is of no
 * institution, and the log has a line. Throws {@link PageProblem} where that record is required and may not be kept, and what
 * reading the first part throws.
 */
export async function sendFile(
  { c, now, reader }: Visit<Reader>,
  fi: FinancialInstitution | null,
  { name, extension, type, parts }: SentFile,
): Promise<Response> {
  const first = await parts.next();
  const endpoint = nameEndpoint({ method: "GET", path: c.get("endpoint")?.path ?? c.req.path });
  const who = signatureOf(reader);
  if (fi === null)
    console.log(JSON.stringify({ event: "list_exported", request_id: c.var.requestId, endpoint, ...who }));
  else if (!(await recordAct(c, fi, { event: "evidence.export", endpoint, status: 200, ...who }))) throw notRecorded();
  return c.body(streamParts(parts, first, c.var.requestId), 200, {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${name}-${nameDay(now)}.${extension}"`,
    ...(fi && { "x-evidence-id": c.get("evidenceId") }),
  });
}

function streamParts(
  parts: AsyncGenerator<string | Uint8Array, void>,
  first: IteratorResult<string | Uint8Array, void>,
  requestId: string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let part: IteratorResult<string | Uint8Array, void> | null = first;
  return new ReadableStream({
    async pull(controller) {
      try {
        part ??= await parts.next();
      } catch (error) {
        const store = error instanceof StoreError ? error.message : String(error);
        console.error(JSON.stringify({ event: "list_broken_off", request_id: requestId, error: store }));
        throw error;
      }
      if (part.done) return controller.close();
      controller.enqueue(typeof part.value === "string" ? encoder.encode(part.value) : part.value);
      part = null;
    },
    async cancel() {
      await parts.return();
    },
  });
}

/** Of an institution that requires its records. */
export const notRecorded = (): PageProblem =>
  new PageProblem({
    status: 503,
    code: "temporarily_unavailable",
    heading: "Not sent: it could not be recorded",
    text: "Your institution requires that each export is recorded, and this one could not be now. Nothing was sent. Repeat it in a minute.",
  });

interface AsFileProps {
  /** The list's address with its filters and these parameters. */
  readonly link: (parameters: Query) => string;
  /** What the list is of, such as `records`. */
  readonly what: string;
  /** The list has more than the page. */
  readonly goesOn?: boolean;
}

/** Links to the list as a file. */
export const AsFile = ({ link, what, goesOn = false }: AsFileProps) => (
  <p class="muted small">
    All of these {what} as a file:{" "}
    <a href={link({ as: "csv" })}>
      CSV<span class="out"> of {what}</span>
    </a>{" "}
    or{" "}
    <a href={link({ as: "jsonl" })}>
      JSON lines<span class="out"> of {what}</span>
    </a>
    .{goesOn && ` After ${MAX_RECORDS.toLocaleString("en")} the last line has the address of the rest.`}
  </p>
);
