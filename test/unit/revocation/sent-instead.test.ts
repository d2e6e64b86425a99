/** What a revocation server sent in place of its answer is named, through the checks that read it. */
import { expect, test } from "vitest";
import { enumerated, makeCertificate, makeCrl, makeOcspResponse, sequence } from "../../../fixtures/makers/made-pki.ts";
import { checkCrl } from "../../../src/revocation/crl-check.ts";
import { checkOcspResponse } from "../../../src/revocation/ocsp.ts";

const NOW = Date.parse("2026-06-10T00:00:00Z");
const issuer = makeCertificate({ subject: "CA" });
const { certificate } = makeCertificate({ subject: "PSP", issuer });
const crl = makeCrl({ issuer });
const ocsp = makeOcspResponse({ responder: issuer, singles: [{ certificate, issuer: issuer.certificate }] });

const text = (content: string) => new TextEncoder().encode(content);
const base64 = (der: Uint8Array) => Buffer.from(der).toString("base64");
const pem = (label: string, der: Uint8Array) =>
  text(`-----BEGIN ${label}-----\n${base64(der)}\n-----END ${label}-----\n`);

const common = { issuer: issuer.certificate, certificate, now: NOW };
const READERS = {
  CRL: (bytes: Uint8Array) => checkCrl({ ...common, crl: bytes }),
  OCSP: (bytes: Uint8Array) => checkOcspResponse({ ...common, response: bytes }),
};
const WHOLE = {
  CRL: "a CRL in DER (RFC 5280 section 4.2.1.13)",
  OCSP: "an OCSP response in DER (RFC 6960 appendix A)",
};
type Expected = keyof typeof READERS;
const BOTH: readonly Expected[] = ["CRL", "OCSP"];

test.each<[what: string, bytes: Uint8Array, readers?: readonly Expected[]]>([
  ["empty", text("")],
  ['PEM ("X509 CRL")', pem("X509 CRL", crl)],
  ['PEM ("X509 CRL")', text(`\ufeff\r\n${Buffer.from(pem("X509 CRL", crl)).toString()}`)],
  ['PEM ("CERTIFICATE")', pem("CERTIFICATE", issuer.certificate.der)],
  ["a web page (HTML)", text("<!DOCTYPE html>\n<html><body>Sign in</body></html>")],
  ["a web page (HTML)", text("\n <HTML lang=de>\u00fcber</HTML>")],
  ["XML or HTML", text('<?xml version="1.0"?><error/>')],
  ["base64", text(base64(crl))],
  ['text ("no such file\\u{000a}")', text("no such file\n")],
  ['text ("{\\"error\\":\\"not found\\"}")', text('{"error":"not found"}')],
  ["a certificate", issuer.certificate.der],
  ["a CRL", crl, ["OCSP"]],
  ["an OCSP response", ocsp, ["CRL"]],
  ["an OCSP response", sequence(enumerated(3)), ["CRL"]],
])("%s (%#)", async (what, bytes, readers = BOTH) => {
  for (const expected of readers)
    expect(await READERS[expected](bytes)).toEqual({
      ...{ status: "unusable", reason: "malformed" },
      message: `it cannot be read: it is ${what} instead of ${WHOLE[expected]}`,
    });
});

test.each<[Expected, Uint8Array, string]>([
  ["CRL", Uint8Array.from([...crl, 0]), "CRL: 1 bytes after its end"],
  ["CRL", crl.subarray(0, crl.length - 1), "CRL: truncated"],
  ["CRL", Uint8Array.of(0x30, 0), "tbsCertList: missing"],
  ["CRL", Uint8Array.of(0x1f, 0x8b, 8, 0), "CRL: multi-byte tag"],
  ["OCSP", Uint8Array.from([...ocsp, 0]), "OCSPResponse: 1 bytes after its end"],
  ["OCSP", sequence(enumerated(4)), "responseStatus: no such status"],
])("what is a broken answer of its kind, or of none, is told as before: %s (%#)", async (expected, bytes, problem) => {
  expect(await READERS[expected](bytes)).toMatchObject({ message: `it cannot be read (${problem})` });
});
