/** From the same answers and the same instant follows the same status, word for word. */
import { beforeEach, expect, test } from "vitest";
import {
  at,
  crlAt,
  makeCertificate,
  makeCrl,
  makeOcspResponse,
  OCSP_SIGNING,
  ocspAt,
} from "../../../fixtures/makers/made-pki.ts";
import { judgeAgain, type SaidAnswer } from "../../../src/revocation/judge-again.ts";
import { checkRevocation } from "../../../src/revocation/revocation.ts";
import type { RevocationEvidence, RevocationStatus } from "../../../src/revocation/revocation-status.ts";
import { readRevocationCache } from "../../../src/revocation/revocation-store.ts";
import { checkWith, HOUR, Kv, network, useNetwork } from "./network-and-kv.ts";

useNetwork();

const NOW = at("2026-06-10T00:00:00Z");
const DAY = 24 * HOUR;
const issuer = makeCertificate({ subject: "CA" });
const stranger = makeCertificate({ subject: "CA" });
/** Addresses of its own for each test: a source that failed is left alone for a while. */
let place = 0;
beforeEach(() => void place++);
const urls = () => [`http://ocsp.test/${place}`, `http://crl.test/${place}`] as const;

function issue() {
  const [ocsp, crl] = urls();
  return makeCertificate({ subject: "PSP", issuer, serial: "0a1b", extensions: [ocspAt(ocsp), crlAt(crl)] })
    .certificate;
}

const write = ({ source, url, answer, der, proof, responder }: RevocationEvidence): SaidAnswer => {
  if (der)
    return {
      source,
      url: proof ? proof.url : url,
      der: Uint8Array.from(der),
      responder: responder?.said.map(write),
    };
  if (answer.status !== "unusable" && answer.status !== "unavailable")
    throw new Error(`${answer.status} without bytes`);
  return { source, url, answer };
};
const told = ({ said: _, ...status }: RevocationStatus) => status;

/** The status that a check finds, and the one that follows from what it was told. */
async function twice(certificate: ReturnType<typeof issue>, now: number, kv = new Kv(now)) {
  kv.now = now;
  const path = [certificate, issuer.certificate];
  const status = await checkWith({ checkRevocation, readRevocationCache }, path, kv);
  const [again] = await judgeAgain(path, [status.said.map(write)], now);
  if (!again) throw new Error("no status");
  expect(told(again)).toEqual(told(status));
  return status;
}

const respond = (certificate: ReturnType<typeof issue>, more: object = {}) =>
  makeOcspResponse({ responder: issuer, singles: [{ certificate, issuer: issuer.certificate, ...more }] });

test("good, by OCSP that was fetched and then kept", async () => {
  const certificate = issue();
  network.set(urls()[0], respond(certificate));
  const kv = new Kv(NOW);
  expect(await twice(certificate, NOW, kv)).toMatchObject({ status: "good", source: "OCSP" });
  expect(await twice(certificate, NOW + HOUR, kv)).toMatchObject({ status: "good", source: "OCSP" });
});

test("revoked, by a CRL after an OCSP responder that cannot be reached", async () => {
  const certificate = issue();
  const revokedAt = at("2026-06-02T00:00:00Z");
  network.set(urls()[1], makeCrl({ issuer, entries: [{ serial: "0a1b", revokedAt, reason: 1 }] }));
  const status = await twice(certificate, NOW);
  expect(status).toMatchObject({ status: "revoked", source: "CRL", proof: { crlNumber: "1", url: urls()[1] } });
  expect(status.said).toHaveLength(2);
});

test("revoked, by an answer that has ended since", async () => {
  const certificate = issue();
  const revokedAt = at("2026-06-02T00:00:00Z");
  network.set(urls()[0], respond(certificate, { status: "revoked", revokedAt }));
  const kv = new Kv(NOW);
  await twice(certificate, NOW, kv);
  network.delete(urls()[0]);
  const late = await twice(certificate, NOW + 60 * DAY, kv);
  expect(late).toMatchObject({ status: "revoked" });
  expect(late.message).toContain("is no longer current");
});

