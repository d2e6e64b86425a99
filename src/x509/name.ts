/** Parses, compares (RFC 5280 section 7.1) and writes distinguished names. */
import { sameBytes, toHex } from "../platform/encoding.ts";
import { hashText } from "../platform/node-crypto.ts";
import { children, type Der, DerError, expect, expectWhole, Tag } from "./der.ts";
import { readOid, readString } from "./der-values.ts";

/** Attribute types of X.520 and, for the last, ETSI EN 319 412-1 section 5.1.4. */
export const AttributeType = {
  commonName: "2.5.4.3",
  countryName: "2.5.4.6",
  organizationName: "2.5.4.10",
  organizationIdentifier: "2.5.4.97",
} as const;

export interface Attribute {
  readonly oid: string;
  readonly value: string | null;
  readonly der: Der;
}

export interface Name {
  readonly der: Uint8Array;
  readonly rdns: readonly (readonly Attribute[])[];
}

export function readName(der: Der | undefined, what: string): Name {
  const sequence = expect(der, Tag.sequence, what);
  const rdns = children(sequence, what).map((rdn) => {
    const attributes = children(expect(rdn, Tag.set, what), what);
    if (attributes.length === 0) throw new DerError(`${what}: empty relative distinguished name`);
    return attributes.map((attribute) => readAttribute(attribute, what));
  });
  return { der: sequence.raw, rdns };
}

export function readAttribute(der: Der, what: string): Attribute {
  const [type, value, ...more] = children(expect(der, Tag.sequence, what), what);
  if (!value || more.length > 0) throw new DerError(`${what}: malformed attribute`);
  return { oid: readOid(type, what), value: readString(value), der: expectWhole(value, what) };
}

export const findAttribute = (name: Name, oid: string): string | null =>
  name.rdns.flat().find((attribute) => attribute.oid === oid)?.value ?? null;

export const findHolder = (name: Name): string | null =>
  findAttribute(name, AttributeType.commonName) ?? findAttribute(name, AttributeType.organizationName);

/** Path building compares the same names many times, so each name is normalised once. */
const normalised = new WeakMap<Name, string>();
const keys = new WeakMap<Name, string>();

/** Whether two names are equal, attribute by attribute. Case, runs of spaces and the string type are ignored. */
export const sameName = (a: Name, b: Name): boolean =>
  a === b || (a.der.length > 0 && sameBytes(a.der, b.der)) || normalise(a) === normalise(b);

/** SHA-256 of the normalised name in lower-case hex. Two names have the same key exactly when `sameName` is true. */
export function nameKey(name: Name): string {
  const known = keys.get(name);
  if (known) return known;
  const key = hashText("sha256", normalise(name));
  keys.set(name, key);
  return key;
}

export const normaliseRdn = (rdn: readonly Attribute[]): string => JSON.stringify(rdn.map(normaliseAttribute).sort());

/** True for a name without RDNs. An end-entity certificate may have one if it has alternative names. */
export const isEmptyName = (name: Name): boolean => name.rdns.length === 0;

function normalise(name: Name): string {
  const known = normalised.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name.rdns.map(normaliseRdn));
  normalised.set(name, text);
  return text;
}

/** Values that are not character strings, or have characters that RFC 4518 prohibits, are equal only if encoded so. */
function normaliseAttribute({ oid, value, der }: Attribute): string {
  if (value !== null && PRINTED_ASCII.test(value))
    return `${oid}=${value.toLowerCase().trim().replaceAll(/ {2,}/g, " ")}`;
  return value === null || PROHIBITED.test(value) ? `${oid}#${toHex(der.raw)}` : `${oid}=${normaliseText(value)}`;
}

/** {@link normaliseText} changes nothing of it but capitals and blanks. Nearly all names are such, and it takes 20 times as long. */
const PRINTED_ASCII = /^[ -~]*$/;

/** RFC 4518 section 2.4: unassigned, for private use, surrogates, and the replacement character. */
const PROHIBITED = /[\p{Cn}\p{Co}\p{Cs}\ufffd]/u;

/** RFC 4518 section 2.2: what is mapped to nothing, by its lists. Format characters of later Unicode stay. */
const NOTHING = new RegExp(
  "[\\u00ad\\u1806\\u034f\\u180b-\\u180d\\ufe00-\\ufe0f\\ufffc\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f" +
    "\\u06dd\\u070f\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2063\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb" +
    "\\u{1d173}-\\u{1d17a}\\u{e0001}\\u{e0020}-\\u{e007f}]",
  "gu",
);
/** RFC 4518 section 2.2: what is mapped to a space. JavaScript's \s has U+FEFF, and not U+0085. */
const SPACE = /[\t-\r\u0085\p{Z}]/gu;

/** RFC 4518 section 2.6.1: a space with a combining mark is none. */
const SPACES = /(?: (?!\p{M}))+/gu;

/** Prepares a string for caseIgnoreMatch (RFC 5280 section 7.1, RFC 4518). */
const normaliseText = (text: string): string =>
  foldCase(text.replace(NOTHING, "").replace(SPACE, " ").normalize("NFKC"))
    .normalize("NFKC")
    .replace(SPACES, " ")
    .replace(/^ (?!\p{M})| $/gu, "");

/** Full case folding of Unicode: upper and lower case after lower case, for U+1E9E. The dotless i folds to itself. */
const foldCase = (text: string): string =>
  text.replace(/[^\u0131]+/gu, (part) => part.toLowerCase().toUpperCase().toLowerCase());

/** Short names from RFC 4514 section 3, X.520 and RFC 4519, for the attributes found in QTSP and PSP certificates. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  [AttributeType.commonName]: "CN",
  "2.5.4.4": "SN",
  "2.5.4.5": "serialNumber",
  [AttributeType.countryName]: "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.9": "STREET",
  [AttributeType.organizationName]: "O",
  "2.5.4.11": "OU",
  "2.5.4.15": "businessCategory",
  "2.5.4.17": "postalCode",
  "2.5.4.42": "GN",
  [AttributeType.organizationIdentifier]: "organizationIdentifier",
  "0.9.2342.19200300.100.1.1": "UID",
  "0.9.2342.19200300.100.1.25": "DC",
};

export const writeName = ({ rdns }: Name): string =>
  rdns
    .toReversed()
    .map((rdn) => rdn.map(writeAttribute).join("+"))
    .join(",");

/** RFC 4514 section 2.4: an attribute without a short name, or whose value is not a string, is written in hex DER. */
function writeAttribute({ oid, value, der }: Attribute): string {
  const type = SHORT_NAMES[oid];
  return type === undefined || value === null ? `${type ?? oid}=#${toHex(der.raw)}` : `${type}=${escapeValue(value)}`;
}

/** RFC 4514 section 2.4. Control and format characters are escaped too: they make one name look like another. */
const escapeValue = (value: string): string =>
  value
    .replaceAll(/[\\"+,;<>]|^[ #]|(?<=.) $/g, "\\$&")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      Array.from(new TextEncoder().encode(character), (byte) => `\\${toHex(Uint8Array.of(byte))}`).join(""),
    );
