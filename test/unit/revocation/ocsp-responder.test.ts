import { describe, expect, test } from "vitest";
import {
  at,
  type Holder,
  keyUsage,
  type MadeExtension,
  makeCertificate,
  makeOcspResponse,
  OCSP_NOCHECK,
  OCSP_SIGNING,
} from "../../../fixtures/makers/made-pki.ts";
import { basicConstraints, extendedKeyUsage } from "../../../fixtures/makers/path-extensions.ts";
import { findResponder, isToBeChecked, type ResponderCheck } from "../../../src/revocation/ocsp-responder.ts";
import { parseOcspResponse } from "../../../src/revocation/ocsp-response.ts";

const NOW = at("2026-06-10T00:00:00Z");

const issuer = makeCertificate({ subject: "CA" });
const other = makeCertificate({ subject: "Other CA" });
const leaf = makeCertificate({ subject: "PSP", issuer }).certificate;
const certify = (more: Partial<Parameters<typeof makeCertificate>[0]> = {}) =>
  makeCertificate({ subject: "Responder", issuer, extensions: [OCSP_SIGNING], ...more });
const responder = certify();

const single = { certificate: leaf, issuer: issuer.certificate };
async function problemOf(
  by: Holder,
  certificates: Holder[],
  more: { byName?: boolean } & Partial<ResponderCheck> = {},
) {
  const { byName = false, ...rest } = more;
  const response = parseOcspResponse(
    makeOcspResponse({
      responder: by,
      singles: [single],
      certificates: certificates.map(({ certificate }) => certificate),
      byName,
    }),
  );
  if (response.status !== "successful") throw new Error(response.status);
  const found = await findResponder({ basic: response.basic, issuer: issuer.certificate, now: NOW, ...rest });
  if ("reason" in found) return found;
  expect(found.publicKey.spki).toEqual(by.certificate.publicKey.spki);
  return null;
}
const unauthorised = (message: string) => ({ reason: "unauthorised-responder", message });
const BAD_SIGNATURE = {
  reason: "signature",
  message: "its signature does not verify: it was not made with this key over these bytes",
};
const NOBODY = unauthorised("it is signed neither by the issuer nor by a responder whose certificate it contains");

describe("the issuer itself", () => {
  test("needs no certificate, and one that it sends does not matter", async () => {
    expect(await problemOf(issuer, [])).toBeNull();
    expect(await problemOf(issuer, [], { byName: true })).toBeNull();
    expect(await problemOf(issuer, [other])).toBeNull();
  });

  test("is not who signed with another key, whatever certificates come along", async () => {
    const impostor = { ...issuer, key: other.key };
    expect(await problemOf(impostor, [])).toEqual(BAD_SIGNATURE);
    expect(await problemOf(impostor, [other])).toEqual(NOBODY);
  });

  test("may delegate to a responder of its own name", async () => {
    const namesake = certify({ subject: "CA" });
    expect(await problemOf(namesake, [namesake], { byName: true })).toBeNull();
    expect(await problemOf(namesake, [], { byName: true })).toEqual(BAD_SIGNATURE);
  });
});

describe("a delegated responder", () => {
  test("is found by name and by key among five certificates", async () => {
    for (const byName of [true, false]) {
      expect(await problemOf(responder, [responder], { byName })).toBeNull();
      expect(await problemOf(responder, [other, other, other, other, responder], { byName })).toBeNull();
      expect(await problemOf(responder, [other, other, other, other, other, responder], { byName })).toEqual(NOBODY);
    }
  });

  test("is to be checked for revocation unless its certificate has ocsp-nocheck", () => {
    const spared = certify({ extensions: [OCSP_SIGNING, OCSP_NOCHECK] });
    const check = ({ certificate }: Holder) => isToBeChecked(certificate, issuer.certificate);
    expect([issuer, responder, spared].map(check)).toEqual([false, true, false]);
  });

  test("may have two certificates, the wrong one first", async () => {
    const useless = certify({ extensions: [] });
    const renewed = certify({ key: responder.key });
    expect(await problemOf(responder, [useless, renewed], { byName: true })).toBeNull();
    expect(await problemOf(responder, [certify(), renewed], { byName: true })).toBeNull();
  });

  test("is refused for the last certificate that was looked at", async () => {
    const useless = certify({ extensions: [] });
    const notForSigning = unauthorised("the responder's certificate is not for OCSP signing");
    expect(await problemOf(responder, [certify(), useless], { byName: true })).toEqual(notForSigning);
    expect(await problemOf(responder, [useless, certify()], { byName: true })).toEqual(BAD_SIGNATURE);
    expect(await problemOf(responder, [useless, other], { byName: true })).toEqual(notForSigning);
  });

  const usage = (...extensions: MadeExtension[]) => certify({ extensions: [OCSP_SIGNING, ...extensions] });
  test.each([
    ["a keyUsage of digitalSignature", usage(keyUsage(0))],
    ["a keyUsage of nonRepudiation", usage(keyUsage(1))],
    ["a known critical extension", usage(basicConstraints(false))],
    ["a critical extKeyUsage", certify({ extensions: [{ ...OCSP_SIGNING, critical: true }] })],
  ])("may have %s", async (_, by) => {
    expect(await problemOf(by, [by])).toBeNull();
  });

  test("may sign from the first to the last instant of its certificate", async () => {
    const { notBefore, notAfter } = responder.certificate;
    const outside = unauthorised("the responder's certificate is not valid at this time");
    expect(await problemOf(responder, [responder], { now: notBefore })).toBeNull();
    expect(await problemOf(responder, [responder], { now: notAfter })).toBeNull();
    expect(await problemOf(responder, [responder], { now: notBefore - 1 })).toEqual(outside);
    expect(await problemOf(responder, [responder], { now: notAfter + 1 })).toEqual(outside);
  });

  test.each<[string, Holder, string]>([
    ["by another issuer", certify({ issuer: other }), "the responder's certificate has another issuer"],
    ["for no purpose", certify({ extensions: [] }), "the responder's certificate is not for OCSP signing"],
    ["that may not sign", usage(keyUsage(2)), "the responder's key usage does not allow signing"],
    [
      "with an unknown critical extension",
      usage({ oid: "1.2.3.4", critical: true, value: Uint8Array.of(5, 0) }),
      "the responder's certificate has the unknown critical extension 1.2.3.4",
    ],
    // OpenSSL cannot use such a certificate; of a second keyUsage or purpose nobody would have asked
    [
      "with a purpose twice",
      usage(extendedKeyUsage("1.3.6.1.5.5.7.3.1")),
      "the responder's certificate has the extension 2.5.29.37 twice",
    ],
    [
      "by a key in the issuer's name",
      certify({ issuer: { ...issuer, key: other.key } }),
      "the responder's certificate is not signed by the issuer: it was not made with this key over these bytes",
    ],
  ])("is none with a certificate %s", async (_, by, message) => {
    expect(await problemOf(by, [by])).toEqual(unauthorised(message));
  });
});
