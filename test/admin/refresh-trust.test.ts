/** The scheduled refresh of trusted lists: from loopback, with every fault that a source or a platform can have. */
import "./own-state.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RefreshEnv } from "../../src/refresh/step.ts";
import { readShared, sharedData } from "../shared-data.ts";
import { breakingAt, clear, dump, withSources } from "./refresh-stores.ts";
import { type Behaviour, Sources } from "./sources.ts";

const { withStores } = await import("../../src/admin/stores.ts");
const { refreshDue } = await import("../../src/refresh/scheduled.ts");
const { holdLease, LEASE_MS } = await import("../../src/refresh/lease.ts");
const { listRefreshes } = await import("../../src/refresh/refreshes.ts");
const { readStatus } = await import("../../src/refresh/status.ts");

const START = Date.parse("2026-11-21T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const bytesOf = (file: string) => new TextEncoder().encode(readShared(`trusted-lists/${file}`));

describe.runIf(sharedData)("the scheduled refresh of trusted lists", () => {
  let sources: Sources;
  beforeAll(async () => {
    sources = await Sources.start();
  });
  afterAll(() => sources.stop());
  beforeEach(() => {
    sources.file("/eu-lotl.xml", bytesOf("EU-LOTL.xml"));
    // of the 31 that the list of lists names
    sources.file("/FI.xml", bytesOf("FI.xml"));
    for (const territory of ["SE", "EL"]) sources.set(`/${territory}.xml`, { sends: "status", status: 404 });
  });

  const serveMore = () => {
    for (const territory of ["SE", "EL"]) sources.file(`/${territory}.xml`, bytesOf(`${territory}.xml`));
  };

  const run = (work: (env: RefreshEnv, all: Env) => Promise<void>) =>
    withStores({ remote: false }, async ({ env }) => {
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

  /** Brings a list of Finland into the state of an older number, as if that were loaded. */
  async function makeOlder(kv: KVNamespace) {
    const key = "trust/list/eIDAS/FI";
    const manifest = await kv.get<{ keys: Record<string, string> }>(key, "json");
    const [first = "", ...others] = Object.keys(manifest?.keys ?? {});
    const keys = Object.fromEntries(others.map((name) => [name, "of another list"]));
    for (const name of others) {
      const [anchor] = (await kv.get<object[]>(name, "json")) ?? [];
      await kv.put(name, JSON.stringify([{ ...anchor, serviceName: "Older" }]));
    }
    await kv.delete(first);
    await kv.put(key, JSON.stringify({ ...manifest, keys, sequenceNumber: 53 }));
  }

  /** Brings the list of Finland into the form that it had before qualifications were kept. */
  async function forgetQualifications(kv: KVNamespace) {
    const key = "trust/list/eIDAS/FI";
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

  const finland = async (all: Env) =>
    (await readStatus(all, START)).trustedLists.find(({ jurisdiction }) => jurisdiction === "FI");

  test(
    "takes the list of lists first and one list a minute after it, and then only asks whether they changed",
    () =>
      run(async (env) => {
        serveMore();
        let at = START;
        for (const jurisdiction of ["EU", "FI", "GR", "SE"]) {
          const turn = await runUntil(env, `trust/eIDAS/${jurisdiction}`, at);
          expect(turn.ok, `${jurisdiction}: ${turn.message}`).toBe(true);
          at = turn.at + MINUTE;
        }
        const loaded = Object.keys(await dump(env.KV, "trust/list/"));
        expect(loaded).toEqual(["EU", "FI", "GR", "SE"].map((each) => `trust/list/eIDAS/${each}`));
        sources.asked.length = 0;
        await runUntil(env, "trust/eIDAS/FI", START + 2 * HOUR);
        expect(sources.asked).toContain("/FI.xml 304");
        expect(sources.asked).not.toContain("/FI.xml 200");
      }),
    120_000,
  );

  test(
    "does at most one heavy step in an invocation",
    () =>
      run(async (env) => {
        serveMore();
        await runUntil(env, "trust/eIDAS/EU", START);
        for (let at = START + MINUTE; at < START + 40 * MINUTE; at += MINUTE) {
          const heavy = (await refreshDue(env, () => at)).filter((result) => result.ok && result.heavy);
          expect(heavy.length).toBeLessThanOrEqual(1);
        }
      }),
    120_000,
  );

  const half = (file: string): Behaviour => ({ sends: "half", bytes: bytesOf(file) });
  const faults: [string, Behaviour, string][] = sharedData
    ? [
        ["is down", { sends: "status", status: 503 }, "answered with status 503"],
        ["breaks off half-way", half("FI.xml"), "could not be reached"],
        ["sends HTML", { sends: "html" }, "document type"],
        [
          "sends half a list as if it were whole",
          { sends: "file", bytes: bytesOf("FI.xml").subarray(0, 60_000) },
          "not well-formed",
        ],
        ["sends another country's list", { sends: "file", bytes: bytesOf("SE.xml") }, "another territory"],
        ["sends an unsigned list", { sends: "file", bytes: bytesOf("broken/CZ-no-sig.xml") }, "no signature"],
        ["sends nothing", { sends: "file", bytes: new Uint8Array() }, "empty"],
        ["is slow", { sends: "slowly", bytes: bytesOf("FI.xml") }, "did not answer in time"],
      ]
    : [];

  test.each(faults)(
    "when a source %s, what was loaded stays and status says why",
    (_, behaviour, message) =>
      run(async (env, all) => {
        const { at } = await runUntil(env, "trust/eIDAS/EU", START);
        const loaded = await runUntil(env, "trust/eIDAS/FI", at + MINUTE);
        await makeOlder(env.KV);
        const before = await dump(env.KV, "trust/");
        sources.set("/FI.xml", behaviour);
        // as if the file had never been seen
        await env.DB.prepare("UPDATE refreshes SET memo = '{}', due_at = 0 WHERE task = 'trust/eIDAS/FI'").run();
        const failed = await runUntil(env, "trust/eIDAS/FI", loaded.at + MINUTE);
        expect(failed.ok).toBe(false);
        expect(await dump(env.KV, "trust/")).toEqual(before);
        const status = await finland(all);
        expect(status).toMatchObject({ loaded: true, sequenceNumber: 53, refresh: { failures: 1 } });
        expect(status?.refresh?.lastError?.message).toContain(message);
        // and when it is well again, the next turn heals everything
        sources.file("/FI.xml", bytesOf("FI.xml"));
        expect(await runUntil(env, "trust/eIDAS/FI", failed.at + MINUTE)).toMatchObject({ ok: true });
        expect(await finland(all)).toMatchObject({ sequenceNumber: 54, refresh: { failures: 0, lastError: null } });
      }),
    60_000,
  );

  test(
    "what an earlier version read less of is read again, though its file has not changed",
    () =>
      run(async (env) => {
        const { at } = await runUntil(env, "trust/eIDAS/EU", START);
        const loaded = await runUntil(env, "trust/eIDAS/FI", at + MINUTE);
        const expected = await dump(env.KV, "trust/anchors/");
        expect(JSON.stringify(expected)).toContain("QCForWSA");
        await forgetQualifications(env.KV);
        expect(JSON.stringify(await dump(env.KV, "trust/anchors/"))).not.toContain("QCForWSA");
        await env.DB.prepare(
          "UPDATE refreshes SET memo = json_remove(memo, '$.reading'), due_at = 0 WHERE task = 'trust/eIDAS/FI'",
        ).run();
        expect(await runUntil(env, "trust/eIDAS/FI", loaded.at + MINUTE)).toMatchObject({ ok: true });
        expect(await dump(env.KV, "trust/anchors/")).toEqual(expected);
      }),
    60_000,
  );

  test(
    "a source that goes on failing is asked ever more rarely, but at least once an hour",
    () =>
      run(async (env) => {
        sources.set("/eu-lotl.xml", { sends: "status", status: 500 });
        const turns: number[] = [];
        for (let at = START; turns.length < 8; ) {
          const turn = await runUntil(env, "trust/eIDAS/EU", at);
          turns.push((turn.at - START) / MINUTE);
          at = turn.at + MINUTE;
        }
        expect(turns.slice(1).map((turn, i) => turn - (turns[i] ?? 0))).toEqual([2, 4, 8, 16, 32, 60, 60]);
      }),
    60_000,
  );

  test(
    "killed at any write, it is finished by the next as if it had never begun",
    () =>
      run(async (env, all) => {
        const { at } = await runUntil(env, "trust/eIDAS/EU", START);
        const loaded = await runUntil(env, "trust/eIDAS/FI", at + MINUTE);
        const expected = await dump(env.KV, "trust/");
        for (const n of [1, 2, 5, 12, 19, 20, 21]) {
          await makeOlder(env.KV);
          await env.DB.prepare(
            "UPDATE refreshes SET memo = '{}', due_at = 0, failures = 0 WHERE task = 'trust/eIDAS/FI'",
          ).run();
          const killed = await runUntil({ ...env, KV: breakingAt(env.KV, n) }, "trust/eIDAS/FI", loaded.at + MINUTE);
          expect(killed.ok, `write ${n}`).toBe(false);
          expect(await finland(all), `write ${n}`).toMatchObject({ sequenceNumber: 53 });
          expect(await runUntil(env, "trust/eIDAS/FI", killed.at + MINUTE)).toMatchObject({ ok: true });
          expect(await dump(env.KV, "trust/"), `write ${n}`).toEqual(expected);
        }
      }),
    120_000,
  );

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
