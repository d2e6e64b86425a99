/** What is kept of an answer to show later on what a status rests. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { at, crlAt, makeCertificate, makeCrl, makeOcspResponse, ocspAt } from "../../../fixtures/makers/made-pki.ts";
import { judgeVerified } from "../../../src/revocation/judge-source.ts";
import { listCrlSources, listOcspSources, type Source } from "../../../src/revocation/revocation-sources.ts";
import { describeStatus, isDefinite } from "../../../src/revocation/revocation-status.ts";

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

/** As an answer that was kept is judged again. */
async function judgeKept([source]: readonly Source[], der: Uint8Array, now = NOW) {
  if (!source) throw new Error("the certificate names no source");
  const answer = await source.check(der, NOW);
  if (!isDefinite(answer)) throw new Error(`the answer is ${answer.status}`);
  return judgeVerified(source, source.toVerified(der, answer), null, now, null);
}

test("a kept OCSP response: when it was produced, its digest, and the only responder", async () => {
  const { question, response } = issued(OCSP);
  const proof = { url: OCSP, producedAt: PRODUCED, crlNumber: null, sha256: sha256(response) };
  const judged = await judgeKept(listOcspSources(question), response);
  expect(describeStatus("PSP", [judged], NOW)).toMatchObject({ status: "good", source: "OCSP", proof });
});

test("where the certificate names several responders, it is not known which of them answered", async () => {
  const { question, response } = issued(OCSP, "http://other.test/");
  expect((await judgeKept(listOcspSources(question), response)).proof).toMatchObject({ url: null });
});

test("a CRL: its thisUpdate, its digest and its URL", async () => {
  const sources = listCrlSources(issued(OCSP).question);
  const der = makeCrl({ issuer });
  const judged = await judgeKept(sources, der);
  const proof = { url: CRL, producedAt: at("2026-06-01T00:00:00Z"), crlNumber: "1", sha256: sha256(der) };
  expect(describeStatus("PSP", [judged], NOW)).toMatchObject({ status: "good", source: "CRL", proof });
  // a newer one under the same URL is another answer
  const newer = makeCrl({ issuer, thisUpdate: at("2026-06-05T00:00:00Z") });
  expect((await judgeKept(sources, newer)).proof?.sha256).toBe(sha256(newer));
});

test("an answer that does not count proves nothing", async () => {
  const { question, response } = issued(OCSP);
  const late = await judgeKept(listOcspSources(question), response, at("2027-01-01T00:00:00Z"));
  expect(describeStatus("PSP", [late], NOW)).toMatchObject({ status: "unknown", proof: null });
});
