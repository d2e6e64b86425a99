/** What is kept of an answer to show later on what a status rests. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { judgeCrl, judgeOcsp } from "../../../src/revocation/revocation-sources.ts";
import { describeStatus } from "../../../src/revocation/revocation-status.ts";
import { at, crlAt, makeCertificate, makeCrl, makeOcspResponse, ocspAt } from "../x509/made-pki.ts";

const NOW = at("2026-06-10T00:00:00Z");
const PRODUCED = at("2026-06-02T03:04:05Z");
const OCSP = "http://ocsp.test/";
const CRL = "http://crl.test/ca.crl";
const issuer = makeCertificate({ subject: "CA" });

function issued(...responders: string[]) {
  const { certificate } = makeCertificate({ subject: "PSP", issuer, extensions: [ocspAt(...responders), crlAt(CRL)] });
  const singles = [{ certificate, issuer: issuer.certificate }];
  const response = makeOcspResponse({ responder: issuer, singles, producedAt: PRODUCED });
  return { question: { certificate, issuer: issuer.certificate }, response };
}
const sha256 = (der: Uint8Array) => createHash("sha256").update(der).digest("hex");

test("an OCSP answer: when it was produced, its digest, and the responder that was asked", async () => {
  const { question, response } = issued(OCSP, "http://other.test/");
  const judged = await judgeOcsp("http://other.test/", response, question, NOW);
  const proof = { url: "http://other.test/", producedAt: PRODUCED, sha256: sha256(response) };
  expect(describeStatus("PSP", [judged], NOW)).toMatchObject({ status: "good", source: "OCSP", proof });
});

test("a kept OCSP answer came from the certificate's only responder; with several it is not known from which", async () => {
  const [one, two] = [issued(OCSP), issued(OCSP, "http://other.test/")];
  expect((await judgeOcsp(null, one.response, one.question, NOW)).proof).toMatchObject({ url: OCSP });
  expect((await judgeOcsp(null, two.response, two.question, NOW)).proof).toMatchObject({ url: null });
});

test("a CRL: its thisUpdate, its digest and its URL", async () => {
  const der = makeCrl({ issuer });
  const judged = await judgeCrl(CRL, der, issued(OCSP).question, NOW);
  const proof = { url: CRL, producedAt: at("2026-06-01T00:00:00Z"), sha256: sha256(der) };
  expect(describeStatus("PSP", [judged], NOW)).toMatchObject({ status: "good", source: "CRL", proof });
  // a newer one under the same URL is another answer
  const newer = makeCrl({ issuer, thisUpdate: at("2026-06-05T00:00:00Z") });
  expect((await judgeCrl(CRL, newer, issued(OCSP).question, NOW)).proof?.sha256).toBe(sha256(newer));
});

test("an answer that does not count proves nothing", async () => {
  const { question, response } = issued(OCSP);
  const late = await judgeOcsp(OCSP, response, question, at("2027-01-01T00:00:00Z"));
  expect(describeStatus("PSP", [late], NOW)).toMatchObject({ status: "unknown", proof: null });
});
