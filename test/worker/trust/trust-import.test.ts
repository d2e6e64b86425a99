import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { clock } from "../../../src/platform/clock.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";
import {
  anchorsKey,
  type ListedAnchor,
  listTrustLists,
  pendingTrustKey,
  type TrustAnchor,
  type TrustList,
} from "../../../src/trust/anchors.ts";
import { importTrustList } from "../../../src/trust/trust-import.ts";
import { nameKey } from "../../../src/x509/name.ts";
import { breakingAt } from "../../kv-writes.ts";
import { limitWrites } from "../faults/once-a-second.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const CAS = ["A", "B", "C", "D"].map((subject) => makeCertificate({ subject: `CA ${subject}` }).certificate);

beforeEach(() => void vi.spyOn(clock, "wait").mockResolvedValue());
afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const anchor = (index: number, serviceName: string): TrustAnchor => ({
  certificate: toBase64(CAS[index]?.der ?? new Uint8Array()),
  ...{ source: "test", jurisdiction: "XX", qtspName: "A QTSP", serviceName },
  periods: [{ status: "granted", from: "2016-07-01T00:00:00Z", uses: null }],
});
const list = (sequenceNumber: number, anchors: TrustAnchor[], source = "test"): TrustList => ({
  ...{ source, jurisdiction: "XX", sequenceNumber, issuedAt: "2026-11-01T00:00:00Z", nextUpdate: null },
  ...{ services: anchors.length, anchors },
});
/** Names of the services that are stored, by CA. */
const stored = async () =>
  await Promise.all(
    CAS.map(async ({ subject }) =>
      ((await env.KV.get<ListedAnchor[]>(anchorsKey(nameKey(subject)), "json")) ?? []).map(
        ({ source, serviceName }) => `${source} ${serviceName}`,
      ),
    ),
  );

describe("the import of a trust list", () => {
  const first = list(1, [anchor(0, "old"), anchor(1, "old")]);
  const second = list(2, [anchor(0, "new"), anchor(2, "new"), anchor(3, "new")]);
  const third = list(3, [anchor(0, "third")]);

  test("writes what changed, removes what vanished, and tells how much", async () => {
    expect(await importTrustList(env.KV, first, NOW)).toEqual({ written: 2, removed: 0, unchanged: 0, left: 0 });
    expect(await importTrustList(env.KV, first, NOW)).toEqual({ written: 0, removed: 0, unchanged: 2, left: 0 });
    expect(await importTrustList(env.KV, second, NOW)).toEqual({ written: 3, removed: 1, unchanged: 0, left: 0 });
    expect(await stored()).toEqual([["test new"], [], ["test new"], ["test new"]]);
  });

  test("counts the anchors that are granted now", async () => {
    const [granted, ended] = [anchor(0, "new"), anchor(1, "old")];
    ended.periods.push({ status: "expired", from: "2026-10-01T00:00:00Z", uses: null });
    await importTrustList(env.KV, list(1, [granted, ended]), NOW);
    expect(await listTrustLists(env.KV)).toMatchObject([{ anchors: 2, granted: 1 }]);
  });

  test("leaves another source's anchors under the same name", async () => {
    await importTrustList(env.KV, list(1, [anchor(0, "theirs")], "OBIE"), NOW);
    await importTrustList(env.KV, first, NOW);
    expect(await stored()).toEqual([["OBIE theirs", "test old"], ["test old"], [], []]);
    await importTrustList(env.KV, list(2, []), NOW);
    expect(await stored()).toEqual([["OBIE theirs"], [], [], []]);
  });

  test("within a bound of writes goes on in the next run, and only the last one turns the manifest", async () => {
    await importTrustList(env.KV, first, NOW);
    expect(await importTrustList(env.KV, second, NOW, 3)).toMatchObject({ left: 1 });
    expect(await listTrustLists(env.KV)).toMatchObject([{ sequenceNumber: 1 }]);
    expect(await importTrustList(env.KV, second, NOW, 3)).toMatchObject({ left: 0 });
    expect(await listTrustLists(env.KV)).toMatchObject([{ sequenceNumber: 2, anchors: 3 }]);
    expect(await stored()).toEqual([["test new"], [], ["test new"], ["test new"]]);
  });

  test("of a small list ends within the second in which KV takes no other write of what was noted for it", async () => {
    expect(await importTrustList(limitWrites(env.KV), first, NOW)).toEqual({
      ...{ written: 2, removed: 0, unchanged: 0, left: 0 },
    });
    expect((await env.KV.list({ prefix: "trust/pending/" })).keys).toEqual([]);
  });

  // an anchor that was written and then taken back must not stay believed
  test("that breaks off at any write leaves nothing behind once any later list is imported", async () => {
    for (let n = 1; n <= 7; n++) {
      await importTrustList(env.KV, first, NOW);
      await expect(importTrustList(breakingAt(env.KV, n), second, NOW), `write ${n}`).rejects.toThrow(
        "the store is gone",
      );
      await importTrustList(env.KV, third, NOW);
      expect(await stored(), `write ${n}`).toEqual([["test third"], [], [], []]);
      await reset();
    }
  });
});

