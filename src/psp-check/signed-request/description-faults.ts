/** What is wrong with a bank's description of a request: which part, where, what was expected. Phrases that follow the member's name. */
import { fromBase64 } from "../../platform/encoding.ts";
import { quote, quoteAlways } from "../../platform/quotation.ts";
import { HEADER_NAME, HEADER_VALUE, readBodyDigest } from "./described-request.ts";
import { DIGEST_BYTES } from "./request.ts";

/** `at`: from 0. */
const nameCharacter = (text: string, at: number): string => {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return `its character ${at + 1} is ${character === " " ? "a blank" : quoteAlways(character)}`;
};

/** Of a text that `METHOD` refuses. */
export function explainMethod(given: string): string {
  const at = given.search(/[^!#$%&'*+.^_`|~\w-]/);
  const part = given === "" ? "it is empty" : at < 0 ? `it has ${given.length} characters` : nameCharacter(given, at);
  return `is not a method of HTTP: ${part}; expected is the first word of the request, of 1 to 32 characters`;
}

/** Of a text that `TARGET` refuses. */
export function explainTarget(given: string): string {
  return `is neither a path with its query nor an address with https: ${findTargetFault(given)}`;
}

function findTargetFault(given: string): string {
  const [origin = "", host = ""] = /^https?:\/\/([^/?]*)/i.exec(given) ?? [];
  if (given === "") return "it is empty; the path of a host alone is /";
  if (origin === "" && !given.startsWith("/")) return `it begins with ${quoteAlways(given, 8)}, not with / or https://`;
  if (origin !== "" && host === "") return "no host follows the scheme";
  const at = given.search(/[^\x21\x22\x24-\x7e]/);
  if (at >= 0)
    return `${nameCharacter(given, at)}; ${given[at] === "#" ? "a fragment is never sent" : "send it percent-encoded, as it was received"}`;
  return host.includes("@") ? "it has a user's name before the host" : `its host is ${quoteAlways(host)}`;
}

/** Of what is no object of headers; null if it is one. A name that is no token is not quoted: it may be anything. */
export function explainHeaders(given: unknown): string | null {
  const fault = findHeadersFault(given);
  return fault && `is not an object of names of headers and their values: ${fault}`;
}

function findHeadersFault(given: unknown): string | null {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return `it is ${nameKind(given)}`;
  for (const [place, [name, values]] of Object.entries(given).entries()) {
    if (!HEADER_NAME.test(name)) {
      const at = name.search(/[^!#$%&'*+.^_`|~\w-]/);
      const why = name === "" ? "it is empty" : at < 0 ? `it has ${name.length} characters` : nameCharacter(name, at);
      return `the name of member ${place + 1} is no header's: ${why}`;
    }
    const listed: unknown[] = [values].flat();
    const odd = listed.findIndex((value) => typeof value !== "string" || !HEADER_VALUE.test(value));
    if (odd < 0) continue;
    const value = listed[odd];
    const which = Array.isArray(values) ? `value ${odd + 1} of ${quote(name)}` : `the value of ${quote(name)}`;
    return `${which} ${typeof value === "string" ? explainValue(value) : `is ${nameKind(value)}, not a string`}`;
  }
  return null;
}

const explainValue = (value: string): string =>
  /[\r\n]/.test(value)
    ? "has a line break, which would begin another header"
    : `has a control character: ${nameCharacter(value, value.search(/(?!\t)\p{Cc}/u))}`;

const nameKind = (given: unknown): string =>
  given === null
    ? "null"
    : Array.isArray(given)
      ? "a list"
      : typeof given === "object"
        ? "an object"
        : `a ${typeof given}`;

/** Of what `readBodyDigest` refuses; null if it reads it. */
export function explainBodyDigest(given: string): string | null {
  return readBodyDigest(given) === null ? `has no sha-256 and no sha-512: ${findDigestFault(given)}` : null;
}

const DIGEST_FORM = "expected is sha-256=:base64: or SHA-256=base64";

function findDigestFault(given: string): string {
  if (/^(?:[\w-]+[=:]+)?(?:[0-9a-f]{64}|[0-9a-f]{128}):?$/i.test(given)) return `it is hexadecimal; ${DIGEST_FORM}`;
  const entries = given.split(",").map((part) => /^\s*([\w-]{1,32})=(:?)([\w+/-]*=*)\2\s*$/.exec(part));
  if (entries.includes(null)) return DIGEST_FORM;
  const names = entries.map((entry) => (entry?.[1] ?? "").toLowerCase());
  for (const [name, bytes] of Object.entries(DIGEST_BYTES)) {
    const at = names.indexOf(name);
    if (at < 0) continue;
    if (names.lastIndexOf(name) > at) return `${name} is there twice`;
    const read = fromBase64(entries[at]?.[3] ?? "");
    if (read?.length !== bytes)
      return read ? `its ${name} has ${read.length} bytes, not ${bytes}` : `its ${name} is no base64`;
  }
  const known = names.some((name) => Object.hasOwn(DIGEST_BYTES, name));
  return known ? DIGEST_FORM : `it has ${names.map(quote).join(", ")} alone`;
}
