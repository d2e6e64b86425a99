/** The header Authorization of the scheme Basic (RFC 7617). */
import { fromBase64 } from "../../platform/encoding.ts";

/** Far above the length of credentials that `fi add` makes. */
export const MAX_AUTHORIZATION_CHARACTERS = 1_024;

export const BASIC_EXAMPLE = `Basic ${btoa("my-bank:my-secret")}`;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** RFC 7617: base64 of `client-id:secret`. The secret may contain a colon, the id may not. */
export function parseBasic(
  authorization: string,
): { ok: true; clientId: string; secret: string } | { ok: false; fault: string } {
  if (authorization.length > MAX_AUTHORIZATION_CHARACTERS)
    return { ok: false, fault: `is longer than ${MAX_AUTHORIZATION_CHARACTERS} characters` };
  const bytes = fromBase64(authorization.replace(/^basic +/i, ""));
  if (!bytes) return { ok: false, fault: "is not base64" };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { ok: false, fault: "is not UTF-8 in base64" };
  }
  const colon = text.indexOf(":");
  if (colon < 0) return { ok: false, fault: "contains no colon" };
  if (colon === 0) return { ok: false, fault: "has no client id before its colon" };
  return { ok: true, clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
}
