/**
 * What RFC 5280 section 4 asks of issuers, and section 6 does not make relying parties check. Not asked is what real
 * certificates break: an authority key identifier of a leaf, critical constraints of any kind, and an anchor's basic
 * constraints (docs/decisions/certificates.md has the counts). These rules never accept more.
 */
import { toHex } from "../platform/encoding.ts";
import type { Certificate } from "./certificate.ts";
import { KeyUsage, Oid, type PathExtensions } from "./extensions.ts";
import { isEmptyName } from "./name.ts";
import { isPreferredHostName } from "./name-forms.ts";

export interface Role {
  readonly anchor: boolean;
  readonly selfSigned: boolean;
}

type Rule = (certificate: Certificate, extensions: PathExtensions, role: Role) => string | false;

const MAX_SERIAL_BYTES = 20;

const isCa = ({ basicConstraints }: PathExtensions): boolean => basicConstraints?.ca === true;

const NEVER_CRITICAL = ["authorityKeyIdentifier", "subjectKeyIdentifier"] as const;

const RULES: readonly Rule[] = [
  // 4.1.2.2. Anchors are exempt: some web PKI roots have the serial number 0
  ({ serialNumber }, _, { anchor }) =>
    !anchor && /^(00$|[89a-f])/.test(serialNumber) && "its serial number is not positive",
  ({ serialNumber }) =>
    serialNumber.replace(/^00/, "").length > 2 * MAX_SERIAL_BYTES && "its serial number is longer than 20 bytes",
  // 4.1.2.4, 4.1.2.6
  ({ issuer }) => isEmptyName(issuer) && "its issuer is empty",
  ({ subject }, extensions) => isCa(extensions) && isEmptyName(subject) && "its subject is empty, though it is a CA",
  // 4.2.1.1: only a self-signed certificate may omit it
  (_, extensions, { selfSigned }) =>
    isCa(extensions) &&
    !selfSigned &&
    !extensions.authorityKeyIdentifier?.keyIdentifier &&
    "it is a CA without authority key identifier",
  // 4.2.1.2
  (_, extensions) =>
    isCa(extensions) && !extensions.subjectKeyIdentifier && "it is a CA without subject key identifier",
  // 4.2.1.3
  (_, extensions) =>
    !isCa(extensions) &&
    extensions.keyUsage !== null &&
    (extensions.keyUsage & KeyUsage.keyCertSign) !== 0 &&
    "it may sign certificates by its key usage, but is not a CA",
  // 4.2.1.1, 4.2.1.2, 4.2.1.14
  (_, { critical }) => {
    const bad = NEVER_CRITICAL.find((name) => critical.has(Oid[name]));
    return bad !== undefined && `its ${bad} is critical`;
  },
  (_, { inhibitAnyPolicy, critical }) =>
    inhibitAnyPolicy !== null && !critical.has(Oid.inhibitAnyPolicy) && "its inhibitAnyPolicy is not critical",
  // 4.2.1.10
  (_, extensions) =>
    !isCa(extensions) && extensions.nameConstraints !== null && "it has name constraints, but is not a CA",
  // 4.2.1.6
  ({ subject }, { alternativeNames, critical }) =>
    isEmptyName(subject) &&
    (!alternativeNames || !critical.has(Oid.subjectAltName)) &&
    "its subject is empty, and its alternative names are absent or not critical",
  (_, { alternativeNames }) => alternativeNames?.length === 0 && "its alternative names are empty",
  (_, { alternativeNames }) => {
    const bad = alternativeNames?.find((name) => name.form === "dns" && !isPreferredHostName(name.text));
    return bad?.form === "dns" && `its alternative name ${JSON.stringify(bad.text.slice(0, 100))} is not a host name`;
  },
  (_, { alternativeNames }) => {
    const bad = alternativeNames?.find((name) => name.form === "ip" && ![4, 16].includes(name.bytes.length));
    return bad?.form === "ip" && `its alternative name ${toHex(bad.bytes)} is not an IP address`;
  },
];

/** Returns the first violated rule of RFC 5280 section 4, or null. */
export function findProfileProblem(certificate: Certificate, extensions: PathExtensions, role: Role): string | null {
  for (const rule of RULES) {
    const problem = rule(certificate, extensions, role);
    if (problem !== false) return problem;
  }
  return null;
}
