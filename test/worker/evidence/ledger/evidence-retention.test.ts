/** Kept documents go when the retention of their year's last day is over, in bounded steps. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { deleteOldEvidence } from "../../../../src/evidence/ledger/ledger-settings.ts";
import { runRetention } from "../../../../src/refresh/retention.ts";
import { failingDatabase } from "../../faults/failing-database.ts";

/** The deployment with one database: the others of the tests have no tables. */
const ALONE = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("DB_"))) as typeof env;
const keys = async () => (await env.EVIDENCE.list()).objects.map(({ key }) => key);
const DAYS = 2_557;
/** The last instant of 2026, and the retention. */
const END = Date.UTC(2027, 0, 1) + DAYS * 86_400_000;
const step = (now: number) =>
  runRetention({
    env: { ...ALONE, EVIDENCE_RETENTION_DAYS: DAYS },
    now,
    stepState: {},
    maxWrites: 500,
    maxListBytes: 0,
  });

test("a year's documents go together, and nothing else", async () => {
  const kept = ["evidence/2027/c", "ledger/1/000000000001.jsonl.gz", "ledger/1/index/2026-01-01.json.gz"];
  for (const key of ["evidence/2026/a", "evidence/2026/b", ...kept]) await env.EVIDENCE.put(key, "x");
  expect(await step(END - 1)).toMatchObject({ ok: true });
  expect(await keys()).toHaveLength(5);
  expect(await step(END)).toMatchObject({ ok: true, summary: expect.stringContaining("deleted 2 kept documents") });
  expect(await keys()).toEqual(kept);
});

test("a step lists so often only; the next one goes on", async () => {
  for (const year of [2020, 2021, 2022]) await env.EVIDENCE.put(`evidence/${year}/a`, "x");
  expect(await deleteOldEvidence(env.EVIDENCE, DAYS, END, 2)).toEqual({ deleted: 2, unfinished: true });
  expect(await deleteOldEvidence(env.EVIDENCE, DAYS, END, 2)).toEqual({ deleted: 1, unfinished: false });
});

test.each([0, -400])("a retention of %s days is none: nothing goes", async (days) => {
  await env.EVIDENCE.put("evidence/2019/a", "x");
  expect(await deleteOldEvidence(env.EVIDENCE, days, END, 2)).toEqual({ deleted: 0, unfinished: false });
});

test("a bucket that does not answer fails the step, after the databases had theirs", async () => {
  const EVIDENCE = {
    list: async () => {
      throw new Error("no answer");
    },
  } as unknown as R2Bucket;
  const bindings = { ...ALONE, EVIDENCE, EVIDENCE_RETENTION_DAYS: DAYS };
  const input = { now: END, stepState: {}, maxWrites: 500, maxListBytes: 0 };
  expect(await runRetention({ ...input, env: bindings })).toEqual({
    ok: false,
    message: expect.stringContaining("R2: no answer"),
  });
  const broken = { ...bindings, DB: failingDatabase(env.DB, () => true, "before") };
  expect(await runRetention({ ...input, env: broken })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/DB.*R2/),
  });
});