test.each([
  ["an OCSP responder", "OCSP", NOW - 2 * HOUR],
  ["an OCSP responder that signs it again", "OCSP", NOW],
  ["a CRL", "CRL", null],
] as const)("revoked, by what %s sends though it has ended, beside an older answer", async (_, source, producedAt) => {
  const certificate = issue();
  const ended = { thisUpdate: NOW - 2 * HOUR, nextUpdate: NOW - HOUR };
  const older = { thisUpdate: NOW - 3 * HOUR, nextUpdate: NOW + DAY };
  const revokes = { ...ended, status: "revoked" } as const;
  network.set(
    urls()[0],
    producedAt === null
      ? null
      : makeOcspResponse({
          ...{ responder: issuer, producedAt },
          singles: [{ certificate, issuer: issuer.certificate, ...revokes }],
        }),
  );
  network.set(
    urls()[1],
    makeCrl(source === "CRL" ? { issuer, ...ended, entries: [{ serial: "0a1b" }] } : { issuer, ...older }),
  );
  const kv = new Kv(NOW);
  const status = await twice(certificate, NOW, kv);
  expect(status).toMatchObject({ status: "revoked", source, ...ended });
  expect(status.proof?.url).toBe(urls()[source === "OCSP" ? 0 : 1]);
  for (const url of urls()) network.set(url, null);
  expect(await twice(certificate, NOW + HOUR, kv)).toMatchObject({ status: "revoked", proof: status.proof });
});

test("unknown: a responder that does not know the certificate, and a CRL of a stranger", async () => {
  const certificate = issue();
  network.set(urls()[0], respond(certificate, { status: "unknown" }));
  network.set(urls()[1], makeCrl({ issuer: stranger }));
  const status = await twice(certificate, NOW);
  expect(status.status).toBe("unknown");
  expect(status.message).toMatch(/does not know the certificate; the CRL of .* cannot be used: /);
});

test("unknown: a responder that does not know the certificate, beside a CRL that does not list it, fetched and kept", async () => {
  const certificate = issue();
  network.set(urls()[0], respond(certificate, { status: "unknown" }));
  network.set(urls()[1], makeCrl({ issuer }));
  const kv = new Kv(NOW);
  for (const now of [NOW, NOW + HOUR]) {
    const status = await twice(certificate, now, kv);
    expect(status).toMatchObject({ status: "unknown", source: null, proof: null });
    expect(status.message).toMatch(/because the OCSP responder \S+ does not know the certificate$/);
  }
  network.set(urls()[0], null);
  const silent = await twice(certificate, NOW + 60 * DAY, kv);
  expect(silent.message).toContain("did not know the certificate in its last answer, of 2026-06-01T00:00:00.000Z; ");
  // now it has been issued
  network.set(urls()[0], respond(certificate, { thisUpdate: NOW, nextUpdate: NOW + 90 * DAY }));
  expect(await twice(certificate, NOW + 60 * DAY + HOUR, kv)).toMatchObject({ status: "good", source: "OCSP" });
});

test.each([
  ["good, with a caution: by a responder whose CRL cannot be had", "good", null],
  ["good: by a responder that its CRL does not list", "good", []],
  ["unknown: by a responder that its CRL revokes", "good", [{ serial: "0b" }]],
  ["revoked, by a responder that its CRL revokes", "revoked", [{ serial: "0b" }]],
] as const)("%s", async (_, said, entries) => {
  const [url, list] = urls();
  const certificate = makeCertificate({ subject: "PSP", issuer, extensions: [ocspAt(url)] }).certificate;
  const extensions = [OCSP_SIGNING, crlAt(list)];
  const responder = makeCertificate({ subject: "Responder", issuer, serial: "0b", extensions });
  const singles = [{ certificate, issuer: issuer.certificate, status: said }];
  network.set(url, makeOcspResponse({ responder, singles, certificates: [responder.certificate] }));
  network.set(list, entries && makeCrl({ issuer, entries: [...entries] }));
  const kv = new Kv(NOW);
  const status = await twice(certificate, NOW, kv);
  expect(status.status).toBe(entries?.length && said === "good" ? "unknown" : said);
  expect(status.caution !== undefined).toBe(entries === null);
  expect(told(await twice(certificate, NOW + 20_000, kv)).status).toBe(status.status);
});

test("good, without a caution: by a responder that was not looked at when it was recorded", async () => {
  const certificate = issue();
  const responder = makeCertificate({ subject: "Responder", issuer, extensions: [OCSP_SIGNING] });
  const singles = [{ certificate, issuer: issuer.certificate }];
  const der = makeOcspResponse({ responder, singles, certificates: [responder.certificate] });
  const [again] = await judgeAgain([certificate, issuer.certificate], [[{ source: "OCSP", url: null, der }]], NOW);
  expect(again).toMatchObject({ status: "good", caution: undefined });
});

test("unknown: nobody answers, nobody could be asked", async () => {
  expect((await twice(issue(), NOW)).status).toBe("unknown");
  const silent = makeCertificate({ subject: "PSP", issuer }).certificate;
  expect((await twice(silent, NOW)).message).toContain("names neither an OCSP responder nor a CRL");
});
