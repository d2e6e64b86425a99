/** The scheduled refresh of the EBA's register: from loopback, in bounded steps, under every fault. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { importEuclidFile } from "../../src/cli/sources/register-files.ts";
import type { RefreshEnv } from "../../src/refresh/schedule.ts";
import { withOwnStores } from "../cli/own-stores.ts";
import { breakingAt } from "../kv-writes.ts";
import { many, PUBLISHED, packRegister, publish } from "./eba-source.ts";
import { Sources } from "./sources.ts";
import { clear, dump, IMPATIENT, withoutChanges, withSources } from "./stores.ts";

const { runStep } = await import("../../src/refresh/scheduled.ts");
const { listRefreshes } = await import("../../src/refresh/refreshes.ts");
const { readStatus } = await import("../../src/refresh/status.ts");
const { clock } = await import("../../src/platform/clock.ts");
const { readRegister } = await import("../../src/registers/lookup.ts");

const NOW = Date.parse("2026-11-21T12:00:00Z");
const MINUTE = 60_000;
/** Beside a country that the new file changes, one that it does not: two institutions show that, and each is several writes. */
const OTHERS = many("DE", 2);
const OLD = packRegister([...many("FR", 10), ...OTHERS]);
const NEW = packRegister([...many("FR", 9, "New Ltd"), ...OTHERS]);

let sources: Sources;
beforeAll(async () => {
  sources = await Sources.start();
});
afterAll(() => sources.stop());

const run = (work: (env: RefreshEnv, all: Env) => Promise<void>) =>
  withOwnStores(async ({ env }) => {
    await clear(env);
    await work(withSources(env, sources), env);
  });

/** One step, as the schedule would run it. */
async function step(env: RefreshEnv, now: number, maxWrites = 1000) {
  const known = (await listRefreshes(env.DB)).find(({ task }) => task === "register/eba");
  return await runStep(env, known ?? { task: "register/eba", failures: 0, stepState: "{}" }, {
    now,
    maxWrites,
    maxListBytes: 0,
  });
}

/** Legal names in the store, by number. */
async function namesIn(env: Pick<Env, "KV">, country: string, count = 10): Promise<(string | null)[]> {
  const readings = Array.from({ length: count }, (_, i) =>
    readRegister(env.KV, country, `PSD${country}-NCA-${i}`, NOW),
  );
  return (await Promise.all(readings)).map(({ categories }) => categories[0]?.record.legalName ?? null);
}

const ebaStatus = async (all: Env, country: string) =>
  (await readStatus(all, NOW)).registers.find(({ jurisdiction }) => jurisdiction === country);

