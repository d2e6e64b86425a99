/** Reads the extensions used in path validation (RFC 5280 section 4.2) into typed data, once per certificate. */
import { type Certificate, type Extension, findExtension } from "./certificate.ts";
import { children, context, type Der, DerError, expect, readDer, Tag } from "./der.ts";
import { readBitString, readBoolean, readOid, readSmallInteger } from "./der-values.ts";
import { type NameConstraints, readNameConstraints } from "./name-constraints.ts";
import { type AlternativeName, readAlternativeName } from "./name-forms.ts";

export const Oid = {
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  cRLDistributionPoints: "2.5.29.31",
  certificatePolicies: "2.5.29.32",
  policyMappings: "2.5.29.33",
  authorityKeyIdentifier: "2.5.29.35",
  policyConstraints: "2.5.29.36",
  extKeyUsage: "2.5.29.37",
  inhibitAnyPolicy: "2.5.29.54",
  qcStatements: "1.3.6.1.5.5.7.1.3",
} as const;

/** These may be critical. The poison of RFC 6962 section 3.1 is left out on purpose: a precertificate must fail. */
const PROCESSED: readonly string[] = Object.values(Oid);

/** RFC 5280 section 4.2.1.4: the pointer to a practice statement, and the user notice. */
const KNOWN_QUALIFIERS: readonly string[] = ["1.3.6.1.5.5.7.2.1", "1.3.6.1.5.5.7.2.2"];
/** The statements of RFC 3739 section 3.2.6, of ETSI EN 319 412-5 (QcCompliance to QcCClegislation) and of TS 119 495. */
const KNOWN_STATEMENTS: readonly string[] = [
  ...["1.3.6.1.5.5.7.11.1", "1.3.6.1.5.5.7.11.2"],
  ...[1, 2, 3, 4, 5, 6, 7].map((n) => `0.4.0.1862.1.${n}`),
  "0.4.0.19495.2",
];

/** What is not known of a critical extension, which is then refused; null if all is known. Throws DerError. */
export function findUnknownPart({ oid, value }: Extension): string | null {
  if (!PROCESSED.includes(oid)) return `extension ${oid}`;
  if (oid === Oid.certificatePolicies) {
    const what = "certificatePolicies";
    const unknown = readQualifiers(readDer(value, what), what).find((each) => !KNOWN_QUALIFIERS.includes(each));
    // RFC 5280 section 4.2.1.4: software that requires the extension interprets all its qualifiers, or refuses
    return unknown === undefined ? null : `qualifier ${unknown} of ${what}`;
  }
  if (oid === Oid.qcStatements) {
    const what = "qcStatements";
    const statements = parts(readDer(value, what), what).map((statement) => readOid(parts(statement, what)[0], what));
    const unknown = statements.find((each) => !KNOWN_STATEMENTS.includes(each));
    // RFC 3739 section 3.2.6: if critical, every statement is regarded as critical
    return unknown === undefined ? null : `statement ${unknown} of ${what}`;
  }
  return null;
}

export interface PathExtensions {
  readonly basicConstraints: { readonly ca: boolean; readonly pathLength: number | null } | null;
  /** Bit n of RFC 5280 section 4.2.1.3 is `1 << n`. */
  readonly keyUsage: number | null;
  readonly extendedKeyUsage: readonly string[] | null;
  readonly alternativeNames: readonly AlternativeName[] | null;
  readonly nameConstraints: NameConstraints | null;
  readonly policies: ReadonlySet<string> | null;
  /** Pairs of issuer domain policy and subject domain policy. */
  readonly policyMappings: readonly (readonly [string, string])[] | null;
  readonly policyConstraints: PolicyConstraints | null;
  readonly inhibitAnyPolicy: number | null;
  readonly subjectKeyIdentifier: Uint8Array | null;
  /** `keyIdentifier` is null when the extension identifies the key by issuer name and serial number only. */
  readonly authorityKeyIdentifier: { readonly keyIdentifier: Uint8Array | null } | null;
  readonly critical: ReadonlySet<string>;
}

type ExtensionsReading =
  | { readonly ok: true; readonly extensions: PathExtensions }
  /** A duplicate extension, a malformed one, or a critical one that is unknown or has an unknown part. */
  | { readonly ok: false; readonly reason: string };

const read = new WeakMap<Certificate, ExtensionsReading>();

/** Reads the extensions of a certificate; the result is cached per certificate. Never throws. */
export function readPathExtensions(certificate: Certificate): ExtensionsReading {
  const known = read.get(certificate);
  if (known) return known;
  const reading = readAll(certificate);
  read.set(certificate, reading);
  return reading;
}

function readAll({ extensions }: Certificate): ExtensionsReading {
  const values = new Map<string, Uint8Array>();
  const critical = new Set<string>();
  try {
    for (const extension of extensions) {
      if (values.has(extension.oid)) return { ok: false, reason: `it has the extension ${extension.oid} twice` };
      values.set(extension.oid, extension.value);
      if (!extension.critical) continue;
      critical.add(extension.oid);
      const unknown = findUnknownPart(extension);
      if (unknown !== null) return { ok: false, reason: `its critical ${unknown} is not known` };
    }
    return { ok: true, extensions: { ...readValues(values), critical } };
  } catch (error) {
    if (error instanceof DerError) return { ok: false, reason: `its extensions are malformed (${error.message})` };
    throw error;
  }
}

