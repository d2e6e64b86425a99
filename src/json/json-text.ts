/**
 * A JSON text (RFC 8259) as the one value that every reader must see in it. `JSON.parse` is more forgiving in two ways
 * that let two readers see two values: of a member given twice it takes the last (section 4 leaves it open), and a lossy
 * UTF-8 decoder in front of it turns different bytes into one character. Both are refused here.
 */
import { findInvalidUtf8 } from "../encoding.ts";
import { JsonFault, JsonReader } from "./json-reader.ts";

export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly reason: "empty" | "not-utf-8" | "not-json" | "duplicate-member";
      /** A sentence. It shows at most one character of the text, and the names of members. */
      readonly message: string;
    };

// section 8.1: UTF-8; a byte order mark at the beginning is ignored, as the section allows
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** Reads a body. Throws nothing for any bytes. */
export function parseJsonText(bytes: Uint8Array): JsonText {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    const at = findInvalidUtf8(bytes);
    const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
    return { ok: false, reason: "not-utf-8", message: `The body is not UTF-8: byte ${at + 1} is 0x${byte}` };
  }
  if (/^[ \t\n\r]*$/.test(text)) return { ok: false, reason: "empty", message: "The body is empty" };
  try {
    return { ok: true, value: new JsonReader(text).read() };
  } catch (error) {
    if (error instanceof JsonFault) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}
