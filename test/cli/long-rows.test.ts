/** `backup` and `restore` of rows that are longer than a statement of D1 may be: 100,000 bytes. */
import "./own-state.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shortenStatement } from "../../src/cli/backup/short-statements.ts";
import "./in-process.ts";
import { withOwnStores } from "./own-stores.ts";
import { json } from "./run-here.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "psp-gate-long-rows-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("what a row holds comes back, although its statement is longer than D1 lets one be", async () => {
  await json("fi", "add", "--name", "A Bank", "--reference", "PSDFI-FINFSA-0001");
  const sealed = "it's".repeat(40_000);
  await withOwnStores(async ({ env: { DB } }) => {
    const insert =
      "INSERT INTO console_checks (id_hash, fi_id, sealed, created_at, ends_at) VALUES (?1, NULL, ?2, 1, 2)";
    await DB.prepare(insert).bind("0".repeat(64), sealed).run();
  });
  await json("backup", join(folder, "one"));
  await json("restore", join(folder, "one"), "--yes");
  expect((await json("fi", "list")).map((fi: { fi_reference_id: string }) => fi.fi_reference_id)).toEqual([
    "PSDFI-FINFSA-0001",
  ]);
  await withOwnStores(async ({ env: { DB } }) => {
    expect(await DB.prepare("SELECT sealed FROM console_checks").first("sealed")).toBe(sealed);
  });
});

test("a dump that the database does not take leaves it as it was", async () => {
  const file = join(folder, "broken.sql");
  await writeFile(file, `CREATE TABLE "t" (x TEXT);\nINSERT INTO "t" VALUES('a');\nINSERT INTO "nowhere" VALUES(1);\n`);
  const { importDatabase } = await import("../../src/cli/backup/database-copy.ts");
  await withOwnStores(async ({ env: { DB } }) => {
    const restored = importDatabase({ number: 1, binding: "DB", db: DB }, file, { remote: false, environment: null });
    await expect(restored).rejects.toThrow("DB is as it was: no such table: nowhere");
  });
  expect(await json("fi", "list")).toHaveLength(1);
});

/** The row of a dump, restored by the statements that are sent to a deployed D1. */
function restoreRow(value: string | Uint8Array): unknown {
  const [from, to] = [new DatabaseSync(":memory:"), new DatabaseSync(":memory:")];
  for (const db of [from, to]) db.exec(`CREATE TABLE "t" ("a" TEXT, "it's" ANY) STRICT`);
  from.prepare(`INSERT INTO "t" VALUES('short', ?)`).run(value);
  const quoted = from.prepare(`SELECT quote("it's") AS literal FROM "t"`).get()?.["literal"];
  const statements = [...shortenStatement(`INSERT INTO "t" ("a","it's") VALUES('short',${quoted})`)];
  for (const statement of statements) to.exec(statement);
  expect(Math.max(...statements.map((statement) => Buffer.byteLength(statement)))).toBeLessThanOrEqual(100_000);
  expect(to.prepare("SELECT count(*) AS tables FROM sqlite_schema").get()).toEqual({ tables: 1 });
  return to.prepare(`SELECT "it's" AS value FROM "t"`).get()?.["value"];
}

test.each([
  ["quotes", "'".repeat(64_000)],
  ["characters of four bytes beside quotes", "😀'é".repeat(50_000)],
  ["bytes", new Uint8Array(99_999).map((_, i) => i)],
])("a row of %s becomes statements that D1 takes", (_, value) => {
  expect(restoreRow(value)).toEqual(value);
});
