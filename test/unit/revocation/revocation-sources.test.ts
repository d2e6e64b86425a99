import { expect, test } from "vitest";
import {
  at,
  crlAt,
  type Holder,
  makeCertificate,
  makeCrl,
  makeOcspResponse,
  ocspAt,
} from "../../../fixtures/makers/made-pki.ts";
import { crlKey, toVerifiedCrl } from "../../../src/revocation/crl-slot.ts";
import { encodeOcspRequest } from "../../../src/revocation/ocsp-request.ts";
import { ocspKey } from "../../../src/revocation/ocsp-slot.ts";
import { listCrlSources, listOcspSources } from "../../../src/revocation/revocation-sources.ts";
import { isDefinite } from "../../../src/revocation/revocation-status.ts";

const NOW = at("2026-06-10T00:00:00Z");
const HOUR = 3_600_000;
const issuer = makeCertificate({ subject: "CA" });
const newKey = makeCertificate({ subject: "CA" });

const issue = (of: { ocsp?: string[]; crls?: string[]; by?: Holder } = {}) => {
  const { ocsp = [], crls = [], by = issuer } = of;
  const extensions = [...(ocsp.length > 0 ? [ocspAt(...ocsp)] : []), ...(crls.length > 0 ? [crlAt(...crls)] : [])];
  const { certificate } = makeCertificate({ subject: "PSP", issuer: by, serial: "0a1b", extensions });
  return { certificate, issuer: by.certificate };
};

test("a certificate without addresses has no sources", () => {
  expect([listOcspSources(issue()), listCrlSources(issue())]).toEqual([[], []]);
});

test("a responder is asked by POST, without a nonce, for an answer of 64 KiB at most", () => {
  const issued = issue({ ocsp: ["http://ocsp.test/a"] });
  const [source] = listOcspSources(issued);
  expect(source).toMatchObject({ kind: "OCSP", url: "http://ocsp.test/a", keptFrom: "http://ocsp.test/a" });
  expect(source?.slot.key).toBe(ocspKey(issued.certificate));
  expect(source?.makeRequest()).toEqual({
    method: "POST",
    body: encodeOcspRequest({ ...issued, nonce: null }),
    contentType: "application/ocsp-request",
    maxBytes: 65_536,
  });
});

test("several responders of a certificate share one slot, so what is kept has no place of origin", () => {
  const [first, second] = listOcspSources(issue({ ocsp: ["http://a.test/", "http://b.test/"] }));
  expect([first?.keptFrom, second?.keptFrom]).toEqual([null, null]);
  expect([first?.url, second?.url]).toEqual(["http://a.test/", "http://b.test/"]);
  expect(first?.slot).toBe(second?.slot);
});

test("each CRL is fetched by GET, and has its slot by its URL and its issuer's name", () => {
  const issued = issue({ crls: ["http://crl.test/a", "http://crl.test/b"] });
  const sources = listCrlSources(issued);
  expect(sources.map(({ kind, url, keptFrom }) => ({ kind, url, keptFrom }))).toEqual([
    { kind: "CRL", url: "http://crl.test/a", keptFrom: "http://crl.test/a" },
    { kind: "CRL", url: "http://crl.test/b", keptFrom: "http://crl.test/b" },
  ]);
  expect(sources.map(({ slot }) => slot.key)).toEqual(
    sources.map(({ url }) => crlKey(url, issuer.certificate.subject)),
  );
  expect(sources[0]?.makeRequest()).toEqual({ method: "GET", maxBytes: expect.any(Number) });
});

test("an OCSP answer is judged at the time given, needs a nextUpdate no more than that, and concerns the certificate", async () => {
  const issued = issue({ ocsp: ["http://ocsp.test/"] });
  const [source] = listOcspSources(issued);
  const answer = (thisUpdate: number, nextUpdate: number | null) =>
    makeOcspResponse({ responder: issuer, singles: [{ ...issued, thisUpdate, nextUpdate }], producedAt: thisUpdate });
  const current = answer(NOW - 300 * HOUR, NOW);
  expect(await source?.check(current, NOW)).toMatchObject({ status: "good" });
  expect(await source?.check(current, NOW + 1)).toMatchObject({ status: "unusable", reason: "stale" });
  const undated = answer(NOW - HOUR, null);
  expect(await source?.check(undated, NOW)).toMatchObject({ status: "good" });
  expect(await source?.check(undated, NOW + 1)).toMatchObject({ status: "unusable", reason: "stale" });
});

test("a CRL is judged at the time given, and bytes that are none are unusable", async () => {
  const issued = issue({ crls: ["http://crl.test/"] });
  const [source] = listCrlSources(issued);
  const crl = makeCrl({ issuer, nextUpdate: NOW, entries: [{ serial: "0a1b" }] });
  expect(await source?.check(crl, NOW)).toMatchObject({ status: "revoked" });
  expect(await source?.check(crl, NOW + 1)).toMatchObject({ status: "unusable", reason: "stale" });
  expect(await source?.check(Uint8Array.of(0x30, 0), NOW)).toMatchObject({
    status: "unusable",
    reason: "malformed",
    message: expect.stringMatching(/^it cannot be read \(.+\)$/),
  });
});

test("a kept CRL concerns the certificates of the key that signed it, not those of the same name", async () => {
  const [ours] = listCrlSources(issue({ crls: ["http://crl.test/"] }));
  const [theirs] = listCrlSources(issue({ crls: ["http://crl.test/"], by: newKey }));
  const kept = toVerifiedCrl(makeCrl({ issuer }), issuer.certificate);
  expect(ours?.concerns(kept)).toBe(true);
  expect(theirs?.concerns(kept)).toBe(false);
  const [responder] = listOcspSources(issue({ ocsp: ["http://ocsp.test/"] }));
  expect(responder?.concerns(kept)).toBe(true);
});

test("what a CRL becomes when it is kept is by its issuer", async () => {
  const issued = issue({ crls: ["http://crl.test/"] });
  const [source] = listCrlSources(issued);
  const der = makeCrl({ issuer });
  const answer = await source?.check(der, NOW);
  if (!answer || !isDefinite(answer)) throw new Error("the CRL does not serve");
  expect(source?.toVerified(der, answer)).toEqual(toVerifiedCrl(der, issuer.certificate));
});
