/** What `evidence export` notes of an export, on a real D1: only what follows without a gap counts as exported. */
import "./in-process.ts";
import { beforeAll, expect, test } from "vitest";
import { listExports, noteExport } from "../../src/cli/evidence/exports.ts";
import { withStores } from "../../src/cli/stores.ts";
import { LOCAL } from "../../src/cli/target.ts";
import { json, run } from "./run-here.ts";

const REFERENCE = "PSDFI-FINFSA-0001";
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
const ADDED = day("2026-03-10") + 3_600_000;
const NOW = day("2026-11-03");

beforeAll(async () => {
  await json("fi", "add", "--name", "The Bank", "--reference", REFERENCE);
  await withStores(LOCAL, ({ env }) =>
    env.DB.prepare("UPDATE financial_institutions SET created_at = ?1").bind(ADDED).run(),
  );
});

const note = (from: string, to: string, now = NOW) =>
  withStores(LOCAL, async ({ env }) => {
    await noteExport(env.DB, REFERENCE, { from: day(from), to: day(to) }, now);
    return await listExports(env.DB);
  });
const known = (until: number, exportedAt: number | null = NOW) => [{ reference: REFERENCE, exportedAt, until }];

test("before any export all is missing since the institution was added", async () => {
  expect(await withStores(LOCAL, ({ env }) => listExports(env.DB))).toEqual(known(ADDED, null));
});

test.each([
  ["a month from the middle leaves a gap", "2026-05-01", "2026-06-01", ADDED],
  ["the first month ends it", "2026-03-01", "2026-04-01", day("2026-04-01")],
  ["the next one goes on", "2026-04-01", "2026-05-01", day("2026-05-01")],
  ["one that leaves a month out does not", "2026-06-01", "2026-07-01", day("2026-05-01")],
  ["an older one takes nothing back", "2026-03-01", "2026-04-01", day("2026-05-01")],
  ["neither is what lies ahead, nor what may still come late", "2026-05-01", "2100-01-01", NOW - 60_000],
])("%s", async (_, from, to, until) => expect(await note(from, to)).toEqual(known(until)));

test("doctor says when the last one was made, and the note goes with its institution", async () => {
  await note("2026-11-01", "2026-11-02", Date.now());
  const { findings } = await json("doctor");
  const records = findings.filter(({ area }: { area: string }) => area === "records");
  expect(records).toMatchObject([
    { message: expect.stringMatching(/^evidence was last exported (now|\d+ (s|min) ago); /) },
  ]);
  expect(await run("fi", "remove", "--reference", REFERENCE, "--yes")).toMatchObject({ code: 0 });
  const left = await withStores(LOCAL, ({ env }) =>
    env.DB.prepare("SELECT count(*) AS rows FROM evidence_exports").first("rows"),
  );
  expect(left).toBe(0);
});
