import { createHash, X509Certificate } from "node:crypto";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { describe, expect, test } from "vitest";
import { makeCertificate, oid, sequence, utf8 } from "../../../fixtures/makers/certificate-maker.ts";
import { toHex } from "../../../src/platform/encoding.ts";
import { CertificateError, findExtension, parseCertificate } from "../../../src/x509/certificate.ts";
import { children, type Der, encodeDer, readDer, Tag } from "../../../src/x509/der.ts";
import { findAttribute } from "../../../src/x509/name.ts";

const der = await makeCertificate({
  extensions: [
    new x509.BasicConstraintsExtension(true, 2, true),
    new x509.Extension("1.2.3.4", false, new Uint8Array(3)),
  ],
});

describe("a certificate is read as Node's own reader reads it", () => {
  const certificate = parseCertificate(der);
  const theirs = new X509Certificate(der);
  test("fingerprint, serial number and dates", () => {
    expect(certificate.fingerprint).toBe(createHash("sha256").update(der).digest("hex"));
    expect(certificate.fingerprint).toBe(theirs.fingerprint256.replaceAll(":", "").toLowerCase());
    expect(certificate.serialNumber).toBe(theirs.serialNumber.toLowerCase());
    expect(certificate.notBefore).toBe(Date.parse(theirs.validFrom));
    expect(certificate.notAfter).toBe(Date.parse(theirs.validTo));
  });

  test("UTCTime start with GeneralizedTime end", () => {
    expect(new Date(certificate.notBefore).toISOString()).toBe("2025-01-01T00:00:00.000Z");
    expect(new Date(certificate.notAfter).toISOString()).toBe("2055-01-01T00:00:00.000Z");
  });

  test("names, key, extensions and the signed bytes", () => {
    expect(certificate.version).toBe(3);
    expect(findAttribute(certificate.subject, "2.5.4.97")).toBe("PSDXX-TEST-000001");
    expect(findAttribute(certificate.subject, "2.5.4.5")).toBeNull();
    expect(findAttribute(certificate.issuer, "2.5.4.3")).toBe("Some QTSP CA");
    const spki = theirs.publicKey.export({ format: "der", type: "spki" });
    expect(toHex(certificate.publicKey.spki)).toBe(Buffer.from(spki as Uint8Array).toString("hex"));
    expect(certificate.extensions.map(({ oid: id, critical }) => [id, critical])).toEqual([
      ["2.5.29.19", true],
      ["1.2.3.4", false],
      ["1.3.6.1.5.5.7.1.3", false],
    ]);
    expect(findExtension(certificate, "1.2.3.4")?.value).toEqual(new Uint8Array(3));
    expect(findExtension(certificate, "1.2.3.5")).toBeNull();
    expect(der.subarray(4, 4 + certificate.tbs.length)).toEqual(certificate.tbs);
  });
});

/** The certificate's parts, changed and put together again. */
function rebuild(change: (tbs: Uint8Array[], outer: Uint8Array[]) => void): Uint8Array {
  const raws = (parent: Der) => children(parent, "").map(({ raw }) => raw);
  const outer = raws(readDer(der, ""));
  const tbs = raws(readDer(outer[0] ?? new Uint8Array(), ""));
  change(tbs, outer);
  return sequence(sequence(...tbs), ...outer.slice(1));
}

/** Where the parts of tbsCertificate stand when the version is written. */
const Part = {
  version: 0,
  serial: 1,
  algorithm: 2,
  issuer: 3,
  validity: 4,
  subject: 5,
  key: 6,
  extensions: 7,
} as const;
const bits = (unused: number, ...content: number[]) => encodeDer(Tag.bitString, Uint8Array.of(unused, ...content));
const time = (text: string) => encodeDer(Tag.utcTime, new TextEncoder().encode(text));
const number = (value: number) => encodeDer(Tag.integer, Uint8Array.of(value));
const version = (value: number) => encodeDer(0xa0, number(value));
const extension = (id: string, ...rest: Uint8Array[]) => sequence(oid(id), ...rest);
const contents = encodeDer(Tag.octetString, new Uint8Array(2));
const extensions = (...list: Uint8Array[]) => encodeDer(0xa3, sequence(...list));

test("put together again unchanged, it is the same", () => {
  expect(rebuild(() => undefined)).toEqual(der);
});

