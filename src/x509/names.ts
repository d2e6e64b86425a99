/** When two distinguished names are the same (RFC 5280 section 7.1), and a key under which the same names meet. */
import { createHash } from "node:crypto";
import { sameBytes, toHex } from "../encoding.ts";
import type { Attribute, Name } from "./name.ts";

/** Names are compared again and again while a path is built; each is normalised once. */
const normalised = new WeakMap<Name, string>();
const keys = new WeakMap<Name, string>();

/** Whether both name the same entity: attribute by attribute, without regard to case, runs of spaces or string type. */
export const sameName = (a: Name, b: Name): boolean =>
  a === b || (a.der.length > 0 && sameBytes(a.der, b.der)) || normalise(a) === normalise(b);

/** SHA-256 of the normalised name, lower-case hex: equal exactly where `sameName` holds. */
export function nameKey(name: Name): string {
  const known = keys.get(name);
  if (known) return known;
  const key = createHash("sha256").update(normalise(name)).digest("hex");
  keys.set(name, key);
  return key;
}

/** The normalised form of one RDN: a set, so the order of its attributes says nothing. */
export const normaliseRdn = (rdn: readonly Attribute[]): string => JSON.stringify(rdn.map(normaliseAttribute).sort());

/** A name without any RDN, as an end entity that is named only by its alternative names may have. */
export const isEmptyName = (name: Name): boolean => name.rdns.length === 0;

function normalise(name: Name): string {
  const known = normalised.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name.rdns.map(normaliseRdn));
  normalised.set(name, text);
  return text;
}

/** Values that are not character strings are the same only when their encodings are. */
function normaliseAttribute({ oid, value, der }: Attribute): string {
  return value === null ? `${oid}#${toHex(der.raw)}` : `${oid}=${normaliseText(value)}`;
}

/**
 * What RFC 4518 (by way of RFC 5280 section 7.1) makes of a string for caseIgnoreMatch: compatibility forms composed,
 * case folded, ends trimmed and runs of spaces made one. Upper and then lower case is the full case folding
 * (ß is ss) that toLowerCase alone is not.
 */
const normaliseText = (text: string): string =>
  text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC").trim().replace(/\s+/g, " ");
