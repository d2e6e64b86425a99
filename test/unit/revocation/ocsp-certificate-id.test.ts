import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { integer, makeCertificate, octets, sequence } from "../../../fixtures/makers/made-pki.ts";
import { encodeCertificateId, isIdOf, readCertificateId } from "../../../src/revocation/ocsp-request.ts";
import { DerError, encodeDer, encodeOid, readDer, Tag } from "../../../src/x509/der.ts";

const ca = makeCertificate({ subject: "CA" });
const issuer = ca.certificate;
const sameKey = makeCertificate({ subject: "Renamed", key: ca.key }).certificate;
const sameName = makeCertificate({ subject: "CA" }).certificate;
const certificate = makeCertificate({ subject: "PSP", issuer: ca, serial: "0a1b" }).certificate;
const digest = (name: string, bytes: Uint8Array) => createHash(name).update(bytes).digest();

const idBy = (algorithm: string, oid: string, more: { serial?: string; name?: Uint8Array; key?: Uint8Array } = {}) => ({
  algorithm: oid,
  issuerNameHash: more.name ?? digest(algorithm, issuer.subject.der),
  issuerKeyHash: more.key ?? digest(algorithm, issuer.publicKey.bits),
  serialNumber: Uint8Array.from(Buffer.from(more.serial ?? "0a1b", "hex")),
});
const SHA1 = "1.3.14.3.2.26";

describe("a CertID is of a certificate", () => {
  test.each([
    ["sha1", SHA1],
    ["sha256", "2.16.840.1.101.3.4.2.1"],
    ["sha384", "2.16.840.1.101.3.4.2.2"],
    ["sha512", "2.16.840.1.101.3.4.2.3"],
  ])("by %s", (algorithm, oid) => {
    expect(isIdOf(idBy(algorithm, oid), certificate, issuer)).toBe(true);
    expect(isIdOf(idBy(algorithm, oid), null, issuer)).toBe(true);
  });

  test("only where the serial number, both hashes and the issuer's name agree", () => {
    expect(isIdOf(idBy("sha1", SHA1, { serial: "0a1c" }), certificate, issuer)).toBe(false);
    expect(isIdOf(idBy("sha1", SHA1, { name: digest("sha1", sequence()) }), certificate, issuer)).toBe(false);
    expect(isIdOf(idBy("sha1", SHA1, { key: digest("sha1", sequence()) }), certificate, issuer)).toBe(false);
    expect(isIdOf(idBy("sha1", SHA1), certificate, sameName)).toBe(false);
    expect(isIdOf(idBy("sha1", SHA1), certificate, sameKey)).toBe(false);
    expect(isIdOf(idBy("sha1", "1.2.840.113549.2.5"), certificate, issuer)).toBe(false);
  });

  test("any of the issuer's where none is asked for", () => {
    expect(isIdOf(idBy("sha1", SHA1, { serial: "77" }), null, issuer)).toBe(true);
    expect(isIdOf(idBy("sha1", SHA1), null, sameKey)).toBe(false);
    expect(isIdOf(idBy("sha1", SHA1), null, sameName)).toBe(false);
  });
});

test("what is asked is what is read", () => {
  const id = readCertificateId(readDer(encodeCertificateId(certificate, issuer), "id"));
  expect(id).toEqual({
    ...idBy("sha1", SHA1),
    issuerNameHash: Uint8Array.from(digest("sha1", issuer.subject.der)),
    issuerKeyHash: Uint8Array.from(digest("sha1", issuer.publicKey.bits)),
  });
  expect(isIdOf(id, certificate, issuer)).toBe(true);
});

test("a CertID of five parts or three is malformed", () => {
  const parts = [sequence(encodeOid(SHA1)), octets(Uint8Array.of(1)), octets(Uint8Array.of(2)), integer("05")];
  expect(readCertificateId(readDer(sequence(...parts), "id"))).toMatchObject({ algorithm: SHA1 });
  for (const odd of [sequence(...parts, encodeDer(Tag.null)), sequence(...parts.slice(0, 3)), sequence()])
    expect(() => readCertificateId(readDer(odd, "id"))).toThrow(DerError);
  expect(() => readCertificateId(undefined)).toThrow(DerError);
});
