/** Whether a certificate meets the criteria of a trusted list's qualification (TS 119 612 section 5.5.9.2.2). */

import type { Criterion } from "../trust/qualification.ts";
import type { Certificate } from "../x509/certificate.ts";
import { type PathExtensions, readPathExtensions } from "../x509/extensions.ts";

/** Null if the result depends on an unknown criterion. */
export function meets(certificate: Certificate, criterion: Criterion): boolean | null {
  if ("all" in criterion) return every(criterion.all.map((each) => meets(certificate, each)));
  if ("atLeastOne" in criterion) return some(criterion.atLeastOne.map((each) => meets(certificate, each)));
  if ("none" in criterion) return not(some(criterion.none.map((each) => meets(certificate, each))));
  if ("subject" in criterion) {
    const held = certificate.subject.rdns.flat().filter(({ value }) => value !== "");
    const attributes = new Set(held.map(({ oid }) => oid));
    return criterion.subject.every((oid) => attributes.has(oid));
  }
  const reading = readPathExtensions(certificate);
  return reading.ok ? meetsByExtensions(reading.extensions, criterion) : null;
}

/** An absent extension has no bits set and contains no identifiers. */
function meetsByExtensions(
  { keyUsage, policies, extendedKeyUsage }: PathExtensions,
  criterion: Criterion,
): boolean | null {
  if ("keyUsage" in criterion) {
    const { set, clear } = criterion.keyUsage;
    return ((keyUsage ?? 0) & (set | clear)) === set;
  }
  if ("policies" in criterion) return criterion.policies.every((oid) => policies?.has(oid) === true);
  if ("purposes" in criterion) return criterion.purposes.every((oid) => extendedKeyUsage?.includes(oid) === true);
  return null;
}

// three-valued logic: null (unknown) unless the known values decide the result
const every = (found: readonly (boolean | null)[]): boolean | null =>
  found.includes(false) ? false : found.includes(null) ? null : true;
const some = (found: readonly (boolean | null)[]): boolean | null =>
  found.includes(true) ? true : found.includes(null) ? null : false;
const not = (found: boolean | null): boolean | null => (found === null ? null : !found);
