import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  at,
  enumerated,
  type Holder,
  keyUsage,
  type MadeExtension,
  type MadeStatus,
  makeCertificate,
  makeOcspResponse,
  OCSP_SIGNING,
  octets,
  sequence,
} from "../../../fixtures/makers/made-pki.ts";
import { toHex } from "../../../src/platform/encoding.ts";
import { checkOcspResponse, verifyOcspAuthenticity } from "../../../src/revocation/ocsp.ts";
import { encodeOcspRequest } from "../../../src/revocation/ocsp-request.ts";
import { parseOcspResponse } from "../../../src/revocation/ocsp-response.ts";
import { DerError, encodeOid } from "../../../src/x509/der.ts";

const NOW = at("2026-06-10T00:00:00Z");
const DAY = 86_400_000;
const NONCE = "1.3.6.1.5.5.7.48.1.2";

const issuer = makeCertificate({ subject: "CA" });
const other = makeCertificate({ subject: "Other CA" });
const namesake = makeCertificate({ subject: "CA" });
const leaf = makeCertificate({ subject: "PSP", issuer, serial: "0a1b2c" }).certificate;
const sibling = makeCertificate({ subject: "PSP 2", issuer, serial: "0a1b2d" }).certificate;
const responder = makeCertificate({ subject: "Responder", issuer, extensions: [OCSP_SIGNING] });

const single = (more: Partial<MadeStatus> = {}): MadeStatus => ({
  certificate: leaf,
  issuer: issuer.certificate,
  ...more,
});
const direct = (more: Partial<MadeStatus> = {}) => makeOcspResponse({ responder: issuer, singles: [single(more)] });
const delegated = (by: Holder, more = {}) =>
  makeOcspResponse({ responder: by, singles: [single()], certificates: [by.certificate], ...more });
const check = (response: Uint8Array, more = {}) =>
  checkOcspResponse({
    response,
    certificate: leaf,
    issuer: issuer.certificate,
    now: NOW,
    maxAgeSeconds: null,
    ...more,
  });

const withUsage = (...extensions: MadeExtension[]) => makeCertificate({ subject: "Responder", issuer, extensions });
const unknownExtension = (critical: boolean): MadeExtension => ({
  oid: "1.2.3.4",
  critical,
  value: Uint8Array.of(5, 0),
});
const nonce = (byte: number): MadeExtension => ({ oid: NONCE, value: octets(Uint8Array.of(byte, byte)) });

test.each([
  ["by the issuer, named by its key", direct()],
  ["by the issuer, named by its name", makeOcspResponse({ responder: issuer, singles: [single()], byName: true })],
  ["that names the issuer by SHA-256", direct({ digestName: "sha256" })],
  ["by a responder that the issuer certified", delegated(responder)],
  ["by such a responder, named by its name", delegated(responder, { byName: true })],
  [
    "whose responder's certificate comes second",
    delegated(responder, { certificates: [sibling, responder.certificate] }),
  ],
  [
    "by a responder with an unknown extension that is not critical",
    delegated(withUsage(OCSP_SIGNING, unknownExtension(false))),
  ],
  [
    "whose other certificate cannot be read",
    delegated(responder, { certificates: [{ der: Uint8Array.of(0x30, 0) }, responder.certificate] }),
  ],
  [
    "about another certificate too",
    makeOcspResponse({ responder: issuer, singles: [single({ certificate: sibling, status: "revoked" }), single()] }),
  ],
  ["with an unknown extension that is not critical", direct({ extensions: [unknownExtension(false)] })],
  [
    "with critical certificate timestamps",
    direct({ extensions: [{ ...unknownExtension(true), oid: "1.3.6.1.4.1.11129.2.4.5" }] }),
  ],
  ["without nextUpdate, half an hour old", direct({ nextUpdate: null, thisUpdate: NOW - 1_800_000 })],
  ["of a responder whose clock is half a minute ahead", direct({ thisUpdate: NOW + 30_000 })],
])("good is believed of an answer %s", async (_, response) => {
  expect(await check(response)).toMatchObject({ status: "good" });
});

test.each([
  [
    "revoked",
    [{ status: "revoked", reason: 1 }],
    { status: "revoked", revokedAt: at("2026-05-01T00:00:00Z"), reason: "keyCompromise" },
  ],
  ["revoked without a reason", [{ status: "revoked" }], { status: "revoked", reason: null }],
  ["unknown", [{ status: "unknown" }], { status: "unknown" }],
  ["revoked beside good", [{ status: "good" }, { status: "revoked" }], { status: "revoked" }],
  ["unknown beside good", [{ status: "unknown" }, { status: "good" }], { status: "unknown" }],
] as const)("an answer %s is read as the strictest of what it says", async (_, statuses, expected) => {
  const response = makeOcspResponse({ responder: issuer, singles: statuses.map((status) => single(status)) });
  expect(await check(response)).toMatchObject(expected);
});