describe("a certificate that breaks its structure is refused with the place", () => {
  test.each<[string, (tbs: Uint8Array[], outer: Uint8Array[]) => void, string]>([
    ["a fourth part", (_, outer) => outer.push(number(1)), "certificate: more than three parts"],
    ["no signature", (_, outer) => outer.pop(), "signatureValue: missing"],
    ["no algorithm", (_, outer) => outer.splice(1, 1), "signatureAlgorithm: tag 0x3 instead of 0x30"],
    [
      "a version of two numbers",
      (tbs) => tbs.splice(Part.version, 1, encodeDer(0xa0, number(2), number(2))),
      "version: 3",
    ],
    [
      "a key of three parts",
      (tbs) => tbs.splice(Part.key, 1, sequence(sequence(oid("1.2.3")), bits(0, 1), number(1))),
      "subjectPublicKeyInfo: more than two parts",
    ],
    [
      "an algorithm of three parts",
      (tbs) => tbs.splice(Part.key, 1, sequence(sequence(oid("1.2.3"), number(1), number(1)), bits(0, 1))),
      "subjectPublicKeyInfo.algorithm: more than two parts",
    ],
    ["version 4", (tbs) => tbs.splice(Part.version, 1, version(3)), "version: 4"],
    ["a negative version", (tbs) => tbs.splice(Part.version, 1, version(0xff)), "version: integer out of range"],
    [
      "extensions in version 2",
      (tbs) => tbs.splice(Part.version, 1, version(1)),
      "extensions: in a version 2 certificate",
    ],
    ["extensions in version 1", (tbs) => tbs.shift(), "extensions: in a version 1 certificate"],
    ["no serial number", (tbs) => tbs.splice(Part.serial, 1), "validity: more than two times"],
    [
      "a padded serial number",
      (tbs) => tbs.splice(Part.serial, 1, encodeDer(2, Uint8Array.of(0, 1))),
      "serialNumber: integer not minimal",
    ],
    ["an issuer of text", (tbs) => tbs.splice(Part.issuer, 1, utf8("CA")), "issuer: tag 0xc instead of 0x30"],
    [
      "an empty RDN",
      (tbs) => tbs.splice(Part.subject, 1, sequence(encodeDer(Tag.set))),
      "subject: empty relative distinguished name",
    ],
    [
      "an attribute of one part",
      (tbs) => tbs.splice(Part.subject, 1, sequence(encodeDer(Tag.set, sequence(oid("2.5.4.3"))))),
      "subject: malformed attribute",
    ],
    [
      "an attribute whose value is no DER inside, where another reader sees another end",
      (tbs) =>
        tbs.splice(
          Part.subject,
          1,
          sequence(encodeDer(Tag.set, sequence(oid("2.5.4.16"), sequence(Uint8Array.of(0x30, 0x30, 0x30))))),
        ),
      "subject: truncated",
    ],
    [
      "three times",
      (tbs) =>
        tbs.splice(Part.validity, 1, sequence(time("250101000000Z"), time("260101000000Z"), time("270101000000Z"))),
      "validity: more than two times",
    ],
    ["one time", (tbs) => tbs.splice(Part.validity, 1, sequence(time("250101000000Z"))), "notAfter: not a time"],
    [
      "the 30th of February",
      (tbs) => tbs.splice(Part.validity, 1, sequence(time("250230000000Z"), time("260101000000Z"))),
      "notBefore: no such time 250230000000Z",
    ],
    [
      "a key of bits",
      (tbs) => tbs.splice(Part.key, 1, sequence(sequence(oid("1.2.3")), bits(4, 0x10))),
      "subjectPublicKey: not whole bytes",
    ],
    ["data after the extensions", (tbs) => tbs.push(number(1)), "extensions: data after them"],
    ["no extension in the list", (tbs) => tbs.splice(Part.extensions, 1, extensions()), "extensions: empty"],
    [
      "an extension without contents",
      (tbs) => tbs.splice(Part.extensions, 1, extensions(extension("1.2.3"))),
      "extensions: missing",
    ],
    [
      "an extension of four parts",
      (tbs) => tbs.splice(Part.extensions, 1, extensions(extension("1.2.3", contents, contents))),
      "extensions: malformed extension",
    ],
    [
      "a criticality of 1",
      (tbs) => tbs.splice(Part.extensions, 1, extensions(extension("1.2.3", encodeDer(1, Uint8Array.of(1)), contents))),
      "extensions: not a DER boolean",
    ],
  ])("%s", (_, change, message) => {
    const changed = rebuild(change);
    expect(() => parseCertificate(changed)).toThrow(CertificateError);
    expect(() => parseCertificate(changed)).toThrow(message);
  });

  test.each([
    ["a byte after it", Uint8Array.of(...der, 0), "certificate: 1 bytes after its end"],
    ["its last byte missing", der.subarray(0, -1), "certificate: truncated"],
    ["nothing", new Uint8Array(), "certificate: truncated"],
  ])("%s", (_, input, message) => {
    expect(() => parseCertificate(input)).toThrow(new CertificateError(message));
  });
});

describe("what is odd but well formed is read", () => {
  test("version 1, without extensions", () => {
    const certificate = parseCertificate(rebuild((tbs) => tbs.splice(0, tbs.length, ...tbs.slice(1, -1))));
    expect(certificate).toMatchObject({ version: 1, extensions: [] });
  });

  test("an empty subject", () => {
    expect(parseCertificate(rebuild((tbs) => tbs.splice(Part.subject, 1, sequence()))).subject.rdns).toEqual([]);
  });

  test("unique identifiers before the extensions", () => {
    const unique = [0x81, 0x82].map((tag) => encodeDer(tag, Uint8Array.of(0, 1)));
    const certificate = parseCertificate(rebuild((tbs) => tbs.splice(Part.extensions, 0, ...unique)));
    expect(certificate.extensions).toHaveLength(3);
  });

  test("an extension twice: both are kept, for the path to refuse", () => {
    const twice = extensions(extension("1.2.3", contents), extension("1.2.3", contents));
    const certificate = parseCertificate(rebuild((tbs) => tbs.splice(Part.extensions, 1, twice)));
    expect(certificate.extensions.map(({ oid: id }) => id)).toEqual(["1.2.3", "1.2.3"]);
  });

  test("a signature that claims unused bits, as some on trusted lists do", () => {
    const certificate = parseCertificate(rebuild((_, outer) => outer.splice(2, 1, bits(1, 2))));
    expect(certificate.signature).toEqual(Uint8Array.of(2));
  });

  test("an attribute that is no character string has no value", () => {
    const name = sequence(encodeDer(Tag.set, sequence(oid("2.5.4.10"), number(7))));
    const { subject } = parseCertificate(rebuild((tbs) => tbs.splice(Part.subject, 1, name)));
    expect(subject.rdns[0]?.[0]?.value).toBeNull();
  });
});

test("an empty tbsCertificate is refused as malformed", () => {
  expect(() => parseCertificate(sequence(sequence()))).toThrow(CertificateError);
});
