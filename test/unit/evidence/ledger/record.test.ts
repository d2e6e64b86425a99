/** A record's text, and the chain: whatever is altered, removed, moved or added below its end is found. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHAIN_START, chainText, checkChain, hashRecord } from "../../../../src/evidence/ledger/chain.ts";
import { signHead } from "../../../../src/evidence/ledger/head.ts";
import { LEDGER_EVENTS, type LedgerEntry, nameEnded, pspsOf } from "../../../../src/evidence/ledger/record.ts";
import { LATENCY_BOUNDS_MS, NO_LATENCIES, percentileOf } from "../../../../src/evidence/ledger/traffic.ts";
import { findTool } from "../../../tools.ts";
import { anyCharacter } from "../../any-character.ts";
import { verifiesByOpenssl } from "../signatures/openssl-verification.ts";
import { makeSigner } from "../signatures/signed-exchange.ts";
import { countAll } from "./made-latencies.ts";

const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value);
const anyText = fc.string({ unit: anyCharacter, maxLength: 40 }).filter((text) => text.isWellFormed());
const id = fc.stringMatching(/^[0-9a-z]{9}[A-Za-z0-9_-]{22}(-[1-9][0-9]{0,2})?$/);

const ENTRY: fc.Arbitrary<LedgerEntry> = fc.record({
  id,
  time: fc
    .date({ min: new Date(0), max: new Date("2199-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  release: fc.constant("0.4.0"),
  fi: anyText,
  request_id: fc.uuid(),
  event: fc.constantFrom(...LEDGER_EVENTS),
  endpoint: fc.constantFrom("GET /v1/psp/eidas", "DELETE /v1/accounts/{account_id}/permissions"),
  version: fc.constantFrom("1", "latest"),
  status: fc.constantFrom(200, 403),
  outcome: fc.constantFrom("ok", "code_used"),
  ms: fc.nat(),
  psp: orNull(anyText),
  checks: fc.array(
    fc.record({
      ...{ certificate: hex, psp: orNull(anyText), jurisdictions: fc.array(fc.constantFrom("XX", "FI")) },
      verdicts: fc.array(fc.constantFrom("notRevoked", "validQTSP")),
      decisions: fc.array(fc.record({ payments: fc.boolean(), accounts: fc.boolean() })),
      basis: hex,
    }),
    { maxLength: 3 },
  ),
  ...{ answer: orNull(hex), token: orNull(id), consent: orNull(id), account: orNull(hex) },
  transaction_reference: orNull(anyText),
});

test("a record's text is the JSON of its number, the hash before it and the entry", () => {
  fc.assert(
    fc.property(ENTRY, fc.nat(), hex, (entry, seq, hash) => {
      const text = chainText(entry, { seq, hash });
      expect(JSON.parse(text)).toEqual({ seq: seq + 1, prev: hash, ...entry });
      expect(text).toBe(`{"seq":${seq + 1},"prev":"${hash}",${JSON.stringify(entry).slice(1)}`);
    }),
  );
});

test("what a withdrawal of thousands ended is named in bounded size, and found by each of its PSPs", () => {
  const permissions = Array.from({ length: 5_000 }, (_, i) => ({
    ...{ id: `0mwqxj5kbWmFzZTY0dXJsLWVuY29k${i}`, scope: "accounts" as const },
    psp: `PSDXX-TEST-${i < 4_000 ? 1 : i % 50}`,
  }));
  const tokens = permissions.map(({ id: token }) => token);
  const ended = nameEnded({ permissions, tokens });
  expect([ended.permissions.length, ended.tokens.length]).toEqual([100, 100]);
  expect(ended.more).toEqual({ permissions: 4_900, tokens: 4_900 });
  expect(JSON.stringify(ended).length).toBeLessThan(16_384);
  const all = new Set(permissions.map(({ psp }) => psp));
  const [entry] = fc.sample(ENTRY, 1);
  if (!entry) throw new Error("no entry");
  const record = { ...entry, psp: null, checks: [], ended, seq: 1, prev: "" };
  expect(new Set(pspsOf(record))).toEqual(all);
});

const openssl = findTool("openssl");
test.runIf(openssl)(
  "OpenSSL verifies a signed head: a JWS whose signing input is its first two parts (RFC 7515 section 5.1)",
  () => {
    const { signer, publicKey } = makeSigner();
    const tree = { first: 5, root: hashRecord("a tree") };
    const end = { fi: "PSDFI-FINFSA-0001", seq: 7, hash: hashRecord("the last") };
    const head = { ...end, ...tree, time: "2026-11-22T12:00:00.000Z" };
    const [header = "", payload = "", signature = ""] = signHead(head, signer).split(".");
    const verifies = (signed: string) =>
      verifiesByOpenssl(openssl ?? "", publicKey, signed, Buffer.from(signature, "base64url"));
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
    expect([read(header), read(payload)]).toEqual([
      { alg: "Ed25519", kid: signer.kid, typ: "psp-gate-head+jws" },
      head,
    ]);
    const altered = Buffer.from(JSON.stringify({ ...head, seq: 8 })).toString("base64url");
    expect([verifies(`${header}.${payload}`), verifies(`${header}.${altered}`)]).toEqual([true, false]);
  },
);

describe("a chain", () => {
  const texts: string[] = [];
  let end = CHAIN_START;
  for (const entry of fc.sample(ENTRY, { numRuns: 12, seed: 7 })) {
    const text = chainText(entry, end);
    texts.push(text);
    end = { seq: end.seq + 1, hash: hashRecord(text) };
  }
  const signedEnd = end;
  /** As an auditor does who has a head. */
  const holds = (given: readonly string[]): boolean => {
    const check = checkChain(given);
    return check.ok && check.end.seq === signedEnd.seq && check.end.hash === signedEnd.hash;
  };

  test("holds as it was written, and from any record on", () => {
    expect(holds(texts)).toBe(true);
    const before = { seq: 5, hash: hashRecord(texts[4] ?? "") };
    expect(checkChain(texts.slice(5), before)).toEqual({ ok: true, end: signedEnd });
  });

  const place = fc.nat(texts.length - 1);
  test("that was altered in one character does not hold", () => {
    const alteration = place.chain((at) =>
      fc.tuple(fc.constant(at), fc.nat((texts[at] ?? "").length - 1), fc.constantFrom("0", "x", " ")),
    );
    fc.assert(
      fc.property(alteration, ([at, i, character]) => {
        const text = texts[at] ?? "";
        fc.pre(text[i] !== character);
        expect(holds(texts.with(at, text.slice(0, i) + character + text.slice(i + 1)))).toBe(false);
      }),
    );
  });
  test("of which a record was removed, cut off, moved or repeated does not hold", () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        expect(holds(texts.toSpliced(a, 1))).toBe(false);
        expect(holds(texts.slice(0, a))).toBe(false);
        expect(holds(texts.toSpliced(b, 0, texts[a] ?? ""))).toBe(false);
        fc.pre(a !== b);
        expect(holds(texts.with(a, texts[b] ?? "").with(b, texts[a] ?? ""))).toBe(false);
      }),
    );
  });
});

test("a percentile is the bound of the bucket in which it lies", () => {
  const counted = countAll(1, 3, 3, 40, 40, 40, 40, 40, 40, 20_000);
  expect([percentileOf(counted, 0.1), percentileOf(counted, 0.5), percentileOf(counted, 0.95)]).toEqual([
    1,
    50,
    Number.POSITIVE_INFINITY,
  ]);
  expect(percentileOf(NO_LATENCIES, 0.5)).toBeNull();
  for (const bound of LATENCY_BOUNDS_MS) expect(percentileOf(countAll(bound), 0.5)).toBe(bound);
});
