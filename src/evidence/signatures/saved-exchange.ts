/**
 * Reads a saved request and its answer: JSON, or text as HTTP/1.1 has it and `curl -i` prints it. Signatures are made over
 * bytes, so nothing is put right: what cannot be read exactly is refused with a sentence.
 */

interface SavedRequest {
  readonly method: string;
  /** Absolute; not normalised. */
  readonly url: string;
  readonly headers: readonly Field[];
}

interface SavedAnswer {
  readonly status: number;
  readonly headers: readonly Field[];
  readonly content: Uint8Array;
}

/** A line of a header, with its name in lower case. */
export interface Field {
  readonly name: string;
  readonly value: string;
}

export interface SavedExchange {
  readonly request: SavedRequest;
  readonly answer: SavedAnswer;
}

export type ParsedExchange = ({ readonly ok: true } & SavedExchange) | { readonly ok: false; readonly reason: string };

const FORM =
  'expected is JSON ({"request": {"method", "url", "headers"}, "response": {"status", "headers", "body"}}), or the request\'s line and headers, an empty line, and what curl -i printed';

/** `head`: the request's line and headers, if the file has the answer alone. */
export function parseSavedExchange(file: Uint8Array, head?: Uint8Array): ParsedExchange {
  const text = new TextDecoder("latin1").decode(file);
  if (text.trimStart().startsWith("{")) return parseJson(new TextDecoder().decode(file));
  const first = readLastHead(head === undefined ? file : sentLines(head), 0, TUNNELLED);
  const second = readLastHead(file, head === undefined ? first.end : 0, FOLLOWED);
  const request = parseRequest(first.lines);
  const [, status] = /^HTTP\/[\d.]+ (\d{3})\b/.exec(second.lines[0] ?? "") ?? [];
  if (request === null) return { ok: false, reason: `there is no request such as GET /v1/psp/eidas HTTP/1.1: ${FORM}` };
  if (!isAbsolute(request.url))
    return { ok: false, reason: `${request.url} is not where a request can be sent: ${FORM}` };
  if (status === undefined) return { ok: false, reason: `there is no answer such as HTTP/1.1 200 OK: ${FORM}` };
  const headers = parseFields(second.lines.slice(1));
  return { ok: true, request, answer: { status: Number(status), headers, content: file.subarray(second.end) } };
}

/** What `curl -v` marks as sent, without its marks; the whole text if nothing is marked. */
function sentLines(head: Uint8Array): Uint8Array {
  const marked = new TextDecoder("latin1").decode(head).match(/^> ?.*$/gm);
  return marked ? Buffer.from(marked.map((line) => line.slice(2)).join("\n"), "latin1") : head;
}

/** A request to a proxy, for a tunnel to the service: curl prints it, and its answer, before the ones that count. */
const TUNNELLED = (lines: readonly string[]): boolean => /^CONNECT /.test(lines[0] ?? "");
/** Interim answers (RFC 9110 section 15.2), too, have no content: another head follows. No answer of ours begins so. */
const FOLLOWED = (_: readonly string[], content: string): boolean => /^HTTP\/[\d.]+ \d{3}\b/.test(content);

const PEEKED_BYTES = 16;

/** The first head that is not `passedOver`. */
function readLastHead(
  bytes: Uint8Array,
  from: number,
  passedOver: (lines: readonly string[], content: string) => boolean,
): ReturnType<typeof readHead> {
  const contentOf = ({ end }: { end: number }) =>
    new TextDecoder("latin1").decode(bytes.subarray(end, end + PEEKED_BYTES));
  let head = readHead(bytes, from);
  while (head.end < bytes.length && passedOver(head.lines, contentOf(head))) head = readHead(bytes, head.end);
  return head;
}

/** The lines up to the first empty one, and where the content begins. */
function readHead(bytes: Uint8Array, from: number): { lines: string[]; end: number } {
  const lines: string[] = [];
  let start = from;
  while (start < bytes.length) {
    const feed = bytes.indexOf(10, start);
    const end = feed < 0 ? bytes.length : feed;
    const line = new TextDecoder("latin1").decode(bytes.subarray(start, end)).replace(/\r$/, "");
    start = end + 1;
    if (line === "" && lines.length > 0) break;
    if (line !== "") lines.push(line);
  }
  return { lines, end: Math.min(start, bytes.length) };
}

function parseRequest([line = "", ...rest]: readonly string[]): SavedRequest | null {
  const [, method = "", target = ""] = /^([A-Z]+) (\S+) HTTP\/[\d.]+$/.exec(line) ?? [];
  if (!target) return null;
  const headers = parseFields(rest);
  const host = headers.find(({ name }) => name === "host")?.value ?? "unknown.invalid";
  const url = target.startsWith("/") ? `https://${host}${target}` : target;
  return { method, url, headers };
}

/** RFC 3986 section 3.2, without user names: where its path begins is the same for each that reads it. To `URL`, `\` is a `/`. */
const ABSOLUTE = /^https?:\/\/[\w.~%!$&'()*+,;=:[\]-]+(?:[/?]|$)/i;

const isAbsolute = (url: string): boolean => ABSOLUTE.test(url) && URL.canParse(url);

const parseFields = (lines: readonly string[]): Field[] =>
  lines.flatMap((line) => {
    const [, name, value] = /^([^:\s]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name: name.toLowerCase(), value }];
  });

function parseJson(text: string): ParsedExchange {
  let saved: unknown;
  try {
    saved = JSON.parse(text);
  } catch (error) {
    return { ok: false, reason: `${(error as Error).message}: ${FORM}` };
  }
  const { request, response } = saved as { request?: Partial<JsonRequest>; response?: Partial<JsonAnswer> };
  const { url } = request ?? {};
  if (typeof request?.method !== "string" || typeof url !== "string" || !isAbsolute(url))
    return { ok: false, reason: `request has no method and absolute url: ${FORM}` };
  if (!Number.isInteger(response?.status) || typeof (response?.body ?? "") !== "string")
    return { ok: false, reason: `response has no status, or a body that is no text: ${FORM}` };
  const [sent, answered] = [readFields(request.headers), readFields(response?.headers)];
  if (!sent || !answered) return { ok: false, reason: `headers are no texts by name: ${FORM}` };
  const content = new TextEncoder().encode(response?.body ?? "");
  const answer = { status: Number(response?.status), headers: answered, content };
  return { ok: true, request: { method: request.method, url, headers: sent }, answer };
}

interface JsonRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: unknown;
}
interface JsonAnswer {
  readonly status: number;
  readonly headers: unknown;
  readonly body: string;
}

/** None where there are no headers. Null for what is no object, and where a value is neither a text nor a number. */
function readFields(headers: unknown = {}): Field[] | null {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) return null;
  const fields = Object.entries(headers as Readonly<Record<string, unknown>>);
  if (!fields.every(([, value]) => typeof value === "string" || typeof value === "number")) return null;
  return fields.map(([name, value]) => ({ name: name.toLowerCase(), value: String(value) }));
}
