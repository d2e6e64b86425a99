/** The scheduled refresh of the EBA's register of credit institutions: from loopback, and who is no longer in it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { importEuclidFile, importOwnForm } from "../../src/cli/sources/register-files.ts";
import type { RefreshEnv } from "../../src/refresh/schedule.ts";
import { withOwnStores } from "../cli/own-stores.ts";
import { breakingAt } from "../kv-writes.ts";
import { answerBanks, SEARCH_PATH, writeBanks } from "./bank-source.ts";
import { many } from "./eba-source.ts";
import { Sources } from "./sources.ts";
import { clear, dump, IMPATIENT, withoutChanges, withSources } from "./stores.ts";

const { runStep } = await import("../../src/refresh/scheduled.ts");
const { listRefreshes } = await import("../../src/refresh/refreshes.ts");
const { readStatus } = await import("../../src/refresh/status.ts");
const { clock } = await import("../../src/platform/clock.ts");
const { readRegister } = await import("../../src/registers/lookup.ts");
const { findStale } = await import("../../src/registers/check.ts");
const { DEFAULT_REGISTER_MAX_AGES_MS } = await import("../../src/registers/manifest.ts");
const { readBankFile } = await import("../../src/registers/import/bank-file.ts");
const { importSource } = await import("../../src/registers/import/import-register.ts");

const NOW = Date.parse("2026-11-21T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Beside a country that changes, one that does not. */
const OTHERS = many("DE", 2);
const OLD = [...many("FR", 10), ...OTHERS];
/** Of France the last one is missing. */
const FEWER = [...many("FR", 9), ...OTHERS];

let sources: Sources;
beforeAll(async () => {
  sources = await Sources.start();
});
afterAll(() => sources.stop());
afterEach(() => void vi.restoreAllMocks());

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** With the old banks, of a fetch at `NOW`: a first answer of so few would be refused. */
const run = (work: (env: RefreshEnv, all: Env) => Promise<void>) =>
  withOwnStores(async ({ env }) => {
    await clear(env);
    await load(env);
    await work(withSources(env, sources), env);
  });

async function load(env: Pick<Env, "KV" | "DB">): Promise<void> {
  const file = await readBankFile(inOnePiece(writeBanks(OLD)), { fetchedAt: new Date(NOW).toISOString() });
  if (!file.ok) throw new Error(file.reason);
  expect(await importSource(env, file, { now: NOW, force: false })).toMatchObject({ ok: true });
}

async function step(env: RefreshEnv, now: number, maxWrites = 1_000) {
  const task = "register/credit-institutions";
  const known = (await listRefreshes(env.DB)).find((one) => one.task === task);
  // KV may not show for minutes what one before has written
  vi.spyOn(clock, "now").mockReturnValue(now);
  return await runStep(env, known ?? { task, failures: 0, stepState: "{}" }, { now, maxWrites, maxListBytes: 0 });
}

const bankOf = async (env: Pick<Env, "KV">, number: number, country = "FR") => {
  const reading = await readRegister(env.KV, country, `PSD${country}-NCA-${number}`, clock.now());
  const [one] = reading.categories;
  return { reading, legalName: one?.record.legalName ?? null, absentSince: one?.psp.absentSince };
};
/** Whether the last one is found, and since when it is missing. */
const last = async (env: Pick<Env, "KV">) => {
  const { legalName, absentSince } = await bankOf(env, 9);
  return [legalName !== null, absentSince];
};
const iso = (time: number) => new Date(time).toISOString();
const statusOf = async (all: Env, country: string, now: number) =>
  (await readStatus(all, now)).registers.find(({ jurisdiction }) => jurisdiction === country);

