/** A kept head and the ledger of today: contained, differs, shorter, or not known; and what the caller says counts only as signed. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SignedEnd, signHead, verifyHead } from "../../../../src/evidence/ledger/head.ts";
import type { InstitutionLedger } from "../../../../src/evidence/ledger/institution-ledger.ts";
import { readSigningKeys } from "../../../../src/evidence/signatures/signing-keys.ts";
import { call, codesOf } from "../../bank.ts";
import { eidasHeader, loadSandbox, OTHER_FI, SANDBOX_FI } from "../../sandbox.ts";
import { DAY, FI_ID, MINUTE, makeEntries, NOON, withLedger } from "./made-entries.ts";
import { recordOf } from "./records.ts";

beforeEach(async () => {
  for (const { key } of (await env.EVIDENCE.list({ prefix: `ledger/${FI_ID}/` })).objects)
    await env.EVIDENCE.delete(key);
});

const FI = "PSDXX-TEST-FI0001";
/** Of a head; a comparison is by its end alone. */
const TREE = { first: 1, root: "0".repeat(64) };
const { signer, published } = readSigningKeys(env);

/** Five records a day, each day closed but the last one. The head of each day's end, as it was kept. */
async function keepHeads(ledger: InstitutionLedger, days = 3): Promise<SignedEnd[]> {
  const kept: SignedEnd[] = [];
  for (let day = 0; day < days; day++) {
    const now = NOON + day * DAY;
    await ledger.keep(now);
    await ledger.append(FI_ID, makeEntries(5, now), false, now);
    const checked = verifyHead(ledger.head(now)?.jws ?? "", published);
    if (!checked.ok) throw new Error(checked.reason);
    kept.push(checked.head);
  }
  return kept;
}
const NOW = NOON + 3 * DAY;
const compare = (ledger: InstitutionLedger, kept: SignedEnd, now: number) => ledger.compare(kept, FI, now);

describe("a kept head", () => {
  test("of any day is contained, and the chain goes on from it to the head of today", () =>
    withLedger(async ({ ledger, open }) => {
      const kept = await keepHeads(ledger);
      await ledger.append(FI_ID, makeEntries(2, NOW), false, NOW);
      for (const head of kept)
        expect(await compare(open(), head, NOW)).toMatchObject({
          ...{ verdict: "contained", found: head.hash, followedTo: 17, differsAt: null, gap: null },
          head: { seq: 17 },
        });
    }));

  test("of which the ledger has another record under its number differs: a ledger that was made anew", () =>
    withLedger(async ({ ledger }) => {
      const [, second] = await keepHeads(ledger);
      if (!second) throw new Error("no head");
      await withLedger(async ({ ledger: other }) => {
        await env.EVIDENCE.delete(
          (await env.EVIDENCE.list({ prefix: `ledger/${FI_ID}/` })).objects.map(({ key }) => key),
        );
        const [, own] = await keepHeads(other);
        expect(await compare(other, second, NOW)).toMatchObject({
          ...{ verdict: "differs", found: own?.hash, differsAt: 10, followedTo: null },
        });
      });
    }));

  test("differs where a record after it was altered in the store, and the numbers say which", () =>
    withLedger(async ({ ledger, storage, open }) => {
      const [, , third] = await keepHeads(ledger);
      const now = NOON + 2 * DAY;
      await ledger.append(FI_ID, makeEntries(3, now + MINUTE), false, now);
      storage.sql.exec(`UPDATE batches SET lines = replace(lines, '"seq":17,', '"seq":17, ') WHERE last_seq = 18`);
      if (!third) throw new Error("no head");
      expect(await compare(open(), third, now)).toMatchObject({ verdict: "differs", found: third.hash, differsAt: 18 });
    }));

  test("is beyond the end of a ledger that was put back to an older state", () =>
    withLedger(async ({ ledger }) => {
      const [first] = await keepHeads(ledger, 1);
      if (!first) throw new Error("no head");
      expect(await compare(ledger, { ...first, seq: 6 }, NOW)).toMatchObject({ verdict: "shorter", head: { seq: 5 } });
      await withLedger(async ({ ledger: empty }) => {
        expect(await compare(empty, first, NOW)).toMatchObject({ verdict: "shorter", head: null });
      });
    }));

  test("cannot be compared where its record is damaged, and where it is kept no longer", () =>
    withLedger(
      async ({ ledger, open }) => {
        const [first, second] = await keepHeads(ledger);
        if (!first || !second) throw new Error("no head");
        await env.EVIDENCE.delete(`ledger/${FI_ID}/000000000006.jsonl.gz`);
        const reader = open();
        expect(await compare(reader, second, NOW)).toMatchObject({ verdict: "unknown", gap: "missing", found: null });
        // up to the gap it is known
        expect(await compare(reader, first, NOW)).toMatchObject({
          verdict: "contained",
          followedTo: 5,
          gap: "missing",
        });
        await ledger.keep(NOON + 31.5 * DAY);
        expect(await compare(open(), first, NOON + 32 * DAY)).toMatchObject({ verdict: "unknown", gap: "expired" });
      },
      { EVIDENCE_RETENTION_DAYS: 30 },
    ));

  test("is followed through eight files at most, and the answer says how far", () =>
    withLedger(async ({ ledger, open }) => {
      const [first] = await keepHeads(ledger, 12);
      if (!first) throw new Error("no head");
      let reads = 0;
      const get = (key: string) => {
        reads += key.endsWith(".jsonl.gz") ? 1 : 0;
        return env.EVIDENCE.get(key);
      };
      expect(await compare(open({ EVIDENCE: { get } as unknown as R2Bucket }), first, NOON + 11 * DAY)).toMatchObject({
        ...{ verdict: "contained", followedTo: 40, head: { seq: 60 } },
      });
      expect(reads).toBe(8);
    }));

  test("of another institution is not compared", () =>
    withLedger(async ({ ledger }) => {
      const [first] = await keepHeads(ledger, 1);
      if (!first) throw new Error("no head");
      expect(await compare(ledger, { ...first, fi: "PSDXX-TEST-FI0002" }, NOW)).toBeNull();
    }));
});

