/** The proof of single records by the ledger's object: open and closed, after an eviction, and where there is none. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { hashRecord } from "../../../../src/evidence/ledger/chain.ts";
import { readHead, verifyHead } from "../../../../src/evidence/ledger/head.ts";
import type { InstitutionLedger } from "../../../../src/evidence/ledger/institution-ledger.ts";
import { followPath } from "../../../../src/evidence/ledger/record-tree.ts";
import { readSigningKeys } from "../../../../src/evidence/signatures/signing-keys.ts";
import { DAY, FI_ID, MINUTE, makeEntries, NO_SIGNING_KEY, NOON, withLedger } from "./made-entries.ts";

beforeEach(async () => {
  for (const { key } of (await env.EVIDENCE.list({ prefix: `ledger/${FI_ID}/` })).objects)
    await env.EVIDENCE.delete(key);
});

const { published } = readSigningKeys(env);

/** By number: the first record of the tree that proves it; null: nothing does. */
async function prove(ledger: InstitutionLedger, seqs: readonly number[], now: number): Promise<(number | null)[]> {
  const proofs = await ledger.prove(seqs, now);
  const proven: (number | null)[] = [];
  for (const [i, proof] of proofs.entries()) {
    const seq = seqs[i] ?? 0;
    const [text = ""] = (await ledger.search.range(seq, seq)).texts;
    const checked = verifyHead(proof?.head ?? "", published);
    if (!proof || !checked.ok) {
      proven.push(null);
      continue;
    }
    const { first, seq: last, root } = checked.head;
    expect(followPath(hashRecord(text), seq - first, last - first + 1, proof.path)).toBe(root);
    proven.push(first);
  }
  return proven;
}
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test("each record has a proof: of closed segments, of the open one, and after an eviction", () =>
  withLedger(async ({ ledger, open }) => {
    for (const day of [0, 1, 2]) {
      const now = NOON + day * DAY;
      await ledger.keep(now);
      await ledger.append(FI_ID, makeEntries(5, now), false, now);
    }
    const now = NOON + 2 * DAY + MINUTE;
    const firsts = [1, 1, 1, 1, 1, 6, 6, 6, 6, 6, 11, 11, 11, 11, 11];
    expect(await prove(ledger, numbers(15), now)).toEqual(firsts);
    expect(await prove(open(), numbers(15).toReversed(), now)).toEqual(firsts.toReversed());
    // what came since is signed when it is asked for
    await ledger.append(FI_ID, makeEntries(1, now), false, now);
    expect(await prove(ledger, [16], now + 1)).toEqual([11]);
  }));

test("what is left open when a segment is closed has a tree of its own, though a head of before has it, too", () =>
  withLedger(async ({ ledger, open }) => {
    await ledger.append(FI_ID, makeEntries(3, NOON), false, NOON);
    const next = NOON + DAY;
    await ledger.append(FI_ID, makeEntries(2, next), false, next);
    const before = ledger.head(next);
    expect(readHead(before?.jws ?? null)).toMatchObject({ first: 1, seq: 5 });
    await ledger.keep(next);
    expect(await prove(ledger, [1, 3, 4, 5], next)).toEqual([1, 1, 4, 4]);
    expect(await prove(open(), [5, 2], next)).toEqual([4, 1]);
    expect(ledger.head(next)).toMatchObject({ seq: 5, hash: before?.hash });
  }));

test("there is none without a signing key, of a number without a record, and of one whose segment is damaged", () =>
  withLedger(async ({ open }) => {
    const keyless = open(NO_SIGNING_KEY);
    await keyless.append(FI_ID, makeEntries(2, NOON), false, NOON);
    expect(await prove(keyless, [1, 2], NOON)).toEqual([null, null]);
    await keyless.keep(NOON + DAY);
    // a key that comes later signs no tree of what was closed before
    const ledger = open();
    await ledger.append(FI_ID, makeEntries(2, NOON + DAY), false, NOON + DAY);
    expect(await prove(ledger, [1, 2, 3, 4, 5, 0], NOON + DAY)).toEqual([null, null, 3, 3, null, null]);
    await ledger.keep(NOON + 2 * DAY);
    expect(await prove(ledger, [3], NOON + 2 * DAY)).toEqual([3]);
    await env.EVIDENCE.delete(`ledger/${FI_ID}/000000000003.jsonl.gz`);
    expect(await prove(open(), [3, 4], NOON + 2 * DAY)).toEqual([null, null]);
  }));