const expired = makeCertificate({ subject: "Responder", issuer, extensions: [OCSP_SIGNING], notAfter: NOW - 1000 });
const foreign = makeCertificate({ subject: "Responder", issuer: other, extensions: [OCSP_SIGNING] });
const forged = makeCertificate({ subject: "Responder", issuer: namesake, extensions: [OCSP_SIGNING] });
const anyPurpose: MadeExtension = { oid: "2.5.29.37", value: Uint8Array.of(0x30, 6, 6, 4, 0x55, 0x1d, 0x25, 0) };
const second = makeCertificate({ subject: "Responder 2", issuer, extensions: [OCSP_SIGNING] });
const renamed = makeCertificate({
  subject: "Responder",
  issuer: { ...other, key: issuer.key },
  extensions: [OCSP_SIGNING],
});
const ambiguous = makeCertificate({
  subject: "Responder",
  issuer,
  extensions: [OCSP_SIGNING],
  algorithm: sequence(encodeOid("1.2.840.10045.4.3.3")),
});
const impostor = { certificate: issuer.certificate, key: other.key };
test.each([
  [
    "is signed with another key in the issuer's name",
    makeOcspResponse({ responder: impostor, singles: [single()] }),
    "signature",
  ],
  ["is signed with another key in the responder's name", delegated({ ...responder, key: other.key }), "signature"],
  [
    "is by a responder that brings no certificate",
    delegated(responder, { certificates: [] }),
    "unauthorised-responder",
  ],
  ["is by a responder certified for nothing", delegated(withUsage()), "unauthorised-responder"],
  ["is by a responder certified for any purpose", delegated(withUsage(anyPurpose)), "unauthorised-responder"],
  [
    "is by a responder whose key may not sign",
    delegated(withUsage(OCSP_SIGNING, keyUsage(5))),
    "unauthorised-responder",
  ],
  [
    "is by a responder with an unknown critical extension",
    delegated(withUsage(OCSP_SIGNING, unknownExtension(true))),
    "unauthorised-responder",
  ],
  ["is by a responder whose certificate has expired", delegated(expired), "unauthorised-responder"],
  ["is by a responder of another issuer", delegated(foreign), "unauthorised-responder"],
  ["is by a responder of an issuer of the same name", delegated(forged), "unauthorised-responder"],
  [
    "names one responder and is signed by another",
    makeOcspResponse({
      responder: { ...responder, key: second.key },
      singles: [single()],
      certificates: [second.certificate],
    }),
    "unauthorised-responder",
  ],
  ["is by a responder that the issuer's key certified in another's name", delegated(renamed), "unauthorised-responder"],
  [
    "is by a responder whose certificate names two signature algorithms",
    delegated(ambiguous),
    "unauthorised-responder",
  ],
  ["is about another certificate", direct({ certificate: sibling }), "other-certificate"],
  ["is about the serial number of another issuer", direct({ issuer: other.certificate }), "other-certificate"],
  ["is past its nextUpdate", direct({ nextUpdate: NOW - 1000 }), "stale"],
  ["is of the future", direct({ thisUpdate: NOW + DAY, nextUpdate: NOW + 2 * DAY }), "not-yet-valid"],
  [
    "was produced in the future",
    makeOcspResponse({ responder: issuer, singles: [single()], producedAt: NOW + DAY }),
    "not-yet-valid",
  ],
  [
    "was produced before the certificate began",
    makeOcspResponse({ responder: issuer, singles: [single()], producedAt: at("2025-12-31T00:00:00Z") }),
    "produced-outside-validity",
  ],
  ["has no nextUpdate and is two hours old", direct({ nextUpdate: null, thisUpdate: NOW - 7_200_000 }), "stale"],
  [
    "has an unknown critical extension",
    makeOcspResponse({ responder: issuer, singles: [single()], extensions: [unknownExtension(true)] }),
    "critical-extension",
  ],
  [
    "has an unknown critical extension in its single answer",
    direct({ extensions: [unknownExtension(true)] }),
    "critical-extension",
  ],
  ["says that the responder is not able to answer", sequence(enumerated(3)), "refused"],
  ["says that the responder may not answer", sequence(enumerated(6)), "refused"],
  ["has a status that does not exist", sequence(enumerated(4)), "malformed"],
  ["is no OCSP answer", Uint8Array.from(Buffer.from("<html>not here</html>")), "malformed"],
  ["is empty", new Uint8Array(0), "malformed"],
])("nothing is known when the answer %s", async (_, response, reason) => {
  expect(await check(response)).toMatchObject({ status: "unusable", reason });
});

