/** RFC 9440: byte sequences of structured fields (RFC 8941 sections 3.1 and 3.3.5), `:base64:`, joined by commas. */
import { quote } from "../platform/quotation.ts";

export type ByteSequences =
  | { readonly ok: true; readonly bodies: readonly string[] }
  /** A phrase that says what is wrong, and with which of several. */
  | { readonly ok: false; readonly message: string };

/** Base64 neither begins nor ends with a colon. */
export function isByteSequence(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith(":") || trimmed.endsWith(":");
}

export function readByteSequences(text: string): ByteSequences {
  const items = text.split(",").map((item) => item.trim());
  const bodies: string[] = [];
  for (const [i, item] of items.entries()) {
    const which = items.length === 1 ? "the byte sequence of RFC 9440" : `byte sequence ${i + 1} of the list`;
    const message = findFault(item, i === items.length - 1 && i > 0);
    if (message !== null) return { ok: false, message: `${which} ${message}` };
    bodies.push(item.slice(1, -1));
  }
  return { ok: true, bodies };
}

function findFault(item: string, isEnd: boolean): string | null {
  if (item === "") return isEnd ? "is missing: the list ends with a comma" : "is missing: there is nothing but a comma";
  if (!item.startsWith(":")) return "does not begin with a colon";
  const end = item.indexOf(":", 1);
  if (end < 0) return "does not end with a colon";
  if (end === 1) return "is empty";
  const rest = item.slice(end + 1).trim();
  if (rest.startsWith(":")) return "is followed by another without a comma between them";
  return rest === "" ? null : `is followed by ${quote(rest)}`;
}
