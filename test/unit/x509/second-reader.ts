/** A certificate's fields as our reader has them, and as `@peculiar/x509` does: in one form, to be compared. */
import "reflect-metadata";
import { type Name as LibraryName, X509Certificate } from "@peculiar/x509";
import type { Certificate } from "../../../src/x509/certificate.ts";
import type { Name } from "../../../src/x509/name.ts";

/** The library's short names; it gives other attributes by their OID. */
const SHORT_NAMES: Record<string, string> = {
  "2.5.4.3": "CN",
  "2.5.4.4": "SN",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.12": "T",
  "2.5.4.42": "G",
  "2.5.4.43": "I",
  "0.9.2342.19200300.100.1.25": "DC",
  "1.2.840.113549.1.9.1": "E",
};

// megabytes in all, for which the service's toHex takes a second
const hex = (bytes: ArrayBuffer | Uint8Array): string => Buffer.from(new Uint8Array(bytes)).toString("hex");

/** Section 8.3 of X.690: a positive INTEGER with the high bit set begins with a zero byte, which the library drops. */
const withoutSignByte = (serial: string): string => serial.replace(/^00(?=[89a-f])/, "");

export function readOurs(certificate: Certificate) {
  const name = ({ rdns, der }: Name) => ({
    rdns: rdns.map((rdn) => {
      const values: Record<string, string[]> = {};
      for (const { oid, value, der } of rdn) {
        const key = SHORT_NAMES[oid] ?? oid;
        values[key] = [...(values[key] ?? []), value ?? `#${hex(der.raw)}`];
      }
      return values;
    }),
    der: hex(der),
  });
  return {
    serialNumber: withoutSignByte(certificate.serialNumber),
    issuer: name(certificate.issuer),
    subject: name(certificate.subject),
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    publicKey: hex(certificate.publicKey.spki),
    extensions: certificate.extensions.map(({ oid, critical, value }) => ({ oid, critical, value: hex(value) })),
    signature: hex(certificate.signature),
  };
}

export type Fields = ReturnType<typeof readOurs>;

/** The library reads a field when it is asked for. */
export function readTheirs(der: Uint8Array): { readonly [Field in keyof Fields]: () => Fields[Field] } {
  const certificate = new X509Certificate(der as Uint8Array<ArrayBuffer>);
  const name = (given: LibraryName) => ({ rdns: given.toJSON(), der: hex(given.toArrayBuffer()) });
  return {
    serialNumber: () => certificate.serialNumber,
    issuer: () => name(certificate.issuerName),
    subject: () => name(certificate.subjectName),
    notBefore: () => certificate.notBefore.getTime(),
    notAfter: () => certificate.notAfter.getTime(),
    publicKey: () => hex(certificate.publicKey.rawData),
    // the library's own array is of another class
    extensions: () =>
      Array.from(certificate.extensions, ({ type, critical, value }) => ({ oid: type, critical, value: hex(value) })),
    signature: () => hex(certificate.signature),
  };
}
