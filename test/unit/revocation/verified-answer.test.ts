import { describe, expect, test } from "vitest";
import { AnswerMemory, crlMemory, ocspMemory } from "../../../src/revocation/answer-memory.ts";
import { findStandIn, isNewer, listNewest, type VerifiedAnswer } from "../../../src/revocation/verified-answer.ts";

const NOW = Date.parse("2026-06-10T00:00:00Z");
const HOUR = 3_600_000;
const BYTES = 1_000;

const answer = (fields: Partial<VerifiedAnswer> = {}): VerifiedAnswer => ({
  line: "key scope",
  der: new Uint8Array(BYTES),
  issuer: null,
  thisUpdate: NOW - HOUR,
  nextUpdate: NOW + HOUR,
  crlNumber: 7n,
  revocations: 0,
  ...fields,
});

describe("of two answers of one source, newer is", () => {
  const later = { thisUpdate: NOW - HOUR + 1000 };
  test.each<[string, Partial<VerifiedAnswer>, Partial<VerifiedAnswer>]>([
    ["the later thisUpdate", later, {}],
    ["the later thisUpdate, whatever its number", { ...later, crlNumber: 6n }, {}],
    ["the later thisUpdate, though it ends first", { ...later, nextUpdate: NOW }, {}],
    ["the later thisUpdate, though it revokes less", later, { revocations: 3 }],
    ["of one instant the greater CRL number", { crlNumber: 8n }, { revocations: 3 }],
    ["of one instant the greater CRL number, however long", { crlNumber: 2n ** 159n }, { crlNumber: 2n ** 158n }],
    ["of one instant and number the one that revokes more", { revocations: 1 }, {}],
    [
      "of one instant without numbers the one that revokes more",
      { crlNumber: null, revocations: 1 },
      { crlNumber: null },
    ],
    [
      "of one instant the one that revokes more, though it alone has no number",
      { crlNumber: null, revocations: 1 },
      {},
    ],
    ["of one instant the one that revokes more, though it alone has a number", { revocations: 1 }, { crlNumber: null }],
  ])("%s", (_, newer, older) => {
    expect(isNewer(answer(newer), answer(older))).toBe(true);
    expect(isNewer(answer(older), answer(newer))).toBe(false);
  });

  test("none of two that are equally new", () => {
    expect(isNewer(answer(), answer())).toBe(false);
  });
});

describe("the answers that are kept under one key", () => {
  const [old, next] = [answer({ line: "old key" }), answer({ line: "next key", thisUpdate: NOW })];

  test("are the newest of each key and scope, none in another's place", () => {
    const older = answer({ line: "next key", thisUpdate: NOW - 2 * HOUR });
    expect(listNewest([old, next, older], NOW)).toEqual([old, next]);
    expect(listNewest([older, old, next], NOW)).toEqual([next, old]);
  });

  test("are four at most: those that have ended go first, then the newcomers", () => {
    const [a, b, c] = ["a", "b", "c"].map((line) => answer({ line }));
    const ended = answer({ line: "ended", nextUpdate: NOW - 1 });
    if (!a || !b || !c) throw new Error("three");
    expect(listNewest([ended, a, b, c, next], NOW)).toEqual([a, b, c, next]);
    expect(listNewest([a, b, c, next, old], NOW)).toEqual([a, b, c, next]);
  });
});

describe('an answer "unknown"', () => {
  const unknown = answer({ isUnknown: true });
  const good = answer({ thisUpdate: NOW });

  test("is ended by a later good of its line, which counts in its place", () => {
    expect(listNewest([unknown, good], NOW)).toEqual([good]);
    expect(findStandIn([good], unknown)).toBe(good);
  });

  test.each<[string, Partial<VerifiedAnswer>]>([
    ["a good of another line", { line: "next key" }],
    ["a later revocation: a CRL could lift a hold", { revocations: 1 }],
    ["a good of the same instant", { thisUpdate: unknown.thisUpdate }],
  ])("is not ended by %s", (_, fields) => {
    const other = { ...good, ...fields };
    expect(listNewest([unknown, other], NOW)).toEqual([unknown, other]);
    expect(findStandIn([other], unknown)).toBe(unknown);
  });

  test("takes the place of no revocation, nor that of it", () => {
    const revoked = answer({ revocations: 1 });
    expect(findStandIn([unknown, revoked], revoked)).toBe(revoked);
    expect(findStandIn([revoked, unknown], unknown)).toBe(unknown);
  });
});

