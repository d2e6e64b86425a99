import { expect, test } from "vitest";
import { makeCertificate, ocspAt } from "../../../fixtures/makers/made-pki.ts";
import { MAX_CERTIFICATE_BYTES, readFirstCertificate } from "../../../src/eidas/eidas-header.ts";

const first = makeCertificate({ subject: "First" }).certificate;
const second = makeCertificate({ subject: "Second" }).certificate;
const base64 = (...parts: Uint8Array[]) => Buffer.concat(parts).toString("base64");

/** A certificate of exactly so many bytes. The length of its signature varies by a byte or two. */
function ofLength(bytes: number) {
  for (let text = bytes; ; ) {
    const extensions = [ocspAt(`http://${"a".repeat(text)}.test/`)];
    const { certificate } = makeCertificate({ subject: "Long", extensions });
    if (certificate.der.length === bytes) return certificate;
    text += bytes - certificate.der.length;
  }
}

test("the first of several certificates is read, whatever follows it", () => {
  expect(readFirstCertificate(base64(first.der))?.fingerprint).toBe(first.fingerprint);
  expect(readFirstCertificate(base64(first.der, second.der))?.fingerprint).toBe(first.fingerprint);
  expect(readFirstCertificate(base64(first.der, Uint8Array.of(1, 2, 3)))?.fingerprint).toBe(first.fingerprint);
});

test("a header that does not begin with a certificate has none", () => {
  for (const header of [
    "",
    "?",
    base64(Uint8Array.of(0x30)),
    base64(Uint8Array.of(0x30, 0)),
    base64(first.der.subarray(1)),
  ])
    expect([header, readFirstCertificate(header)]).toEqual([header, null]);
});

test("a certificate may be as long as the header's, and not longer", () => {
  const longest = ofLength(MAX_CERTIFICATE_BYTES);
  expect(readFirstCertificate(base64(longest.der))?.fingerprint).toBe(longest.fingerprint);
  expect(readFirstCertificate(base64(ofLength(MAX_CERTIFICATE_BYTES + 1).der))).toBeNull();
});
