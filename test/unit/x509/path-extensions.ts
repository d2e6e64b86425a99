/** Extensions of made certificates, as path validation reads them. */
import { context, Tag } from "../../../src/x509/der.ts";
import { encodeDer, encodeOid } from "../../../src/x509/der-encode.ts";
import { keyUsage, type MadeExtension, octets, sequence } from "./made-pki.ts";

export const KEY_CERT_SIGN = 5;

const TRUE = encodeDer(Tag.boolean, Uint8Array.of(0xff));
const number = (value: number) => encodeDer(Tag.integer, Uint8Array.of(value));
const counter = (tag: number, value: number | undefined) =>
  value === undefined ? [] : [encodeDer(context(tag, false), Uint8Array.of(value))];

export const basicConstraints = (ca: boolean, pathLength?: number, critical = true): MadeExtension => ({
  oid: "2.5.29.19",
  critical,
  value: sequence(...(ca ? [TRUE] : []), ...(pathLength === undefined ? [] : [number(pathLength)])),
});

/** What every CA needs. */
export const caExtensions = (pathLength?: number): MadeExtension[] => [
  basicConstraints(true, pathLength),
  keyUsage(KEY_CERT_SIGN),
];

export const subjectKeyIdentifier = (id: number): MadeExtension => ({
  oid: "2.5.29.14",
  value: octets(Uint8Array.of(id)),
});
export const authorityKeyIdentifier = (id: number): MadeExtension => ({
  oid: "2.5.29.35",
  value: sequence(encodeDer(context(0, false), Uint8Array.of(id))),
});

export const extendedKeyUsage = (...oids: string[]): MadeExtension => ({
  oid: "2.5.29.37",
  value: sequence(...oids.map(encodeOid)),
});

export const unknownExtension = (critical: boolean): MadeExtension => ({
  oid: "1.2.3.4",
  critical,
  value: Uint8Array.of(5, 0),
});

/** RFC 6962 section 3.1. */
export const POISON: MadeExtension = {
  oid: "1.3.6.1.4.1.11129.2.4.3",
  critical: true,
  value: encodeDer(Tag.null),
};

export const dns = (text: string) => encodeDer(context(2, false), Buffer.from(text));
export const email = (text: string) => encodeDer(context(1, false), Buffer.from(text));
export const uri = (text: string) => encodeDer(context(6, false), Buffer.from(text));
export const ip = (...bytes: number[]) => encodeDer(context(7, false), Uint8Array.from(bytes));
export const directory = (name: Uint8Array) => encodeDer(context(4), name);
export const other = () => encodeDer(context(0), encodeOid("1.2.3"), encodeDer(context(0), encodeDer(Tag.null)));

export const alternativeNames = (...names: Uint8Array[]): MadeExtension => ({
  oid: "2.5.29.17",
  value: sequence(...names),
});
export const nameConstraints = (permitted: Uint8Array[], excluded: Uint8Array[] = []): MadeExtension => ({
  oid: "2.5.29.30",
  critical: true,
  value: sequence(
    ...(permitted.length > 0 ? [encodeDer(context(0), ...permitted.map((base) => sequence(base)))] : []),
    ...(excluded.length > 0 ? [encodeDer(context(1), ...excluded.map((base) => sequence(base)))] : []),
  ),
});

export const ANY_POLICY = "2.5.29.32.0";
export const policies = (...oids: string[]): MadeExtension => ({
  oid: "2.5.29.32",
  value: sequence(...oids.map((oid) => sequence(encodeOid(oid)))),
});
export const policyMappings = (...pairs: [string, string][]): MadeExtension => ({
  oid: "2.5.29.33",
  critical: true,
  value: sequence(...pairs.map((pair) => sequence(...pair.map(encodeOid)))),
});
export const policyConstraints = (requireExplicit?: number, inhibitMapping?: number): MadeExtension => ({
  oid: "2.5.29.36",
  critical: true,
  value: sequence(...counter(0, requireExplicit), ...counter(1, inhibitMapping)),
});
export const inhibitAnyPolicy = (skip: number): MadeExtension => ({
  oid: "2.5.29.54",
  critical: true,
  value: number(skip),
});
