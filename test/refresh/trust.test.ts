/** The scheduled refresh of trusted lists: from loopback, with every fault that a source or a platform can have. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { PINNED } from "../../fixtures/suites/trusted-lists/list-world.ts";
import type { ListOfLists } from "../../src/refresh/published-list.ts";
import type { RefreshEnv } from "../../src/refresh/schedule.ts";
import { withOwnStores } from "../cli/own-stores.ts";
import { breakingAt } from "../kv-writes.ts";
import { LIST_WORLDS, OWN_LISTS } from "./list-worlds.ts";
import { type Behaviour, Sources } from "./sources.ts";
import { clear, dump, IMPATIENT, withoutChanges, withSources } from "./stores.ts";

// the signers of the made world beside those of the Official Journal
vi.mock("../../src/trust/lists/pinned-signers.ts", async (importOriginal) => {
  const { PINNED_SIGNERS } = await importOriginal<typeof import("../../src/trust/lists/pinned-signers.ts")>();
  return { PINNED_SIGNERS: [...PINNED_SIGNERS, ...PINNED] };
});

const { refreshDue } = await import("../../src/refresh/scheduled.ts");
const { holdLease, LEASE_MS } = await import("../../src/refresh/refreshes.ts");
const { listRefreshes } = await import("../../src/refresh/refreshes.ts");
const { readStatus } = await import("../../src/refresh/status.ts");

const START = Date.parse("2026-11-21T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(LIST_WORLDS)("the scheduled refresh of trusted lists $name", (world) => {
  const { first, others } = world;
  const FIRST_PATH = `/${first.territory}.xml`;
  const FIRST_TASK = `trust/eIDAS/${first.jurisdiction}`;
  let sources: Sources;
  beforeAll(async () => {
    sources = await Sources.start();
  });
  afterAll(() => sources.stop());
  beforeEach(async () => {
    await world.serveListOfLists(sources);
    // of those that the list of lists names
    sources.file(FIRST_PATH, first.bytes);
    for (const { territory } of others) sources.set(`/${territory}.xml`, { sends: "status", status: 404 });
  });

  const serveMore = () => {
    for (const { territory, bytes } of others) sources.file(`/${territory}.xml`, bytes);
  };

  const run = (work: (env: RefreshEnv, all: Env) => Promise<void>) =>
    withOwnStores(async ({ env }) => {
      await clear(env);
      await work(withSources(env, sources), env);
    });

  /** Runs like the cron trigger, once a minute, until the task has had its turn; answers the time. */
  async function runUntil(
    env: RefreshEnv,
    task: string,
    from: number,
  ): Promise<{ at: number; ok: boolean; message: string }> {
    for (let at = from; at < from + 3 * HOUR; at += MINUTE) {
      const turn = (await refreshDue(env, () => at)).find((result) => result.task === task);
      if (turn) return { at, ok: turn.ok, message: turn.ok ? "" : turn.message };
    }
    throw new Error(`${task} never had its turn`);
  }

  /** Brings the first list into the state of an older number, as if that were loaded. */
  async function makeOlder(kv: KVNamespace) {
    const key = `trust/list/eIDAS/${first.jurisdiction}`;
    const manifest = await kv.get<{ keys: Record<string, string> }>(key, "json");
    const [gone = "", ...kept] = Object.keys(manifest?.keys ?? {});
    const keys = Object.fromEntries(kept.map((name) => [name, "of another list"]));
    for (const name of kept) {
      const [anchor] = (await kv.get<object[]>(name, "json")) ?? [];
      await kv.put(name, JSON.stringify([{ ...anchor, serviceName: "Older" }]));
    }
    await kv.delete(gone);
    await kv.put(key, JSON.stringify({ ...manifest, keys, sequenceNumber: first.number - 1 }));
  }

  /** Brings the first list into the form that it had before qualifications were kept. */
  async function forgetQualifications(kv: KVNamespace) {
    const key = `trust/list/eIDAS/${first.jurisdiction}`;
    const manifest = await kv.get<{ keys: Record<string, string> }>(key, "json");
    const names = Object.keys(manifest?.keys ?? {});
    for (const name of names) {
      const text = (await kv.get(name)) ?? "";
      await kv.put(
        name,
        JSON.stringify(JSON.parse(text, (property, value) => (property === "qualifications" ? undefined : value))),
      );
    }
    const keys = Object.fromEntries(names.map((name) => [name, "of the earlier form"]));
    await kv.put(key, JSON.stringify({ ...manifest, keys }));
  }

  const statusOfFirst = async (all: Env) =>
    (await readStatus(all, START)).trustedLists.find(({ jurisdiction }) => jurisdiction === first.jurisdiction);

  test("takes the list of lists first and one list a minute after it, and then only asks whether they changed", () =>
    run(async (env) => {
      serveMore();
      let at = START;
      const jurisdictions = ["EU", ...[first, ...others].map(({ jurisdiction }) => jurisdiction)].sort();
      for (const jurisdiction of ["EU", ...jurisdictions.filter((each) => each !== "EU")]) {
        const turn = await runUntil(env, `trust/eIDAS/${jurisdiction}`, at);
        expect(turn.ok, `${jurisdiction}: ${turn.message}`).toBe(true);
        at = turn.at + MINUTE;
      }
      // a country that the list of lists names with a PDF only has no task that could never succeed
      const tasks = (await listRefreshes(env.DB)).map(({ task }) => task);
      expect(tasks.filter((task) => /^trust\/eIDAS\/X[^AB]$/.test(task))).toEqual([]);
      const loaded = Object.keys(await dump(env.KV, "trust/list/"));
      expect(loaded).toEqual(jurisdictions.map((each) => `trust/list/eIDAS/${each}`));
      sources.asked.length = 0;
      await runUntil(env, FIRST_TASK, START + 2 * HOUR);
      expect(sources.asked).toContain(`${FIRST_PATH} 304`);
      expect(sources.asked).not.toContain(`${FIRST_PATH} 200`);
    }));

  test("does at most one heavy step in an invocation", () =>
    run(async (env) => {
      serveMore();
      await runUntil(env, "trust/eIDAS/EU", START);
      for (let at = START + MINUTE; at < START + 40 * MINUTE; at += MINUTE) {
        const heavy = (await refreshDue(env, () => at)).filter((result) => result.ok && result.heavy);
        expect(heavy.length).toBeLessThanOrEqual(1);
      }
    }));

  // of what follows, published lists show nothing that those of our own do not
  if (world !== OWN_LISTS) return;

  const faults: [string, Behaviour, string][] = [
    ["is down", { sends: "status", status: 503 }, "answered with status 503"],
    ["breaks off half-way", { sends: "half", bytes: first.bytes }, "could not be reached"],
    ["sends HTML", { sends: "html" }, "document type"],
    [
      "sends half a list as if it were whole",
      { sends: "file", bytes: first.bytes.subarray(0, first.bytes.length / 2) },
      "not well-formed",
    ],
    ["sends another country's list", { sends: "file", bytes: others[1].bytes }, "another territory"],
    ["sends an unsigned list", { sends: "file", bytes: world.unsigned }, "no signature"],
    ["sends nothing", { sends: "file", bytes: new Uint8Array() }, "empty"],
    ["is slow", { sends: "slowly", bytes: first.bytes }, "did not answer in time"],
  ];

  test.each(faults)("when a source %s, what was loaded stays and status says why", (_, behaviour, message) =>
    run(async (env, all) => {
      const { at } = await runUntil(env, "trust/eIDAS/EU", START);
      const loaded = await runUntil(env, FIRST_TASK, at + MINUTE);
      await makeOlder(env.KV);
      const before = await dump(env.KV, "trust/");
      sources.set(FIRST_PATH, behaviour);
      // as if the file had never been seen
      await env.DB.prepare("UPDATE refreshes SET memo = '{}', due_at = 0 WHERE task = ?").bind(FIRST_TASK).run();
      const patience = message.endsWith("in time") ? IMPATIENT : {};
      const failed = await runUntil({ ...env, ...patience }, FIRST_TASK, loaded.at + MINUTE);
      expect(failed.ok).toBe(false);
      expect(await dump(env.KV, "trust/")).toEqual(before);
      const status = await statusOfFirst(all);
      expect(status).toMatchObject({ loaded: true, sequenceNumber: first.number - 1, refresh: { failures: 1 } });
      expect(status?.refresh?.lastError?.message).toContain(message);
      // and when it is well again, the next turn heals everything
      sources.file(FIRST_PATH, first.bytes);
      expect(await runUntil(env, FIRST_TASK, failed.at + MINUTE)).toMatchObject({ ok: true });
      expect(await statusOfFirst(all)).toMatchObject({
        sequenceNumber: first.number,
        refresh: { failures: 0, lastError: null },
      });
    }),
  );

  test("a list as large as Germany's is taken", () =>
    run(async (env) => {
      // of sequence number 152, of February 2026
      const bytes = new Uint8Array(5_330_000).fill(" ".charCodeAt(0));
      bytes.set(first.bytes);
      sources.file(FIRST_PATH, bytes);
      const { at } = await runUntil(env, "trust/eIDAS/EU", START);
      expect(await runUntil(env, FIRST_TASK, at + MINUTE)).toMatchObject({ ok: true, message: "" });
    }));

  test("what an earlier version read less of is read again, though its file has not changed", () =>
    run(async (env) => {
      const { at } = await runUntil(env, "trust/eIDAS/EU", START);
      const loaded = await runUntil(env, FIRST_TASK, at + MINUTE);
      const expected = await dump(env.KV, "trust/anchors/");
      expect(JSON.stringify(expected)).toContain("qualifications");
      await forgetQualifications(env.KV);
      expect(JSON.stringify(await dump(env.KV, "trust/anchors/"))).not.toContain("qualifications");
      await env.DB.prepare("UPDATE refreshes SET memo = json_remove(memo, '$.reading'), due_at = 0 WHERE task = ?1")
        .bind(FIRST_TASK)
        .run();
      expect(await runUntil(env, FIRST_TASK, loaded.at + MINUTE)).toMatchObject({ ok: true });
      expect(await dump(env.KV, "trust/anchors/")).toEqual(expected);
    }));

  test("what KV has lost is fetched again although no file has changed, and a 304 is no answer to who has nothing", () =>
    run(async (env, all) => {
      const { at } = await runUntil(env, "trust/eIDAS/EU", START);
      const loaded = await runUntil(env, FIRST_TASK, at + MINUTE);
      const expected = withoutChanges(await dump(env.KV, "trust/"));
      // as with a new namespace
      for (const { name } of (await env.KV.list({ prefix: "trust/" })).keys) await env.KV.delete(name);
      await env.DB.prepare("UPDATE refreshes SET due_at = 0 WHERE task LIKE 'trust/%'").run();
      const again = await runUntil(env, "trust/eIDAS/EU", loaded.at + MINUTE);
      sources.set(FIRST_PATH, { sends: "status", status: 304 });
      const failed = await runUntil(env, FIRST_TASK, again.at + MINUTE);
      expect([failed.ok, failed.message]).toEqual([false, expect.stringContaining("status 304")]);
      expect(await statusOfFirst(all)).toMatchObject({ loaded: false, refresh: { failures: 1 } });
      sources.file(FIRST_PATH, first.bytes);
      expect(await runUntil(env, FIRST_TASK, failed.at + MINUTE)).toMatchObject({ ok: true });
      expect(withoutChanges(await dump(env.KV, "trust/"))).toEqual(expected);
    }));

  test("a list of whose names another import may have brought back what was before is taken again, although it has not changed", () =>
    run(async (env) => {
      const { at } = await runUntil(env, "trust/eIDAS/EU", START);
      const loaded = await runUntil(env, FIRST_TASK, at + MINUTE);
      const expected = withoutChanges(await dump(env.KV, "trust/", true));
      const [name = ""] = Object.keys(await dump(env.KV, "trust/anchors/"));
      const [anchor] = (await env.KV.get<object[]>(name, "json")) ?? [];
      await env.KV.put(name, JSON.stringify([{ ...anchor, serviceName: "Older" }]));
      await env.KV.put(`trust/pending/eIDAS/${first.jurisdiction}`, JSON.stringify([name]));
      await runUntil(env, FIRST_TASK, loaded.at + HOUR);
      expect(withoutChanges(await dump(env.KV, "trust/", true))).toEqual(expected);
    }));

  test("a list that the list of lists names no longer is not trusted any more, and is again when it is named again", () =>
    run(async (env, all) => {
      const { at } = await runUntil(env, "trust/eIDAS/EU", START);
      const loaded = await runUntil(env, FIRST_TASK, at + MINUTE);
      const expected = await dump(env.KV, "trust/anchors/");
      const named = (await env.KV.get<{ sequenceNumber: number; pointers: { territoryOnList: string }[] }>(
        "trust/list-of-lists",
        "json",
      )) ?? { sequenceNumber: 0, pointers: [] };
      const nameAgain = (sequenceNumber: number, pointers: typeof named.pointers) =>
        Promise.all([
          env.KV.put("trust/list-of-lists", JSON.stringify({ ...named, sequenceNumber, pointers })),
          env.DB.prepare("UPDATE refreshes SET due_at = 0 WHERE task = ?1").bind(FIRST_TASK).run(),
        ]);
      const others = named.pointers.filter(({ territoryOnList }) => territoryOnList !== first.territory);
      // KV may show an older list of lists for a while
      await nameAgain(named.sequenceNumber - 1, others);
      const early = await runUntil(env, FIRST_TASK, loaded.at + MINUTE);
      expect([early.ok, await dump(env.KV, "trust/anchors/")]).toEqual([false, expected]);

      await nameAgain(named.sequenceNumber + 1, others);
      const gone = await runUntil(env, FIRST_TASK, early.at + 4 * MINUTE);
      expect(gone.ok).toBe(true);
      expect(await dump(env.KV, "trust/anchors/")).toEqual({});
      const status = { loaded: true, stale: false, sequenceNumber: first.number, anchors: 0, services: 0 };
      expect(await statusOfFirst(all)).toMatchObject({ ...status, refresh: { failures: 0 } });

      await nameAgain(named.sequenceNumber + 2, named.pointers);
      expect(await runUntil(env, FIRST_TASK, gone.at + 4 * MINUTE)).toMatchObject({ ok: true });
      expect(await dump(env.KV, "trust/anchors/")).toEqual(expected);
    }));

  test("a list of lists that is issued again under its number has its lists verified again", () =>
    run(async (env) => {
      const { at } = await runUntil(env, "trust/eIDAS/EU", START);
      const loaded = await runUntil(env, FIRST_TASK, at + MINUTE);
      const named = (await env.KV.get<ListOfLists>("trust/list-of-lists", "json")) ?? {
        sequenceNumber: 0,
        pointers: [],
      };
      const pointers = named.pointers.map((pointer) => ({ ...pointer, signers: [] }));
      const again = { ...named, issuedAt: new Date(START).toISOString(), pointers };
      await env.KV.put("trust/list-of-lists", JSON.stringify(again));
      const turn = await runUntil(env, FIRST_TASK, loaded.at + MINUTE);
      expect(turn).toMatchObject({ ok: false, message: expect.stringContaining("names no list for") });
    }));

  test("a source that goes on failing is asked ever more rarely, but at least once an hour", () =>
    run(async (env) => {
      sources.set("/eu-lotl.xml", { sends: "status", status: 500 });
      let { at } = await runUntil(env, "trust/eIDAS/EU", START);
      for (const minutes of [2, 4, 8, 16, 32, 60, 60]) {
        const due = at + minutes * MINUTE;
        // in the minute before it is not its turn
        ({ at } = await runUntil(env, "trust/eIDAS/EU", due - MINUTE));
        expect(at).toBe(due);
      }
    }));

  test("killed at any write, it is finished by the next as if it had never begun", () =>
    run(async (env, all) => {
      const { at } = await runUntil(env, "trust/eIDAS/EU", START);
      const loaded = await runUntil(env, FIRST_TASK, at + MINUTE);
      const expected = withoutChanges(await dump(env.KV, "trust/"));
      // the names, what is to be touched before them, and the manifest after them
      const last = first.anchorNames + 2;
      for (const n of [1, 2, 5, 12, last - 2, last - 1, last].filter((each) => each <= last)) {
        await makeOlder(env.KV);
        await env.DB.prepare("UPDATE refreshes SET memo = '{}', due_at = 0, failures = 0 WHERE task = ?")
          .bind(FIRST_TASK)
          .run();
        const killed = await runUntil({ ...env, KV: breakingAt(env.KV, n) }, FIRST_TASK, loaded.at + MINUTE);
        expect(killed.ok, `write ${n}`).toBe(false);
        expect(await statusOfFirst(all), `write ${n}`).toMatchObject({ sequenceNumber: first.number - 1 });
        expect(await runUntil(env, FIRST_TASK, killed.at + MINUTE)).toMatchObject({ ok: true });
        expect(withoutChanges(await dump(env.KV, "trust/")), `write ${n}`).toEqual(expected);
      }
    }));

  test("killed where nobody can record it any more, it is not begun again at once", () =>
    run(async (env, all) => {
      const never = new Promise<never>(() => {});
      const kv = new Proxy(env.KV, { get: () => () => never });
      void refreshDue({ ...env, KV: kv }, () => START);
      while ((await readStatus(all, START)).crls.refresh?.failures !== 1);
      // the lease of the one that hangs runs out
      const next = await refreshDue(env, () => START + LEASE_MS - 2 * MINUTE);
      expect(next).toEqual([]);
      expect((await readStatus(all, START)).crls.refresh).toMatchObject({
        ...{ nextCheck: new Date(START + 2 * MINUTE).toISOString() },
        lastError: { message: "a step began and did not end: it is under way, or was killed" },
      });
    }));

  test("while another refresh holds the lease nothing is done, and once it has expired the work goes on", () =>
    run(async (env) => {
      await holdLease(env.DB, "one that was killed", START);
      expect(await refreshDue(env, () => START + LEASE_MS - 1)).toEqual([]);
      expect(await listRefreshes(env.DB)).toEqual([]);
      expect(await refreshDue(env, () => START + LEASE_MS)).not.toEqual([]);
    }));
});