function readValues(values: ReadonlyMap<string, Uint8Array>): Omit<PathExtensions, "critical"> {
  const at = <T>(name: keyof typeof Oid, reader: (value: Der, what: string) => T): T | null => {
    const value = values.get(Oid[name]);
    return value ? reader(readDer(value, name), name) : null;
  };
  const constraints = values.get(Oid.nameConstraints);
  return {
    basicConstraints: at("basicConstraints", readBasicConstraints),
    keyUsage: at("keyUsage", readKeyUsage),
    extendedKeyUsage: at("extKeyUsage", (value, what) => parts(value, what).map((purpose) => readOid(purpose, what))),
    // RFC 5280 section 4.2.1.6 has issuers name one at least. A responder's certificate on a trusted list has none
    alternativeNames: at("subjectAltName", (value, what) =>
      children(expect(value, Tag.sequence, what), what).map((name) => readAlternativeName(name, what)),
    ),
    nameConstraints: constraints ? readNameConstraints(constraints) : null,
    policies: at("certificatePolicies", readPolicies),
    policyMappings: at("policyMappings", readPolicyMappings),
    policyConstraints: at("policyConstraints", readPolicyConstraints),
    inhibitAnyPolicy: at("inhibitAnyPolicy", readSmallInteger),
    subjectKeyIdentifier: at("subjectKeyIdentifier", (value, what) => expect(value, Tag.octetString, what).content),
    authorityKeyIdentifier: at("authorityKeyIdentifier", readAuthorityKeyIdentifier),
  };
}

function readBasicConstraints(der: Der, what: string): PathExtensions["basicConstraints"] {
  const fields = children(expect(der, Tag.sequence, what), what);
  const ca = fields[0]?.tag === Tag.boolean ? readBoolean(fields.shift(), what) : false;
  const pathLength = fields[0]?.tag === Tag.integer ? readSmallInteger(fields.shift(), what) : null;
  if (fields.length > 0) throw new DerError(`${what}: malformed`);
  return { ca, pathLength };
}

/** Returns the key usage bits, bit n of RFC 5280 section 4.2.1.3 as `1 << n`. Throws DerError. */
function readKeyUsage(der: Der, what: string): number {
  const { bytes } = readBitString(der, what);
  let bits = 0;
  for (let n = 0; n < 9; n++) if ((bytes[n >> 3] ?? 0) & (0x80 >> (n & 7))) bits |= 1 << n;
  return bits;
}

function readAuthorityKeyIdentifier(der: Der, what: string): PathExtensions["authorityKeyIdentifier"] {
  const [first] = children(expect(der, Tag.sequence, what), what);
  return { keyIdentifier: first?.tag === context(0, false) ? first.content : null };
}

export const KeyUsage = {
  digitalSignature: 1 << 0,
  nonRepudiation: 1 << 1,
  keyCertSign: 1 << 5,
  cRLSign: 1 << 6,
} as const;

/** True when the certificate has no keyUsage, which allows every use, or asserts any of `bits`. Throws DerError. */
export function allowsKeyUsage(certificate: Certificate, bits: number): boolean {
  const extension = findExtension(certificate, Oid.keyUsage);
  return !extension || (readKeyUsage(readDer(extension.value, "keyUsage"), "keyUsage") & bits) !== 0;
}

/** An absent extension and anyExtendedKeyUsage do not count. Throws DerError. */
export function namesPurpose(certificate: Certificate, purpose: string): boolean {
  const extension = findExtension(certificate, Oid.extKeyUsage);
  if (!extension) return false;
  const purposes = children(
    expect(readDer(extension.value, "extKeyUsage"), Tag.sequence, "extKeyUsage"),
    "extKeyUsage",
  );
  return purposes.some((each) => readOid(each, "extKeyUsage") === purpose);
}

function parts(der: Der | undefined, what: string): Der[] {
  const found = children(expect(der, Tag.sequence, what), what);
  if (found.length === 0) throw new DerError(`${what}: empty`);
  return found;
}

const readPolicies = (der: Der, what: string): ReadonlySet<string> =>
  new Set(parts(der, what).map((policy) => readOid(parts(policy, what)[0], what)));

const readQualifiers = (der: Der, what: string): string[] =>
  parts(der, what).flatMap((policy) => {
    const [, qualifiers, ...more] = parts(policy, what);
    if (more.length > 0) throw new DerError(`${what}: malformed`);
    return qualifiers ? parts(qualifiers, what).map((qualifier) => readOid(parts(qualifier, what)[0], what)) : [];
  });

function readPolicyMappings(der: Der, what: string): [string, string][] {
  return parts(der, what).map((mapping) => {
    const [from, to, ...more] = parts(mapping, what);
    if (more.length > 0) throw new DerError(`${what}: malformed`);
    return [readOid(from, what), readOid(to, what)];
  });
}

interface PolicyConstraints {
  readonly requireExplicitPolicy: number | null;
  readonly inhibitPolicyMapping: number | null;
}

/** Each value is the number of further certificates that may follow before the constraint applies. Throws DerError. */
function readPolicyConstraints(der: Der, what: string): PolicyConstraints {
  const fields = parts(der, what);
  const readField = (n: number) => {
    if (fields[0]?.tag !== context(n, false)) return null;
    const { raw } = fields.shift() ?? { raw: new Uint8Array(0) };
    // an implicitly tagged INTEGER
    return readSmallInteger(readDer(Uint8Array.of(Tag.integer, ...raw.subarray(1)), what), what);
  };
  const requireExplicitPolicy = readField(0);
  const inhibitPolicyMapping = readField(1);
  if (fields.length > 0) throw new DerError(`${what}: malformed`);
  return { requireExplicitPolicy, inhibitPolicyMapping };
}