describe("the scheduled refresh of the EBA's register", () => {
  test("loads what the metadata name, and asks for no file whose hash it has loaded", () =>
    run(async (env, all) => {
      publish(sources, "old", OLD);
      expect(await step(env, NOW)).toMatchObject({ ok: true, unfinished: false });
      expect(await namesIn(env, "FR")).toEqual(Array(10).fill("Old Ltd"));
      expect(await ebaStatus(all, "DE")).toMatchObject({
        ...{ source: "eba", loaded: true, psps: 2, published: PUBLISHED.toISOString(), stale: false },
        refresh: { checkedAt: "2026-11-21T12:00:00.000Z", nextCheck: "2026-11-21T20:00:00.000Z", lastError: null },
      });
      sources.asked.length = 0;
      expect(await step(env, NOW + MINUTE)).toMatchObject({ ok: true, summary: "the EBA's register is unchanged" });
      expect(sources.asked).toEqual(["/filemetadata.json 200"]);
    }));

  test("goes on in the next steps with what a step may not write any more, and ends where one step would", () =>
    run(async (env) => {
      publish(sources, "old", OLD);
      await step(env, NOW);
      publish(sources, "new", NEW);
      await step(env, NOW + MINUTE);
      const expected = await dump(env.KV, "register/");
      await clear(env);
      publish(sources, "old", OLD);
      await step(env, NOW);
      publish(sources, "new", NEW);
      const steps = [];
      for (let unfinished = true; unfinished; ) {
        const result = await step(env, NOW + MINUTE, 4);
        if (!result.ok) throw new Error(result.message);
        steps.push(result.summary.replace(/.*: /, ""));
        unfinished = result.unfinished;
      }
      expect(steps).toEqual([
        "4 entries written, 0 removed, 6 left",
        "4 entries written, 0 removed, 2 left",
        "1 entries written, 1 removed, 0 left",
      ]);
      expect(await dump(env.KV, "register/")).toEqual(expected);
    }));

  const faults: [string, () => void, string][] = [
    ["metadata are HTML", () => sources.set("/filemetadata.json", { sends: "html" }), "not the metadata"],
    ["metadata are down", () => sources.set("/filemetadata.json", { sends: "status", status: 502 }), "status 502"],
    ["file is missing", () => sources.set("/eba/new.zip", { sends: "status", status: 404 }), "status 404"],
    ["file is HTML", () => sources.set("/eba/new.zip", { sends: "html" }), "the JSON cannot be read"],
    ["file breaks off half-way", () => sources.set("/eba/new.zip", { sends: "half", bytes: NEW }), "interrupted"],
    ["file is slow", () => sources.set("/eba/new.zip", { sends: "slowly", bytes: NEW }), "did not arrive in time"],
    ["file is truncated", () => sources.file("/eba/new.zip", NEW.subarray(0, NEW.length - 200)), ""],
    ["file is another than its hash says", () => publish(sources, "new", NEW, { hash: "0".repeat(64) }), "SHA-256"],
    [
      "JSON is another than the ZIP's own checksum says",
      () => publish(sources, "new", packRegister(many("FR", 10), true)),
      "SHA-256 of its JSON",
    ],
    [
      "file drops more than a tenth of a country",
      () => publish(sources, "new", packRegister([...many("FR", 8), ...OTHERS])),
      "FR 2 of 10",
    ],
  ];

  test.each(faults)("when the %s, the last good register stays and status says why", (_, spoil, message) =>
    run(async (env, all) => {
      publish(sources, "old", OLD);
      await step(env, NOW);
      const before = await dump(env.KV, "register/");
      publish(sources, "new", NEW);
      spoil();
      const patience = message.endsWith("in time") ? IMPATIENT : {};
      const failed = await step({ ...env, ...patience }, NOW + MINUTE);
      expect(failed).toMatchObject({ ok: false, message: expect.stringContaining(message) });
      expect(await dump(env.KV, "register/")).toEqual(before);
      const status = await ebaStatus(all, "FR");
      expect(status).toMatchObject({ loaded: true, refresh: { failures: 1 } });
      expect(status?.refresh?.lastError?.message).toContain(message);
      publish(sources, "new", NEW);
      expect(await step(env, NOW + 3 * MINUTE)).toMatchObject({ ok: true });
      expect(await namesIn(env, "FR")).toEqual([...Array(9).fill("New Ltd"), null]);
    }),
  );

  test("killed at any write, each PSP is whole and of one of the two files, and the next step finishes", () =>
    run(async (env, all) => {
      publish(sources, "new", NEW);
      await step(env, NOW);
      const expected = withoutChanges(await dump(env.KV, "register/"));
      for (const n of [1, 2, 6, 10, 11, 12, 13, 14]) {
        await clear(env);
        publish(sources, "old", OLD);
        await step(env, NOW);
        publish(sources, "new", NEW);
        expect(await step({ ...env, KV: breakingAt(env.KV, n) }, NOW + MINUTE), `write ${n}`).toMatchObject({
          ok: false,
        });
        for (const name of await namesIn(env, "FR")) expect(["Old Ltd", "New Ltd", null]).toContain(name);
        expect(await namesIn(env, "DE", OTHERS.length)).toEqual(OTHERS.map(() => "Old Ltd"));
        expect(await ebaStatus(all, "FR")).toMatchObject({ loaded: true, refresh: { failures: 1 } });
        expect(await step(env, NOW + 3 * MINUTE), `write ${n}`).toMatchObject({ ok: true });
        expect(withoutChanges(await dump(env.KV, "register/")), `write ${n}`).toEqual(expected);
      }
    }));

  test("one that is loaded in part is not given up for the one before, which a cache on the way may still name", () =>
    run(async (env) => {
      publish(sources, "old", OLD, { published: new Date(PUBLISHED.getTime() - 1000) });
      await step(env, NOW);
      publish(sources, "new", NEW);
      // a pending entry, nine names and a removal, and the manifest is not written
      expect(await step({ ...env, KV: breakingAt(env.KV, 12) }, NOW + MINUTE)).toMatchObject({ ok: false });
      publish(sources, "old", OLD, { published: new Date(PUBLISHED.getTime() - 1000) });
      const message = expect.stringContaining(`${PUBLISHED.toISOString()} is loaded`);
      expect(await step(env, NOW + 3 * MINUTE)).toMatchObject({ ok: false, message });
      publish(sources, "new", NEW);
      expect(await step(env, NOW + 5 * MINUTE)).toMatchObject({ ok: true });
      expect(await namesIn(env, "FR")).toEqual([...Array(9).fill("New Ltd"), null]);
    }));

  test("a file that was published before the loaded one is not taken: it would undo withdrawals", () =>
    run(async (env) => {
      publish(sources, "new", NEW);
      await step(env, NOW);
      const before = await dump(env.KV, "register/");
      publish(sources, "old", OLD, { published: new Date(PUBLISHED.getTime() - 1000) });
      const message = expect.stringContaining(
        `published 2026-11-20T16:00:28.000Z, and 2026-11-20T16:00:29.000Z is loaded`,
      );
      expect(await step(env, NOW + MINUTE)).toMatchObject({ ok: false, message });
      expect(await dump(env.KV, "register/")).toEqual(before);
    }));

  test("a file that is published again, as it was, keeps away those from between, which a cache may still name", () =>
    run(async (env) => {
      const at = (seconds: number) => ({ published: new Date(PUBLISHED.getTime() + seconds * 1000) });
      publish(sources, "old", OLD, at(0));
      await step(env, NOW);
      publish(sources, "old", OLD, at(2));
      expect(await step(env, NOW + MINUTE)).toMatchObject({ ok: true });
      publish(sources, "new", NEW, at(1));
      const message = expect.stringContaining(`${at(2).published.toISOString()} is loaded`);
      expect(await step(env, NOW + 2 * MINUTE)).toMatchObject({ ok: false, message });
      expect(await namesIn(env, "FR")).toEqual(Array(10).fill("Old Ltd"));
      // and it is fetched once
      publish(sources, "old", OLD, at(2));
      expect(await step(env, NOW + 4 * MINUTE)).toMatchObject({ summary: "the EBA's register is unchanged" });
    }));

  test("a malformed record is told with the PSPs that stay as of an earlier file, or that none stays", () =>
    run(async (env) => {
      const nameless = (count: number) => packRegister([...many("FR", 10), { country: "FR", number: count, name: "" }]);
      publish(sources, "old", nameless(10));
      expect(await step(env, NOW)).toMatchObject({
        summary: expect.stringMatching(/ 0 left; 1 malformed records or PSPs; 1 not in the register: PSDFR-NCA-10$/),
      });
      publish(sources, "new", packRegister([...many("FR", 9), { country: "FR", number: 9, name: "" }]));
      expect(await step(env, NOW + MINUTE)).toMatchObject({
        summary: expect.stringMatching(/; 1 malformed records or PSPs; 1 stay as of an earlier file: PSDFR-NCA-9$/),
      });
    }));

  test("a register that KV has lost is loaded again, although its file is the one that was loaded", () =>
    run(async (env) => {
      publish(sources, "old", OLD);
      await step(env, NOW);
      for (const { name } of (await env.KV.list({ prefix: "register/" })).keys) await env.KV.delete(name);
      // at first it may be that KV does not show it yet
      expect(await step(env, NOW + MINUTE)).toMatchObject({
        ...{ ok: true, unfinished: true, summary: expect.stringContaining("KV does not show yet") },
      });
      expect(await namesIn(env, "FR")).toEqual(Array(10).fill(null));
      vi.spyOn(clock, "now").mockReturnValue(Date.now() + 3 * MINUTE);
      await step(env, NOW + 4 * MINUTE);
      vi.restoreAllMocks();
      expect(await namesIn(env, "FR")).toEqual(Array(10).fill("Old Ltd"));
    }));

  test("an import by hand that breaks off is undone by the next step, although its file has not changed", () =>
    run(async (env) => {
      publish(sources, "new", NEW);
      await step(env, NOW);
      const folder = await mkdtemp(join(tmpdir(), "psp-gate-eba-"));
      const path = join(folder, "old.zip");
      await writeFile(path, OLD);
      const stores = { KV: breakingAt(env.KV, 5), DB: env.DB };
      await expect(importEuclidFile(stores, path, "eba", { force: true, older: false }, { left: "" })).rejects.toThrow(
        "the store is gone",
      );
      await rm(folder, { recursive: true });
      expect(await namesIn(env, "FR")).toContain("Old Ltd");
      expect(await step(env, NOW + MINUTE)).toMatchObject({ ok: true });
      expect(await namesIn(env, "FR")).toEqual([...Array(9).fill("New Ltd"), null]);
    }));

  test("published at a time to come, as far as anyone says, it ages from its import", () =>
    run(async (env, all) => {
      publish(sources, "old", OLD, { published: new Date("2126-11-20T16:00:29Z") });
      await step(env, NOW);
      const stale = async (now: number) =>
        (await readStatus({ ...all, REGISTER_MAX_AGE_HOURS_EBA: 24 }, now)).registers.map((one) => one.stale);
      expect(await stale(NOW + 24 * 60 * MINUTE)).toEqual([false, false]);
      expect(await stale(NOW + 24 * 60 * MINUTE + 1)).toEqual([true, true]);
    }));

  test("past its allowed age the register is stale", () =>
    run(async (env, all) => {
      publish(sources, "old", OLD);
      await step(env, NOW);
      const stale = async (now: number) =>
        (await readStatus({ ...all, REGISTER_MAX_AGE_HOURS_EBA: 24 }, now)).registers.map((one) => one.stale);
      expect(await stale(Date.parse("2026-11-21T16:00:29Z"))).toEqual([false, false]);
      expect(await stale(Date.parse("2026-11-21T16:00:30Z"))).toEqual([true, true]);
    }));
});