describe("two lists with one CA's name, imported while KV shows one of them what was before", () => {
  const TEST = pendingTrustKey("test", "XX");
  const OBIE = pendingTrustKey("OBIE", "XX");
  /** Shows what is stored now for as long as it is used, as KV's caches do for a minute. */
  async function lagging(): Promise<KVNamespace> {
    const { keys } = await env.KV.list();
    const before = new Map(await Promise.all(keys.map(async ({ name }) => [name, await env.KV.get(name)] as const)));
    const shown = (name: string) => JSON.parse(before.get(name) ?? "null");
    return new Proxy(env.KV, {
      get(target, property) {
        const value = Reflect.get(target, property, target);
        if (property !== "get") return typeof value === "function" ? value.bind(target) : value;
        return async (asked: string | string[]) =>
          Array.isArray(asked) ? new Map(asked.map((name) => [name, shown(name)])) : shown(asked);
      },
    });
  }

  test.each<[string, TrustAnchor[], TrustAnchor[], string[]]>([
    ["both have it still", [anchor(0, "new")], [anchor(0, "theirs, new")], ["OBIE theirs, new", "test new"]],
    ["the first has it no longer", [], [anchor(0, "theirs, new")], ["OBIE theirs, new"]],
    ["neither has it any more", [], [], []],
  ])("%s: what was before comes back, until each is looked at again", async (_, mine, theirs, expected) => {
    await importTrustList(env.KV, list(1, [anchor(0, "old")]), NOW);
    await importTrustList(env.KV, list(1, [anchor(0, "theirs")], "OBIE"), NOW);
    await env.KV.delete(TEST);
    const before = await lagging();
    await importTrustList(env.KV, list(2, mine), NOW);
    await importTrustList(before, list(2, theirs, "OBIE"), NOW + 30_000);
    expect((await stored())[0]).toContain("test old");
    // a refresh takes the lists again whose names are uncertain (refresh/trusted-lists.ts), changed or not
    for (const [key, again] of [
      [TEST, list(2, mine)],
      [OBIE, list(2, theirs, "OBIE")],
    ] as const)
      if (await env.KV.get(key)) await importTrustList(env.KV, again, NOW + 3_600_000);
    expect((await stored())[0]?.sort()).toEqual(expected);
    // and once more, since each has written beside the other
    for (const [key, again] of [
      [OBIE, list(2, theirs, "OBIE")],
      [TEST, list(2, mine)],
    ] as const)
      if (await env.KV.get(key)) await importTrustList(env.KV, again, NOW + 7_200_000);
    expect([(await stored())[0]?.sort(), await env.KV.get(TEST), await env.KV.get(OBIE)]).toEqual([
      expected,
      null,
      null,
    ]);
  });
});

describe("what the manifest says of the last change", () => {
  const lastChange = async () => (await listTrustLists(env.KV))[0]?.lastChange;
  const first = list(1, [anchor(0, "a"), anchor(1, "b")]);

  test("is what was added, changed and removed; a new issue of the same list is no change", async () => {
    await importTrustList(env.KV, first, NOW);
    const added = { at: new Date(NOW).toISOString(), added: 2, changed: 0, removed: 0 };
    expect(await lastChange()).toEqual(added);
    await importTrustList(env.KV, { ...first, sequenceNumber: 2 }, NOW + 1000);
    expect(await lastChange()).toEqual(added);
    await importTrustList(env.KV, list(3, [anchor(0, "renamed"), anchor(2, "c"), anchor(3, "d")]), NOW + 2000);
    expect(await lastChange()).toEqual({ at: new Date(NOW + 2000).toISOString(), added: 2, changed: 1, removed: 1 });
  });

  test("is counted over all runs of an import in several", async () => {
    await importTrustList(env.KV, first, NOW);
    const next = list(2, [anchor(1, "renamed"), anchor(2, "c"), anchor(3, "d")]);
    for (let run = 0; run < 10 && (await importTrustList(env.KV, next, NOW + 1000, 1)).left > 0; run++);
    expect(await lastChange()).toEqual({ at: new Date(NOW + 1000).toISOString(), added: 2, changed: 1, removed: 1 });
    expect((await listTrustLists(env.KV))[0]).not.toHaveProperty("changeSoFar");
  });
});
