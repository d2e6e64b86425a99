/**
 * Parses a form (`application/x-www-form-urlencoded`, URL Standard section 5.1) strictly, so that every parser reads the
 * same parameters: what a lenient decoder would keep or replace is refused, and so is a parameter that is given twice
 * (RFC 6749 section 3.2).
 */
import { quoteAlways } from "../../platform/quotation.ts";
import { decodeText } from "./json-text.ts";

export type FormText =
  | { readonly ok: true; readonly value: Readonly<Record<string, string>> }
  /** A sentence. Quotes at most the beginning of a parameter's name, never a value. */
  | { readonly ok: false; readonly message: string };

/** Enough to recognise a name, and too few to reveal a secret that was sent in its place. */
const SHOWN_CHARACTERS = 20;

/** Parses a request body. Does not throw, whatever the bytes. */
export function parseFormText(bytes: Uint8Array): FormText {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return decoded;
  if (/^\s*\{/.test(decoded.text))
    return { ok: false, message: "The body is JSON, but Content-Type is that of a form: send application/json" };
  const parameters = new Map<string, string>();
  for (const [i, pair] of decoded.text.split("&").entries()) {
    if (pair === "") continue;
    const [name = "", ...rest] = pair.split("=").map((part) => decodePart(part));
    const value = rest.includes(null) ? null : rest.join("=");
    if (name === null || value === null)
      return { ok: false, message: `Parameter ${i + 1} of the body is not percent-encoded UTF-8` };
    if (parameters.has(name)) {
      const shown = quoteAlways(name, SHOWN_CHARACTERS);
      return { ok: false, message: `The body has the parameter ${shown} twice` };
    }
    parameters.set(name, value);
  }
  return { ok: true, value: Object.fromEntries(parameters) };
}

/** Null if it is not percent-encoded UTF-8. */
function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
