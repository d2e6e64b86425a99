/**
 * The claim `iss` of UK Open Banking, beside the certificate that signed. The trust anchor says what stands in it: of a certificate
 * that is lodged with none it is the certificate's subject, and banks ask for the authorisation number. The Open Banking Directory
 * has organisation id / software id, which no certificate has.
 */
import { Buffer } from "node:buffer";
import { parseAuthorisationNumber, registeredNumbers } from "../../eidas/authorisation-number.ts";
import type { Certificate } from "../../x509/certificate.ts";
import { readDer } from "../../x509/der.ts";
import { readString } from "../../x509/der-values.ts";
import { AttributeType } from "../../x509/name.ts";

/** `not_comparable`: a form that no certificate has. */
export const ISSUER_COMPARISONS = ["same", "differs", "not_comparable"] as const;
export type IssuerComparison = (typeof ISSUER_COMPARISONS)[number];

const { organizationIdentifier, organizationName, commonName } = AttributeType;

/** RFC 4514 section 3, X.520, and how OpenSSL and Java write them. */
const TYPES: Readonly<Record<string, string>> = {
  organizationidentifier: organizationIdentifier,
  o: organizationName,
  organizationname: organizationName,
  cn: commonName,
  commonname: commonName,
};

/** RFC 4514: `type=value`, the value with escapes, in quotes or in hexadecimal DER. */
const ATTRIBUTE = /\s*([A-Za-z][\w.-]*|[\d.]+)\s*=("(?:\\.|[^"\\])*"\s*|(?:\\.|[^",;+\\])*)([,;+]|$)/y;

/** By the number if one is named, else by the organisation and the common name. Never `same` for what was not compared. */
export function compareIssuer(issuer: string, { subject }: Certificate): IssuerComparison {
  const named = readDistinguishedName(issuer);
  const numbers = named ? named.filter(({ oid }) => oid === organizationIdentifier) : listNumbers(issuer);
  const compared = named && numbers.length === 0 ? named : numbers;
  if (compared.length === 0) return "not_comparable";
  const own = subject.rdns.flat().map(({ oid, value }) => `${oid} ${normalise(oid, value ?? "")}`);
  const isOwn = ({ oid, value }: Named) => own.includes(`${oid} ${normalise(oid, value)}`);
  return (named ? compared.every(isOwn) : compared.some(isOwn)) ? "same" : "differs";
}

interface Named {
  readonly oid: string;
  readonly value: string;
}

/** The whole text, and what stands before a software id: a number may have a slash itself. */
const listNumbers = (issuer: string): Named[] =>
  [issuer, issuer.replace(/\/[^/]*$/, "")]
    .filter((text) => parseAuthorisationNumber(text).ok)
    .map((value) => ({ oid: organizationIdentifier, value }));

/** The attributes that count here; null if it is no distinguished name. */
function readDistinguishedName(text: string): Named[] | null {
  const named: Named[] = [];
  ATTRIBUTE.lastIndex = 0;
  for (let more = true; more; ) {
    const [, type, value = "", end] = ATTRIBUTE.exec(text) ?? [];
    if (type === undefined) return null;
    const name = type.toLowerCase().replace(/^oid\./, "");
    const oid = Object.hasOwn(TYPES, name) ? TYPES[name] : name;
    if (oid === organizationIdentifier || oid === organizationName || oid === commonName)
      named.push({ oid, value: readValue(value.trim()) });
    more = end !== "";
  }
  return named;
}

function readValue(written: string): string {
  if (!written.startsWith("#")) return readEscapes(written.replace(/^"(.*)"$/s, "$1"));
  try {
    return readString(readDer(Buffer.from(written.slice(1), "hex"), "iss")) ?? written;
  } catch {
    return written;
  }
}

/** RFC 4514 section 2.4: a byte of UTF-8 in hexadecimal, or the character itself. */
const readEscapes = (text: string): string =>
  text
    .replaceAll(/(?:\\[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("\\", ""), "hex").toString("utf8"))
    .replaceAll(/\\(.)/g, "$1");

const normalise = (oid: string, value: string): string =>
  oid === organizationIdentifier
    ? registeredNumbers(value).toSorted().join()
    : value.normalize("NFKC").toLowerCase().trim().replaceAll(/\s+/g, " ");