describe("an isolate's memory of answers", () => {
  const fill = (memory: AnswerMemory, count: number, fields: Partial<VerifiedAnswer> = {}, from = 0) => {
    for (let i = from; i < from + count; i++) memory.add(`key ${i}`, [answer(fields)], NOW);
  };
  const CAPACITY = 100 * BYTES;

  test("never holds more bytes than its capacity, whatever comes", () => {
    const memory = new AnswerMemory(CAPACITY);
    for (let i = 0; i < 1_000; i++) {
      memory.add(`key ${i % 70}`, [answer({ thisUpdate: NOW + i, der: new Uint8Array((i * 7919) % 30_000) })], NOW);
      expect(memory.bytes).toBeLessThanOrEqual(CAPACITY);
    }
    expect(memory.bytes).toBeGreaterThan(CAPACITY / 2);
  });

  test("gives up what has ended first, then what it remembered first", () => {
    const memory = new AnswerMemory(CAPACITY);
    fill(memory, 10);
    memory.add("ended", [answer({ nextUpdate: NOW - 1 })], NOW);
    fill(memory, 22, {}, 10);
    expect(memory.list("ended")).toEqual([]);
    expect(memory.list("key 0")).toHaveLength(1);
    fill(memory, 1, {}, 32);
    expect(memory.list("key 0")).toEqual([]);
    expect(memory.list("key 1")).toHaveLength(1);
  });

  test("does not give up first what has ended and revokes", () => {
    const memory = new AnswerMemory(CAPACITY);
    fill(memory, 2);
    memory.add("revoked", [answer({ nextUpdate: NOW - 1, revocations: 1 })], NOW);
    fill(memory, 30, {}, 2);
    expect(memory.list("key 0")).toEqual([]);
    expect(memory.list("revoked")).toHaveLength(1);
  });

  test("does not give up first what has a current answer beside an ended one", () => {
    const memory = new AnswerMemory(CAPACITY);
    fill(memory, 2);
    memory.add("two lines", [answer({ line: "old key", nextUpdate: NOW - 1 }), answer()], NOW);
    fill(memory, 29, {}, 2);
    expect(memory.list("key 0")).toEqual([]);
    expect(memory.list("two lines")).toHaveLength(2);
  });

  test("does not remember what is larger than it, and forgets nothing else for it", () => {
    const memory = new AnswerMemory(CAPACITY);
    fill(memory, 10);
    memory.add("key 3", [answer({ thisUpdate: NOW, der: new Uint8Array(CAPACITY) })], NOW);
    expect(memory.list("key 3")).toEqual([]);
    expect(memory.list("key 0")).toHaveLength(1);
  });

  test("takes at most 12 MiB for CRLs and OCSP responses together", () => {
    for (let i = 0; i < 30; i++) crlMemory.add(`crl ${i}`, [answer({ der: new Uint8Array(1024 * 1024) })], NOW);
    for (let i = 0; i < 3_000; i++) ocspMemory.add(`ocsp ${i}`, [answer()], NOW);
    expect(crlMemory.bytes + ocspMemory.bytes).toBeLessThanOrEqual(12 * 1024 * 1024);
    expect(crlMemory.list("crl 29")).toHaveLength(1);
    expect(ocspMemory.list("ocsp 2999")).toHaveLength(1);
  });

  /** Of an answer with its overhead, as the memory counts it. */
  const ENTRY = (() => {
    const memory = new AnswerMemory(CAPACITY);
    fill(memory, 1);
    return memory.bytes;
  })();

  test("is filled to its last byte, and gives up no more than it must", () => {
    const memory = new AnswerMemory(2 * ENTRY);
    fill(memory, 2);
    expect(memory.bytes).toBe(2 * ENTRY);
    fill(memory, 1, {}, 2);
    expect([0, 1, 2].map((i) => memory.list(`key ${i}`).length)).toEqual([0, 1, 1]);
    const exact = new AnswerMemory(ENTRY);
    fill(exact, 1);
    expect(exact.list("key 0")).toHaveLength(1);
  });

  test("counts the issuer's certificate beside a CRL, and gives back what it forgets", () => {
    const memory = new AnswerMemory(CAPACITY);
    fill(memory, 1, { issuer: new Uint8Array(500) });
    expect(memory.bytes).toBe(ENTRY + 500);
    fill(memory, 1, { thisUpdate: NOW, der: new Uint8Array(0) });
    expect(memory.bytes).toBe(ENTRY - BYTES);
  });

  test("remembers nothing of a key for which KV has nothing", () => {
    const memory = new AnswerMemory(CAPACITY);
    memory.add("key", [], NOW, NOW);
    expect(memory.recall("key", NOW)).toBeNull();
  });

  test("never puts an older answer in the place of a newer one", () => {
    const memory = new AnswerMemory(CAPACITY);
    const newer = answer({ thisUpdate: NOW });
    memory.add("key", [newer], NOW);
    memory.add("key", [answer()], NOW);
    expect(memory.list("key")).toEqual([newer]);
  });

  test("stands in for KV for half a minute after KV was read, and for no time when it was not", () => {
    const memory = new AnswerMemory(CAPACITY);
    memory.add("key", [answer()], NOW);
    expect(memory.recall("key", NOW)).toBeNull();
    memory.add("key", [], NOW, NOW);
    expect(memory.recall("key", NOW - 1)).toBeNull();
    expect(memory.recall("key", NOW)).toEqual([answer()]);
    expect(memory.recall("key", NOW + 29_999)).toEqual([answer()]);
    expect(memory.recall("key", NOW + 30_000)).toBeNull();
  });
});
