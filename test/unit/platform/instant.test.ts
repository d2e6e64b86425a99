/** Numbers and texts from outside that become dates: none lies where `Date` ends, or RFC 3339. */
import { sign } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readSearch } from "../../../src/console/evidence/search.ts";
import { isDated } from "../../../src/evidence/archive/verify-archive.ts";
import { verifyHead } from "../../../src/evidence/ledger/head.ts";
import { signAnswer } from "../../../src/evidence/signatures/answer-signature.ts";
import { importKey, publishKeys } from "../../../src/evidence/signatures/signing-keys.ts";
import { verifyExchange } from "../../../src/evidence/signatures/verify-exchange.ts";
import { boundedInstant } from "../../../src/platform/instant.ts";
import { readRegisterValue } from "../../../src/registers/import/own-form.ts";
import { parseXml } from "../../../src/trust/lists/document.ts";
import { Namespace, readInstant } from "../../../src/trust/lists/elements.ts";
import { readTrustFile } from "../../../src/trust/trust-file.ts";
import { makeSigner } from "../evidence/signatures/signed-exchange.ts";

const [FIRST, LAST] = ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"].map((text) => Date.parse(text));
/** In UTC of the year 10000, and of the year before 0000. */
const LATE = "9999-12-31T23:59:59-01:00";
const EARLY = "0000-01-01T00:00:00+01:00";

test("an instant is one of the years 0000 to 9999, and is written with four digits", () => {
  expect([FIRST, LAST].map((time) => boundedInstant(time ?? 0))).toEqual([FIRST, LAST]);
  for (const time of [(FIRST ?? 0) - 1, (LAST ?? 0) + 1, Number.NaN, Number.POSITIVE_INFINITY, 8_640_000_000_001_000])
    expect(boundedInstant(time)).toBeNull();
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.maxSafeInteger()), (time) => {
      const instant = boundedInstant(time);
      if (instant !== null) expect(new Date(instant).toISOString()).toMatch(/^\d{4}-/);
    }),
  );
});

test.each([LATE, EARLY])("%s is refused in a trusted list, in a trust file and in a register", (text) => {
  const element = parseXml(`<E xmlns="${Namespace.list}">${text}</E>`);
  expect(() => readInstant(element)).toThrow(`not a date and time: ${text}`);
  const file = {
    source: "sandbox",
    jurisdiction: "XX",
    sequenceNumber: 1,
    issuedAt: text,
    nextUpdate: null,
    anchors: [],
  };
  expect(readTrustFile(JSON.stringify(file), {}, Date.parse("2026-11-24T12:00:00Z"))).toMatchObject({
    ok: false,
    problems: expect.arrayContaining([expect.stringMatching(/^issuedAt: /)]),
  });
  const register = { country: "XX", ncaId: "XX-TEST", ncaName: "Test Authority", published: text, psps: [] };
  expect(readRegisterValue(register)).toMatchObject({ ok: false, problems: [{ path: ["published"] }] });
});

test("a head, a record, a saved answer and a request id of a far time are refused", async () => {
  const { signer, named } = makeSigner();
  const keys = publishKeys([named]);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const [hash, time] = ["0".repeat(64), "+275760-09-13T00:00:00.000Z"];
  const end = { fi: "PSDXX-TEST-FI0001", seq: 1, hash, first: 1, root: hash, time };
  const signed = `${part({ alg: "Ed25519", kid: signer.kid, typ: "psp-gate-head+jws" })}.${part(end)}`;
  const jws = `${signed}.${sign(null, Buffer.from(signed), importKey(signer)).toString("base64url")}`;
  expect(verifyHead(jws, keys)).toEqual({ ok: false, reason: expect.stringContaining("does not name") });

  expect(isDated({ time: "2026-11-24T12:00:00.000Z" })).toBe(true);
  expect(isDated({ time: "2026-11-24T12:00:00.000Z", as_of: "+275760-09-13T00:00:00.000Z" })).toBe(false);
  expect(isDated({ time: "noon" })).toBe(false);
  expect(isDated({})).toBe(false);

  const url = "https://gate.bank.example/v1/psp/eidas?jurisdiction=FI";
  const content = new TextEncoder().encode("{}");
  const answered = signAnswer(
    {
      ...{ request: new Request(url, { headers: { "Accept-Signature": 'bank=("@status")' } }), status: 200 },
      ...{ headers: new Headers(), content },
    },
    signer,
    8_640_000_000_001_000,
  );
  const headers = Object.entries(answered ?? {}).map(([name, value]) => ({ name: name.toLowerCase(), value }));
  const saved = { request: { method: "GET", url, headers: [] }, answer: { status: 200, headers, content } };
  expect(await verifyExchange(saved, keys, Date.now())).toMatchObject({
    ok: false,
    reason: "it was signed at 8640000000001 s, which no date has",
  });

  expect(readSearch({ id: "ffffffff-ffff-7000-8000-000000000000" })).toMatchObject({ ok: true, query: { from: null } });
});
