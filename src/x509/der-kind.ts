/** Guesses by the outline of the DER what was sent in place of what was expected. It affects only the error message. */
import { children, context, type Der, DerError, Tag } from "./der.ts";

export type DerKind =
  | "certificate"
  | "private-key"
  | "public-key"
  | "signing-request"
  | "revocation-list"
  | "ocsp-response"
  | "signed-data"
  | "key-store"
  | "unknown";

export function recogniseDer(der: Der): DerKind {
  const parts = outline(der);
  const shape = parts.map(letter).join("");
  const [first, second] = parts;
  if (shape === "SSB") return recogniseSigned(outline(first));
  if (shape === "SB") return outline(first)[0]?.tag === Tag.oid ? "public-key" : "unknown";
  if (shape === "II") return "public-key";
  // RFC 6960 section 4.2.1: one that is not successful has no bytes
  if (/^Ex?$/.test(shape)) return "ocsp-response";
  // PKCS#1, PKCS#8 and SEC 1 keys; the next line matches password-protected PKCS#8
  if (/^I{9}S?$|^ISO|^IO/.test(shape)) return "private-key";
  if (shape === "SO") return outline(first)[0]?.tag === Tag.oid ? "private-key" : "unknown";
  if (/^ISS?$/.test(shape)) return outline(second)[0]?.tag === Tag.oid ? "key-store" : "unknown";
  if (/^Dx$/.test(shape)) return "signed-data";
  return "unknown";
}

function recogniseSigned(toBeSigned: readonly Der[]): DerKind {
  const shape = toBeSigned.map(letter).join("");
  if (/^I?SST/.test(shape)) return "revocation-list";
  if (/^ISSx?$/.test(shape)) return "signing-request";
  return /^x?ISSSSS/.test(shape) ? "certificate" : "unknown";
}

function outline(der: Der | undefined): Der[] {
  if (der?.tag !== Tag.sequence) return [];
  try {
    return children(der, "");
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}

const LETTERS: ReadonlyMap<number, string> = new Map([
  [Tag.sequence, "S"],
  [Tag.integer, "I"],
  [Tag.enumerated, "E"],
  [Tag.bitString, "B"],
  [Tag.octetString, "O"],
  [Tag.oid, "D"],
  [Tag.utcTime, "T"],
  [Tag.generalizedTime, "T"],
  [context(0), "x"],
]);

const letter = (der: Der): string => LETTERS.get(der.tag) ?? "?";
