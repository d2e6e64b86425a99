/**
 * Parses a JSON text (RFC 8259) strictly, so that every parser reads the same value. Two things that parsers handle
 * differently are refused here: duplicate member names, of which `JSON.parse` uses the last (section 4 leaves it open),
 * and invalid UTF-8, which a lossy decoder replaces by U+FFFD.
 */
import { findInvalidUtf8 } from "../../platform/encoding.ts";
import { quoteAlways } from "../../platform/quotation.ts";
import { JsonFault, JsonReader } from "./json-reader.ts";

export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly reason: "empty" | "not-utf-8" | "not-json" | "duplicate-member";
      /** A sentence. Quotes at most one character of the text, and member names. */
      readonly message: string;
    };

// section 8.1: UTF-8; a leading byte order mark is ignored, which the section permits
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** The text of a request body. Does not throw, whatever the bytes. */
function decodeText(
  bytes: Uint8Array,
): { readonly ok: true; readonly text: string } | Extract<JsonText, { ok: false }> {
  try {
    return { ok: true, text: utf8.decode(bytes) };
  } catch {
    const at = findInvalidUtf8(bytes);
    const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
    return { ok: false, reason: "not-utf-8", message: `The body is not UTF-8: byte ${at + 1} is 0x${byte}` };
  }
}

/** Parses a request body. Does not throw, whatever the bytes. */
export function parseJsonText(bytes: Uint8Array): JsonText {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return decoded;
  const { text } = decoded;
  if (/^[ \t\n\r]*$/.test(text)) return { ok: false, reason: "empty", message: "The body is empty" };
  try {
    return { ok: true, value: new JsonReader(text).read() };
  } catch (error) {
    if (error instanceof JsonFault) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}

export type FormText =
  | { readonly ok: true; readonly value: Readonly<Record<string, string>> }
  /** A sentence. Quotes at most the beginning of a parameter's name, never a value. */
  | { readonly ok: false; readonly message: string };

/** Enough to recognise a name, and too few to reveal a secret that was sent in its place. */
const SHOWN_CHARACTERS = 20;

/**
 * Parses a form (`application/x-www-form-urlencoded`, URL Standard section 5.1). What a lenient decoder would keep or
 * replace is refused, and so is a parameter that is given twice (RFC 6749 section 3.2).
 */
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
