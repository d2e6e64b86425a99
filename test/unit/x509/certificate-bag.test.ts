import { describe, expect, test } from "vitest";
import { makeCertificate, sequence } from "../../../fixtures/makers/made-pki.ts";
import { readCertificateBag } from "../../../src/x509/certificate-bag.ts";
import { context, encodeDer, encodeOid, Tag } from "../../../src/x509/der.ts";

const [one, other] = ["One", "Other"].map((subject) => makeCertificate({ subject }).certificate) as [Made, Made];
type Made = ReturnType<typeof makeCertificate>["certificate"];
const prints = (bytes: Uint8Array) => readCertificateBag(bytes).map(({ fingerprint }) => fingerprint);

const SIGNED_DATA = "1.2.840.113549.1.7.2";
/** A message of this type, whose certificates are these. */
const message = (type: string, ...certificates: Uint8Array[]) =>
  sequence(
    encodeOid(type),
    encodeDer(
      context(0),
      sequence(
        encodeDer(Tag.integer, Uint8Array.of(1)),
        encodeDer(Tag.set),
        sequence(encodeOid("1.2.840.113549.1.7.1")),
        ...(certificates.length > 0 ? [encodeDer(context(0), ...certificates)] : []),
        encodeDer(Tag.set),
      ),
    ),
  );
const pem = (label: string, der: Uint8Array, body = Buffer.from(der).toString("base64")) =>
  Buffer.from(`subject=CA\r\n-----BEGIN ${label}-----\r\n${body}\r\n-----END ${label}-----\r\n`);

describe("what a server publishes as a CA's certificate is read", () => {
  test.each<[string, Uint8Array, Made[]]>([
    ["DER", one.der, [one]],
    ["PEM", pem("CERTIFICATE", one.der), [one]],
    ["PEM of OpenSSL's older label", pem("X509 CERTIFICATE", one.der), [one]],
    ["several in PEM", Buffer.concat([pem("CERTIFICATE", one.der), pem("CERTIFICATE", other.der)]), [one, other]],
    ["PKCS#7", message(SIGNED_DATA, one.der, other.der), [one, other]],
    ["PKCS#7 in PEM", pem("PKCS7", message(SIGNED_DATA, other.der)), [other]],
    ["CMS in PEM", pem("CMS", message(SIGNED_DATA, other.der)), [other]],
    ["what can be read beside what cannot", message(SIGNED_DATA, sequence(), one.der), [one]],
  ])("%s", (_, bytes, expected) => {
    expect(prints(bytes)).toEqual(expected.map(({ fingerprint }) => fingerprint));
  });

  test.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array(0)],
    ["a page", Buffer.from("<html>404</html>")],
    ["DER with more behind it", Buffer.concat([one.der, Uint8Array.of(0)])],
    ["an empty SEQUENCE", sequence()],
    ["a message of another type", message("1.2.840.113549.1.7.1", one.der)],
    ["a message without certificates", message(SIGNED_DATA)],
    ["a message that is cut off", message(SIGNED_DATA, one.der).subarray(0, 60)],
    ["PEM of another kind", pem("PUBLIC KEY", one.der)],
    ["PEM that is not base64", pem("CERTIFICATE", one.der, "A")],
    [
      "a certificate above 16 KiB",
      makeCertificate({ subject: "Big", extensions: [{ oid: "1.2.3", value: new Uint8Array(17_000) }] }).certificate
        .der,
    ],
  ])("of %s nothing", (_, bytes) => {
    expect(prints(bytes)).toEqual([]);
  });

  test("of more than eight the first eight", () => {
    const nine = Array.from({ length: 9 }, (_, i) => makeCertificate({ subject: `CA ${i}` }).certificate.der);
    expect(prints(message(SIGNED_DATA, ...nine))).toHaveLength(8);
    expect(prints(Buffer.concat(nine.map((der) => pem("CERTIFICATE", der))))).toHaveLength(8);
  });
});