async function withFile(bytes: string | Uint8Array, work: (path: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-banks-"));
  const path = join(folder, "banks.json");
  await writeFile(path, bytes);
  try {
    await work(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const importHere = (env: Pick<Env, "KV" | "DB">, banks: Uint8Array, force = false) =>
  withFile(banks, (path) => importEuclidFile(env, path, "credit-institutions", { force, older: true }, { left: "" }));

describe("the scheduled refresh of the EBA's register of credit institutions", () => {
  test("asks once a day for all banks, by POST, and is as of the fetch", () =>
    run(async (env, all) => {
      answerBanks(sources, [...many("FR", 10, "New SA"), ...OTHERS]);
      sources.asked.length = 0;
      sources.posted.length = 0;
      expect(await step(env, NOW + DAY)).toMatchObject({
        ...{ ok: true, unfinished: false },
        summary: `the EBA's register of credit institutions fetched ${iso(NOW + DAY)}: 10 entries written, 0 removed, 0 left`,
      });
      expect(sources.asked).toEqual(["/search 200"]);
      expect(sources.posted).toEqual(['{"$and":[{"_messagetype":"EUCLIDMD"},{"_payload.EntityType":"CRD_CRE_INS"}]}']);
      expect((await bankOf(env, 9)).legalName).toBe("New SA");
      expect(await statusOf(all, "DE", NOW + DAY)).toMatchObject({
        ...{ source: "credit-institutions", loaded: true, psps: 2, published: iso(NOW + DAY), dated: "fetch" },
        ...{ stale: false, awaited: [] },
        refresh: { checkedAt: iso(NOW + DAY), nextCheck: iso(NOW + 2 * DAY), lastError: null },
      });
    }));

  test("an unchanged answer writes no entry, and the date moves on", () =>
    run(async (env, all) => {
      answerBanks(sources, OLD);
      expect(await step(env, NOW + DAY)).toMatchObject({
        summary: expect.stringContaining("is unchanged; the EBA's register of credit institutions fetched"),
      });
      const { manifests } = (await bankOf(env, 1)).reading;
      expect(manifests).toMatchObject([{ published: iso(NOW + DAY), fetchedAt: iso(NOW + DAY) }]);
      expect((await statusOf(all, "FR", NOW + DAY + 48 * HOUR))?.stale).toBe(false);
      expect((await statusOf(all, "FR", NOW + DAY + 48 * HOUR + 1))?.stale).toBe(true);
      const reading = (await bankOf(env, 1)).reading;
      expect(findStale(reading, DEFAULT_REGISTER_MAX_AGES_MS, NOW + 4 * DAY)).toMatchObject([
        { sentence: expect.stringMatching(/older than 48 hours: it was fetched 2026-11-22T12:00:00.000Z$/) },
      ]);
    }));

  test("goes on in the next steps with what a step may not write any more", () =>
    run(async (env) => {
      answerBanks(sources, [...many("FR", 10, "New SA"), ...OTHERS]);
      expect(await step(env, NOW + DAY, 6)).toMatchObject({ ok: true, unfinished: true });
      expect(await step(env, NOW + DAY + MINUTE, 6)).toMatchObject({ ok: true, unfinished: false });
      expect((await bankOf(env, 9)).legalName).toBe("New SA");
    }));

  test("takes a first answer only if it may be that of all banks", () =>
    withOwnStores(async ({ env: all }) => {
      await clear(all);
      const env = withSources(all, sources);
      answerBanks(sources, many("FR", 1_999));
      expect(await step(env, NOW)).toMatchObject({
        ...{ ok: false, message: expect.stringMatching(/search answers 1999 banks: that cannot be all of them/) },
      });
      expect(await dump(env.KV, "register/")).toEqual({});
      answerBanks(sources, many("FR", 2_000));
      expect(await step(env, NOW + MINUTE, 5)).toMatchObject({ ok: true, unfinished: true });
    }));

  const whole = writeBanks([...many("FR", 10, "New SA"), ...OTHERS]);
  const faults: [string, () => void, string][] = [
    ["is HTML", () => sources.set(SEARCH_PATH, { sends: "html" }), "the JSON cannot be read"],
    ["is an error", () => sources.set(SEARCH_PATH, { sends: "status", status: 502 }), "status 502"],
    ["breaks off", () => sources.set(SEARCH_PATH, { sends: "half", bytes: whole }), "interrupted"],
    ["is slow", () => sources.set(SEARCH_PATH, { sends: "slowly", bytes: whole }), "did not arrive in time"],
    ["is truncated", () => sources.file(SEARCH_PATH, whole.subarray(0, -1)), "the document ends instead of , or ]"],
    ["is empty", () => answerBanks(sources, []), "it has no bank"],
    ["is endless", () => sources.file(SEARCH_PATH, new Uint8Array(20 * 1024 * 1024 + 1).fill(0x20)), "more than"],
    ["lacks a fifth of a country", () => answerBanks(sources, [...many("FR", 8), ...OTHERS]), "FR 2 of 10"],
    ["lacks a country", () => answerBanks(sources, many("FR", 10)), "DE 2 of 2"],
  ];
  test.each(faults)("an answer that %s changes nothing, and status says why", (_, spoil, message) =>
    run(async (env, all) => {
      const before = await dump(env.KV, "register/");
      spoil();
      const patience = message.endsWith("in time") ? IMPATIENT : {};
      const failed = await step({ ...env, ...patience }, NOW + DAY);
      expect(failed).toMatchObject({ ok: false, message: expect.stringContaining(message) });
      expect(await dump(env.KV, "register/")).toEqual(before);
      const status = await statusOf(all, "FR", NOW + DAY);
      expect(status?.refresh?.lastError?.message).toContain(message);
    }),
  );
});

describe("a bank that is no longer in the register of credit institutions", () => {
  test("stays as it was until a second fetch agrees, and answers say so", () =>
    run(async (env, all) => {
      answerBanks(sources, FEWER);
      expect(await step(env, NOW + DAY)).toMatchObject({
        summary: expect.stringMatching(/; 1 no longer in it, which stay until a second fetch agrees: PSDFR-NCA-9$/),
      });
      const { reading } = await bankOf(env, 9);
      expect(await last(env)).toEqual([true, iso(NOW + DAY)]);
      expect(findStale(reading, DEFAULT_REGISTER_MAX_AGES_MS, NOW + DAY)).toEqual([
        {
          code: "register_stale",
          sentence: `the entry of PSDFR-NCA-9 in the credit-institutions register of FR is that fetched ${iso(NOW)}: the fetch of ${iso(NOW + DAY)} has none, and a second one is to confirm it`,
        },
      ]);
      // of the others nothing is said
      expect(findStale((await bankOf(env, 8)).reading, DEFAULT_REGISTER_MAX_AGES_MS, NOW + DAY)).toEqual([]);
      expect(await statusOf(all, "FR", NOW + DAY)).toMatchObject({ psps: 10, awaited: ["PSDFR-NCA-9"], kept: [] });
      expect(await step(env, NOW + 2 * DAY)).toMatchObject({ ok: true });
      expect(await last(env)).toEqual([false, undefined]);
      expect(await statusOf(all, "FR", NOW + 2 * DAY)).toMatchObject({ psps: 9, awaited: [] });
    }));

  test("is not withdrawn by two fetches that are close together, nor by one that failed", () =>
    run(async (env) => {
      answerBanks(sources, FEWER);
      await step(env, NOW + DAY);
      for (const later of [MINUTE, 2 * MINUTE, 12 * HOUR - 1]) {
        expect(await step(env, NOW + DAY + later)).toMatchObject({ ok: true });
        expect(await last(env)).toEqual([true, iso(NOW + DAY)]);
      }
      sources.file(SEARCH_PATH, writeBanks(FEWER).subarray(0, -1));
      expect(await step(env, NOW + 2 * DAY)).toMatchObject({ ok: false });
      expect(await last(env)).toEqual([true, iso(NOW + DAY)]);
      answerBanks(sources, FEWER);
      await step(env, NOW + DAY + 12 * HOUR);
      expect(await last(env)).toEqual([false, undefined]);
    }));

  test("and is there again is as it is there, and the count begins anew", () =>
    run(async (env) => {
      answerBanks(sources, FEWER);
      await step(env, NOW + DAY);
      answerBanks(sources, OLD);
      await step(env, NOW + 2 * DAY);
      expect(await last(env)).toEqual([true, undefined]);
      answerBanks(sources, FEWER);
      await step(env, NOW + 3 * DAY);
      expect(await last(env)).toEqual([true, iso(NOW + 3 * DAY)]);
    }));

  test("and is there again with a record that cannot be read stays as it was", () =>
    run(async (env, all) => {
      answerBanks(sources, FEWER);
      await step(env, NOW + DAY);
      answerBanks(sources, [...FEWER, { country: "FR", number: 9, name: "" }]);
      await step(env, NOW + 2 * DAY);
      expect(await last(env)).toEqual([true, undefined]);
      expect(await statusOf(all, "FR", NOW + 2 * DAY)).toMatchObject({ awaited: [], kept: ["PSDFR-NCA-9"] });
    }));

  test("is not withdrawn by a file that the operator has, of which nobody knows when it was fetched, unless it is forced", () =>
    run(async (env) => {
      await importHere(env, writeBanks(FEWER));
      expect(await last(env)).toEqual([true, undefined]);
      answerBanks(sources, FEWER);
      await step(env, NOW + DAY);
      await importHere(env, writeBanks(FEWER));
      expect(await last(env)).toEqual([true, iso(NOW + DAY)]);
      await importHere(env, writeBanks(FEWER), true);
      expect(await last(env)).toEqual([false, undefined]);
    }));

  test("goes at once with a country's file in the own form, which the next fetch replaces", () =>
    run(async (env) => {
      const psps = Array.from({ length: 9 }, (_, i) => ({
        authNumber: `PSDFR-NCA-${i}`,
        categories: [{ category: "Credit Institution", legalName: "By hand", status: "Authorised" }],
      }));
      const head = { country: "FR", ncaId: "FR-NCA", ncaName: "NCA", source: "credit-institutions" };
      const own = JSON.stringify({ ...head, published: iso(NOW + HOUR), psps });
      await withFile(own, (path) => importOwnForm(env, path, { force: false, older: false }, { left: "" }));
      expect([(await bankOf(env, 8)).legalName, (await bankOf(env, 9)).legalName]).toEqual(["By hand", null]);
      answerBanks(sources, OLD);
      expect(await step(env, NOW + DAY)).toMatchObject({ ok: true });
      expect([(await bankOf(env, 8)).legalName, (await bankOf(env, 9)).legalName]).toEqual(["Old Ltd", "Old Ltd"]);
    }));

  test("and whose import breaks off at any write is found, and goes with the fetch that agrees", () =>
    run(async (env) => {
      const day = async (number: number, kv = env.KV) => await step({ ...env, KV: kv }, NOW + number * DAY);
      answerBanks(sources, FEWER);
      await day(1);
      await day(2);
      const expected = withoutChanges(await dump(env.KV, "register/"));
      for (const broken of [1, 2])
        for (const write of [1, 2, 3, 4]) {
          await clear(env);
          await load(env);
          if (broken === 2) expect(await day(1)).toMatchObject({ ok: true });
          expect(await day(broken, breakingAt(env.KV, write)), `write ${write}`).toMatchObject({ ok: false });
          if (broken === 1) expect((await last(env))[0]).toBe(true);
          for (const number of [broken + 0.01, broken + 1])
            expect(await day(number)).toMatchObject({ ok: true, unfinished: false });
          expect(await last(env), `write ${write} of day ${broken}`).toEqual([false, undefined]);
          answerBanks(sources, FEWER);
          await day(2);
          expect(withoutChanges(await dump(env.KV, "register/")), `write ${write}`).toEqual(expected);
        }
    }));
});
