/** Parses the policy extensions (RFC 5280 sections 4.2.1.4, 4.2.1.5 and 4.2.1.11). policies.ts evaluates them. */
import { children, context, type Der, DerError, expect, readDer, Tag } from "./der.ts";
import { readOid, readSmallInteger } from "./der-values.ts";

/** Reads the elements of a SEQUENCE OF, at least one. Throws DerError. */
export function parts(der: Der | undefined, what: string): Der[] {
  const found = children(expect(der, Tag.sequence, what), what);
  if (found.length === 0) throw new DerError(`${what}: empty`);
  return found;
}

/** Reads the policy OIDs; qualifiers are ignored: see {@link readQualifiers}. Throws DerError. */
export const readPolicies = (der: Der, what: string): ReadonlySet<string> =>
  new Set(parts(der, what).map((policy) => readOid(parts(policy, what)[0], what)));

/** Reads the OIDs of the qualifiers of all policies. Throws DerError. */
export const readQualifiers = (der: Der, what: string): string[] =>
  parts(der, what).flatMap((policy) => {
    const [, qualifiers, ...more] = parts(policy, what);
    if (more.length > 0) throw new DerError(`${what}: malformed`);
    return qualifiers ? parts(qualifiers, what).map((qualifier) => readOid(parts(qualifier, what)[0], what)) : [];
  });

/** Reads pairs of issuer domain policy and subject domain policy. Throws DerError. */
export function readPolicyMappings(der: Der, what: string): [string, string][] {
  return parts(der, what).map((mapping) => {
    const [from, to, ...more] = parts(mapping, what);
    if (more.length > 0) throw new DerError(`${what}: malformed`);
    return [readOid(from, what), readOid(to, what)];
  });
}

export interface PolicyConstraints {
  readonly requireExplicitPolicy: number | null;
  readonly inhibitPolicyMapping: number | null;
}

/** Each value is the number of further certificates that may follow before the constraint applies. Throws DerError. */
export function readPolicyConstraints(der: Der, what: string): PolicyConstraints {
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
