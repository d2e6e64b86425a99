/** The two kinds of GeneralName (RFC 5280 section 4.2.1.6) that say where a revocation answer is found. */
import { type Name, readName } from "./certificate.ts";
import { children, context, type Der, DerError, readDer } from "./der.ts";

export type GeneralName =
  | { readonly type: "uri"; readonly uri: string; readonly der: Uint8Array }
  | { readonly type: "directory"; readonly name: Name; readonly der: Uint8Array }
  | { readonly type: "other"; readonly der: Uint8Array };

/** One GeneralName. Throws {@link DerError}. */
export function readGeneralName(der: Der, what: string): GeneralName {
  if (der.tag === context(6, false)) return { type: "uri", uri: readAscii(der.content, what), der: der.raw };
  if (der.tag === context(4)) {
    // directoryName is a CHOICE, therefore tagged explicitly
    return { type: "directory", name: readName(readDer(der.content, what), what), der: der.raw };
  }
  if ((der.tag & 0xc0) !== 0x80 || (der.tag & 0x1f) > 8) throw new DerError(`${what}: not a general name`);
  return { type: "other", der: der.raw };
}

/** The GeneralNames inside an (implicitly tagged) value, at least one. Throws {@link DerError}. */
export function readGeneralNames(der: Der, what: string): GeneralName[] {
  const names = children(der, what).map((name) => readGeneralName(name, what));
  if (names.length === 0) throw new DerError(`${what}: no names`);
  return names;
}

function readAscii(bytes: Uint8Array, what: string): string {
  if (bytes.some((byte) => byte > 0x7f)) throw new DerError(`${what}: not an IA5String`);
  return String.fromCharCode(...bytes.subarray(0, 4096));
}
