/** `backup` and `restore` of rows that are longer than a statement of D1 may be: 100,000 bytes. */
import "./own-state.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import "./in-process.ts";
import { withOwnStores } from "./own-stores.ts";
import { json } from "./run-here.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "psp-gate-long-rows-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a backup is restored although somebody kept a long result of checks in the console", async () => {
  await json("fi", "add", "--name", "A Bank", "--reference", "PSDFI-FINFSA-0001");
  await withOwnStores(async ({ env: { DB } }) => {
    const insert =
      "INSERT INTO console_checks (id_hash, fi_id, sealed, created_at, ends_at) VALUES (?1, NULL, ?2, 1, 2)";
    await DB.prepare(insert).bind("0".repeat(64), "x".repeat(150_000)).run();
  });
  await json("backup", join(folder, "one"));
  await json("restore", join(folder, "one"), "--yes");
  expect((await json("fi", "list")).map((fi: { fi_reference_id: string }) => fi.fi_reference_id)).toEqual([
    "PSDFI-FINFSA-0001",
  ]);
});