describe("GET /v1/audit/head/comparison", () => {
  beforeAll(loadSandbox);
  const ask = (head: string, headers = {}) =>
    call("GET", `/v1/audit/head/comparison?${new URLSearchParams({ head })}`, { headers });

  test("says that today's ledger contains a head that was kept before more was answered", async () => {
    const check = async () =>
      await recordOf(
        await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: eidasHeader("scenario-1") } }),
      );
    await check();
    const { data: kept } = (await call("GET", "/v1/audit/head")).body;
    const { seq } = await check();
    const { status, body } = await ask(kept.jws);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ verdict: "contained", found: kept.hash, followed_to: seq, head: { seq } });
    expect(body.data.kept).toEqual({ seq: kept.seq, hash: kept.hash, time: kept.time });
  });

  test("takes nothing but what the service has signed for this institution", async () => {
    if (!signer) throw new Error("no key");
    const { data: kept } = (await call("GET", "/v1/audit/head")).body;
    const [header = "", , signature = ""] = kept.jws.split(".");
    const payload = (more: object) =>
      Buffer.from(JSON.stringify({ fi: FI, seq: 1, hash: "0".repeat(64), time: kept.time, ...more })).toString(
        "base64url",
      );
    const forged = await ask(`${header}.${payload({})}.${signature}`);
    expect([forged.status, codesOf(forged)]).toEqual([400, ["head_invalid"]]);
    expect(forged.body.errors[0].title).toContain("it was altered");
    const foreign = await ask(kept.jws, OTHER_FI);
    expect([foreign.status, codesOf(foreign)]).toEqual([400, ["head_invalid"]]);
    const later = signHead(
      { ...TREE, fi: SANDBOX_FI.fi_reference_id, seq: kept.seq + 100, hash: kept.hash, time: kept.time },
      signer,
    );
    expect((await ask(later)).body.data).toMatchObject({ verdict: "shorter", followed_to: null });
    const other = signHead(
      { ...TREE, fi: SANDBOX_FI.fi_reference_id, seq: kept.seq, hash: "0".repeat(64), time: kept.time },
      signer,
    );
    expect((await ask(other)).body.data).toMatchObject({
      verdict: "differs",
      found: kept.hash,
      differs_at: kept.seq,
    });
  });
});