test.each([
  ["a minute ahead", NOW + 60_000, NOW, "good"],
  ["more than a minute ahead", NOW + 60_000, NOW - 1, "not-yet-valid"],
  ["when the certificate began", leaf.notBefore, NOW, "good"],
  ["before the certificate began", leaf.notBefore - 1_000, NOW, "produced-outside-validity"],
])("an answer produced %s", async (_, producedAt, now, expected) => {
  const answer = await check(makeOcspResponse({ responder: issuer, singles: [single()], producedAt }), { now });
  expect(answer.status === "unusable" ? answer.reason : answer.status).toBe(expected);
});

test("an answer produced at the certificate's last instant is about it, and none from later", async () => {
  const { notAfter } = leaf;
  const at = (producedAt: number) =>
    makeOcspResponse({ responder: issuer, singles: [single({ nextUpdate: notAfter + DAY })], producedAt });
  expect(await check(at(notAfter), { now: notAfter })).toMatchObject({ status: "good" });
  expect(await check(at(notAfter + 1_000), { now: notAfter + 1_000 })).toMatchObject({
    reason: "produced-outside-validity",
  });
});

test.each([
  [["stale", "stale"], single({ nextUpdate: NOW - 1_000 })],
  [["not-yet-valid", "not-yet-valid"], single({ thisUpdate: NOW + DAY, nextUpdate: NOW + 2 * DAY })],
])("every entry on the certificate has to be current: %j", async ([reason], bad) => {
  for (const singles of [
    [single(), bad],
    [bad, single()],
  ])
    expect(await check(makeOcspResponse({ responder: issuer, singles }))).toMatchObject({ status: "unusable", reason });
});

test.each([
  ["the same nonce", [nonce(1)], "good"],
  ["no nonce, having been produced beforehand", [], "good"],
  ["another nonce", [nonce(2)], "unusable"],
])("after a request with a nonce, an answer with %s is %s", async (_, extensions, status) => {
  const response = makeOcspResponse({ responder: issuer, singles: [single()], extensions });
  expect(await check(response, { nonce: Uint8Array.of(1, 1) })).toMatchObject({ status });
});

test("an answer by the key of an issuer that has another name than the certificate's is not about it", async () => {
  const namedAnew = makeCertificate({ subject: "Renamed CA", key: issuer.key }).certificate;
  expect(await check(direct(), { issuer: namedAnew })).toMatchObject({ reason: "other-certificate" });
});

test("an age limit counts beside nextUpdate", async () => {
  expect(await check(direct(), { maxAgeSeconds: 10 * 86_400 })).toMatchObject({ status: "good" });
  expect(await check(direct(), { maxAgeSeconds: 8 * 86_400 })).toMatchObject({ reason: "stale" });
});

test("authenticity alone does not end with nextUpdate, unless an age limit is set", async () => {
  const response = direct({ thisUpdate: NOW - 2 * DAY, nextUpdate: NOW - DAY });
  const ask = { response, certificate: null, issuer: issuer.certificate, now: NOW };
  expect(await verifyOcspAuthenticity({ ...ask, maxAgeSeconds: null })).toMatchObject({ status: "good" });
  expect(await verifyOcspAuthenticity({ ...ask, maxAgeSeconds: 7 * 86_400 })).toMatchObject({ reason: "stale" });
  expect(await verifyOcspAuthenticity({ ...ask, issuer: namesake.certificate, maxAgeSeconds: null })).toMatchObject({
    status: "unusable",
  });
});

test("no changed byte leaves an answer good, and no truncation throws anything but DerError", async () => {
  const response = delegated(responder);
  for (let i = 0; i < response.length; i++) {
    const changed = Uint8Array.from(response);
    changed[i] = (changed[i] ?? 0) ^ 0x80;
    const answer = await check(changed);
    expect([i, answer.status]).toEqual([i, "unusable"]);
    expect(() => parseOcspResponse(response.subarray(0, i))).toThrow(DerError);
  }
});

test("a request names the certificate by digests of its issuer, and carries the nonce", () => {
  const ask = { certificate: leaf, issuer: issuer.certificate };
  const sha1 = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");
  const id = `300906052b0e03021a05000414${sha1(leaf.issuer.der)}0414${sha1(issuer.certificate.publicKey.bits)}02030a1b2c`;
  expect(toHex(encodeOcspRequest({ ...ask, nonce: null }))).toBe(`304430423040303e303c${id}`);
  const withNonce = toHex(encodeOcspRequest({ ...ask, nonce: Uint8Array.of(0xab, 0xcd) }));
  expect(withNonce).toContain(id);
  expect(withNonce).toMatch(/a2153013301106092b060105050730010204040402abcd$/);
});
