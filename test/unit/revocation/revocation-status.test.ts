import { expect, test } from "vitest";
import {
  chooseEvidence,
  describeStatus,
  type RevocationEvidence,
  UNKNOWN_LASTS_MS,
} from "../../../src/revocation/revocation-status.ts";

const NOW = Date.parse("2026-06-10T00:00:00Z");
const HOUR = 3_600_000;
const span = (hours: number) => ({ thisUpdate: NOW + hours * HOUR, nextUpdate: NOW + (hours + 24) * HOUR });
const ocsp = (answer: RevocationEvidence["answer"]): RevocationEvidence => ({
  source: "OCSP",
  url: "http://ocsp.test/",
  answer,
});
const crl = (answer: RevocationEvidence["answer"]): RevocationEvidence => ({
  source: "CRL",
  url: "http://crl.test/ca.crl",
  answer,
});
const good = (hours: number) => ({ status: "good", ...span(hours) }) as const;
const revoked = (hours: number, reason: string | null = "keyCompromise") =>
  ({ status: "revoked", revokedAt: NOW - 48 * HOUR, reason, ...span(hours) }) as const;
const ended = (answer: RevocationEvidence["answer"]): RevocationEvidence => ({ ...ocsp(answer), ended: true });
const held = (hours: number) => revoked(hours, "certificateHold");
const unknown = { status: "unknown", producedAt: NOW - HOUR, ...span(-1) } as const;
const unusable = { status: "unusable", reason: "signature", message: "its signature does not verify" } as const;
const unavailable = { status: "unavailable", message: "did not answer in time" } as const;

test.each([
  ["an older revocation wins over a newer good", [crl(revoked(-9)), ocsp(good(-1))], revoked(-9)],
  ["a newer revocation wins over an older good", [ocsp(revoked(-1)), crl(good(-9))], revoked(-1)],
  ["of two revocations the newer tells", [ocsp(revoked(-9)), crl(revoked(-1))], revoked(-1)],
  [
    "a revocation without a reason is as final as one with",
    [crl(revoked(-9, null)), ocsp(good(-1))],
    revoked(-9, null),
  ],
  ["a hold ends with a newer good", [crl(held(-9)), ocsp(good(-1))], good(-1)],
  ["a hold wins over an older good", [ocsp(good(-9)), crl(held(-1))], held(-1)],
  ["a hold wins over a good of the same instant", [ocsp(good(-1)), crl(held(-1))], held(-1)],
  ["a revocation wins over a newer hold", [ocsp(held(-1)), crl(revoked(-9))], revoked(-9)],
  ["of two goods the newer tells", [ocsp(good(-9)), crl(good(-1))], good(-1)],
  ["a revocation that has ended wins over an older good", [ended(revoked(-9)), crl(good(-10))], revoked(-9)],
  [
    "a revocation that has ended wins over a good of the same instant",
    [ended(revoked(-9)), crl(good(-9))],
    revoked(-9),
  ],
  ["a revocation that has ended gives way to a later good", [ended(revoked(-9)), crl(good(-8))], good(-8)],
  ["a good counts beside an answer that cannot be used", [ocsp(unusable), crl(good(-1))], good(-1)],
])("%s", (_, evidence, expected) => {
  expect(chooseEvidence(evidence)?.answer).toEqual(expected);
  expect(chooseEvidence(evidence.toReversed())?.answer).toEqual(expected);
});

test.each([
  ["no source", []],
  ["a responder that does not know", [ocsp(unknown)]],
  ["an answer that cannot be used", [ocsp(unusable), crl(unusable)]],
  ["a source that cannot be reached", [crl(unavailable)]],
])("nothing is chosen from %s", (_, evidence) => {
  expect(chooseEvidence(evidence)).toBeNull();
});

test("an unknown status tells one reason per source tried, and is asked again soon", () => {
  const said = [ocsp(unavailable), ocsp(unknown), crl(unusable)];
  expect(describeStatus("PSP", said, NOW)).toEqual({
    status: "unknown",
    source: null,
    proof: null,
    thisUpdate: null,
    nextUpdate: null,
    validUntil: NOW + UNKNOWN_LASTS_MS,
    revokedAt: null,
    reason: null,
    message:
      "the certificate of PSP: its status is unknown because " +
      "the OCSP responder http://ocsp.test/ did not answer in time; " +
      "the OCSP responder http://ocsp.test/ does not know the certificate; " +
      "the CRL of http://crl.test/ca.crl cannot be used: its signature does not verify",
    said,
  });
});

test.each([
  ["a CRL does not list", [ocsp(unknown), crl(good(0))], "unknown", null],
  ["a CRL revokes", [ocsp(unknown), crl(revoked(-9))], "revoked", "CRL"],
  ["another responder knows later", [ocsp(unknown), ocsp(good(0)), crl(good(-9))], "good", "OCSP"],
  [
    "another responder knows later, though a CRL is newer",
    [ocsp(unknown), ocsp(good(-0.5)), crl(good(0))],
    "good",
    "CRL",
  ],
  ["another responder knew", [ocsp(unknown), ocsp(good(-9)), crl(good(0))], "unknown", null],
  ["another responder knows as of the same instant", [ocsp(unknown), ocsp(good(-1))], "unknown", null],
  ["a CRL does not list, and no responder answers for", [ocsp(unavailable), crl(good(0))], "good", "CRL"],
] as const)("a responder does not know a certificate that %s", (_, evidence, status, source) => {
  for (const said of [evidence, evidence.toReversed()])
    expect(describeStatus("PSP", said, NOW)).toMatchObject({ status, source });
});

test("of a certificate that its responder does not know, the CRL that does not list it is no reason", () => {
  expect(describeStatus("PSP", [ocsp(unknown), crl(good(0))], NOW)).toMatchObject({
    validUntil: NOW + UNKNOWN_LASTS_MS,
    message:
      "the certificate of PSP: its status is unknown because the OCSP responder http://ocsp.test/ does not know the certificate",
  });
});

test("a good status lasts as long as its answer, and says nothing more", () => {
  expect(describeStatus("PSP", [ocsp(good(-1))], NOW)).toMatchObject({
    status: "good",
    source: "OCSP",
    validUntil: NOW + 23 * HOUR,
    message: "",
  });
});

test("an answer without nextUpdate lasts an hour from its thisUpdate", () => {
  const ageless = { status: "good", thisUpdate: NOW - HOUR / 2, nextUpdate: null } as const;
  expect(describeStatus("PSP", [ocsp(ageless)], NOW).validUntil).toBe(NOW + HOUR / 2);
});

test("a revoked status says since when, why and by whom", () => {
  expect(describeStatus("PSP", [crl(revoked(-1))], NOW)).toMatchObject({
    status: "revoked",
    source: "CRL",
    revokedAt: NOW - 48 * HOUR,
    reason: "keyCompromise",
    message:
      "the certificate of PSP has been revoked since 2026-06-08T00:00:00.000Z (keyCompromise), says its issuer's CRL",
  });
});

test("a revocation that has ended and is all there is says so, and is asked about again soon", () => {
  expect(describeStatus("PSP", [ended(revoked(-30)), crl(unavailable)], NOW)).toMatchObject({
    status: "revoked",
    source: "OCSP",
    validUntil: NOW + UNKNOWN_LASTS_MS,
    message:
      "the certificate of PSP has been revoked since 2026-06-08T00:00:00.000Z (keyCompromise), says its issuer's OCSP responder; " +
      "that answer, of 2026-06-08T18:00:00.000Z, is no longer current, and there is no later one",
  });
});
