import { expect, test } from "vitest";
import { at, integer, makeCertificate, makeCrl } from "../../../fixtures/makers/made-pki.ts";
import { verifyCrl } from "../../../src/revocation/crl-import.ts";
import { toVerifiedCrl } from "../../../src/revocation/crl-slot.ts";

const NOW = at("2026-06-10T00:00:00Z");
const issuer = makeCertificate({ subject: "CA" });
const other = makeCertificate({ subject: "CA" });

test("a complete and current CRL of the issuer is verified, to the last instant of its time", async () => {
  const der = makeCrl({ issuer, nextUpdate: NOW });
  expect(await verifyCrl(der, issuer.certificate, NOW)).toEqual({
    ok: true,
    answer: toVerifiedCrl(der, issuer.certificate),
  });
});

test("what is kept of a CRL is when it was made, how long it lasts, its number, and how many it revokes", () => {
  const times = { thisUpdate: NOW - 2_000, nextUpdate: NOW };
  const entries = [{ serial: "05" }, { serial: "06" }];
  const extensions = [{ oid: "2.5.29.20", value: integer("0102") }];
  expect(toVerifiedCrl(makeCrl({ issuer, ...times, entries, extensions }), issuer.certificate)).toMatchObject({
    ...times,
    issuer: issuer.certificate.der,
    crlNumber: 0x102n,
    revocations: 2,
  });
  const bare = makeCrl({ issuer, version: 1, ...times, nextUpdate: null });
  expect(toVerifiedCrl(bare, issuer.certificate)).toMatchObject({ nextUpdate: null, crlNumber: null, revocations: 0 });
});

test.each([
  [
    "past its time",
    makeCrl({ issuer, nextUpdate: NOW - 1_000 }),
    "stale",
    "a newer one was due at 2026-06-09T23:59:59.000Z",
  ],
  ["signed with another key", makeCrl({ issuer, signer: other.key }), "signature", "its signature does not verify"],
  [
    "of changes only",
    makeCrl({ issuer, extensions: [{ oid: "2.5.29.27", critical: true, value: integer("01") }] }),
    "delta",
    "it is a delta CRL",
  ],
  ["that is none", Uint8Array.of(0x30, 0), "malformed", "it cannot be read (tbsCertList: missing)"],
])("a CRL %s is not verified, and it is said why", async (_, der, reason, message) => {
  expect(await verifyCrl(der, issuer.certificate, NOW)).toEqual({
    ok: false,
    reason,
    message: expect.stringContaining(message),
  });
});
