/** Parses distinguished names, as found in certificates, CRLs and OCSP responses. Comparison is in names.ts. */
import { children, type Der, DerError, expect, Tag } from "./der.ts";
import { readOid, readString } from "./der-values.ts";

export interface Attribute {
  readonly oid: string;
  /** Null when the value is not a character string. */
  readonly value: string | null;
  readonly der: Der;
}

/** A distinguished name: a sequence of relative distinguished names, each a set of attributes. */
export interface Name {
  readonly der: Uint8Array;
  readonly rdns: readonly (readonly Attribute[])[];
}

/** Reads a distinguished name. Throws {@link DerError}. */
export function readName(der: Der | undefined, what: string): Name {
  const sequence = expect(der, Tag.sequence, what);
  const rdns = children(sequence, what).map((rdn) => {
    const attributes = children(expect(rdn, Tag.set, what), what);
    if (attributes.length === 0) throw new DerError(`${what}: empty relative distinguished name`);
    return attributes.map((attribute) => readAttribute(attribute, what));
  });
  return { der: sequence.raw, rdns };
}

function readAttribute(der: Der, what: string): Attribute {
  const [type, value, ...more] = children(expect(der, Tag.sequence, what), what);
  if (!value || more.length > 0) throw new DerError(`${what}: malformed attribute`);
  return { oid: readOid(type, what), value: readString(value), der: value };
}

/** Returns the value of the first attribute with this OID. Null if there is none or its value is not a string. */
export const findAttribute = (name: Name, oid: string): string | null =>
  name.rdns.flat().find((attribute) => attribute.oid === oid)?.value ?? null;
