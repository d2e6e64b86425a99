/** The local stores, which the commands open without wrangler: they are wrangler's. */
import "./own-state.ts";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { splitStatements } from "../../src/cli/backup/sql-statements.ts";
import { readConfiguration } from "../../src/cli/configuration.ts";
import { addDatabase } from "../../src/cli/database/database.ts";
import { parseDeploymentTables } from "../../src/cli/deployment/tables.ts";
import { openLocalStores } from "../../src/cli/stores.ts";
import { loadMiniflare, loadWrangler } from "../../src/cli/wrangler.ts";
import { withOwnStores } from "./own-stores.ts";

const MIGRATIONS = join(import.meta.dirname, "../../src/migrations");

test("variables and the ids of stores are those that wrangler reads", async () => {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-tables-"));
  const configuration = await readConfiguration();
  const added = addDatabase(configuration);
  if (!added.ok) throw new Error(added.message);
  const deployed = configuration
    .replace('binding = "DB"\n', '$&database_id = "11111111-1111-4111-8111-111111111111"\n')
    .replace('binding = "KV"\n', '$&id = "0123456789abcdef0123456789abcdef"\n');
  const previewed = deployed
    .replace("database_id = ", 'preview_database_id = "22222222-2222-4222-8222-222222222222"\n$&')
    .replace("\nid = ", '\npreview_id = "preview"$&')
    // of every type
    .replace('BASE_URL = ""', 'BASE_URL = \'https://gate.example\' # "quoted"\nFLAG = true\nLIST = [1, "two"]');
  for (const text of [configuration, added.configuration, deployed, previewed])
    for (const environment of [null, "staging"] as const) {
      const path = join(folder, "wrangler.toml");
      await writeFile(path, text);
      const { workerOptions } = loadWrangler().unstable_getMiniflareWorkerOptions(path, environment ?? undefined);
      const read = parseDeploymentTables(text, environment);
      const ids = (stores: Readonly<Record<string, string>>) =>
        Object.fromEntries(Object.entries(stores).map(([binding, id]) => [binding, { id }]));
      expect({
        compatibilityDate: read.compatibilityDate,
        bindings: read.vars,
        d1Databases: ids(read.databases),
        kvNamespaces: ids(read.keyValues),
        buckets: read.buckets,
      }).toEqual({
        compatibilityDate: workerOptions["compatibilityDate"],
        bindings: workerOptions["bindings"],
        d1Databases: workerOptions["d1Databases"],
        kvNamespaces: workerOptions["kvNamespaces"],
        buckets: Object.keys(workerOptions["r2Buckets"] ?? {}),
      });
    }
  await rm(folder, { recursive: true });
});

test("the statements of a migration and of an export are those that wrangler finds", async () => {
  const { unstable_splitSqlQuery } = loadWrangler();
  const files = (await readdir(MIGRATIONS)).map((file) => readFile(join(MIGRATIONS, file), "utf8"));
  const others = [
    "SELECT 1; SELECT ';' || '''; ' AS \"a;b\", [c;d], `e;f`; -- g;h\n/* i;\nj */ SELECT 2",
    "CREATE TEMP TRIGGER t AFTER UPDATE ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; DELETE FROM b; END; SELECT 3;",
    // as an export has its rows
    `PRAGMA defer_foreign_keys=TRUE;\nINSERT INTO "t" ("a","b") VALUES('x;''--y\n',X'00'),(NULL,-1.5e3);\nINSERT INTO "t" VALUES('END;');`,
    "create table t (end INTEGER); create trigger u before insert on t begin select 1; end; ;; select 4",
  ];
  for (const sql of [...(await Promise.all(files)), ...others]) {
    const statements = splitStatements(sql);
    const found = unstable_splitSqlQuery(sql);
    // it leaves a file as it stands whose only semicolon is its end
    expect(statements).toEqual(found[0] === sql ? [sql.trim().replace(/;$/, "")] : found);
    expect(statements.length).toBeGreaterThan(0);
  }
});

test("bytes, several keys and a missing value come back as they are; undefined is refused", async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  await withOwnStores(async ({ env: { DB, KV } }) => {
    const { value, missing } =
      (await DB.prepare("SELECT ?1 AS value, ?2 AS missing")
        .bind(bytes, null)
        .first<{ value: number[]; missing: null }>()) ?? {};
    expect([value, missing]).toEqual([[...bytes], null]);
    expect(() => DB.prepare("SELECT ?1").bind(undefined)).toThrow("D1_TYPE_ERROR");
    await KV.put("bytes", bytes);
    await KV.put("json", '{"a":1}', { metadata: { b: 2 } });
    expect(new Uint8Array((await KV.get("bytes", "arrayBuffer")) ?? new ArrayBuffer())).toEqual(bytes);
    expect(await KV.get(["json", "none"], "json")).toEqual(new Map([["json", { a: 1 }], ["none", null]])); // biome-ignore format: a row
    expect((await KV.list({ prefix: "j" })).keys).toEqual([{ name: "json", metadata: { b: 2 } }]);
  });
});

test("a process that stood still goes on with its stores: the runtime has closed the connection that was idle", async () => {
  await withOwnStores(async ({ env }) => {
    const ask = () => env.KV.get("none");
    expect(await ask()).toBe(null);
    // as the preparation of many statements does on a slow machine
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000);
    expect(await ask()).toBe(null);
  });
});

test("a command and the runtime of `npm start` write to one file, which either may make, and each sees at once what the other wrote", async () => {
  const { Miniflare, convertV4MiniflareOptions } = loadMiniflare();
  for (const maker of ["a command", "the runtime"]) {
    const folder = await mkdtemp(join(tmpdir(), "psp-gate-one-file-"));
    const tables = { ...{ worker: "w", compatibilityDate: "2026-10-15", vars: {} }, ...{ keyValues: {}, buckets: [] } };
    const command = await openLocalStores(folder, { ...tables, databases: { DB: "one" } });
    const worker = { name: "w", modules: true, script: "export default {};", d1Databases: { DB: "one" } };
    const options = { workers: [{ ...worker, compatibilityDate: "2026-10-15" }], resourcePersistencePath: folder };
    const runtime = new Miniflare(convertV4MiniflareOptions({ ...options, cf: false }));
    const { DB } = (await runtime.getBindings()) as { DB: D1Database };
    const [first, second] = maker === "a command" ? [command.env.DB, DB] : [DB, command.env.DB];
    const made = "CREATE TABLE things (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT";
    await first.prepare(made).run();
    const list = async (db: D1Database) => (await db.prepare("SELECT id, bytes FROM things ORDER BY id").all()).results;
    const things: object[] = [];
    for (const [i, db] of [second, first, second, first].entries()) {
      const insert = db.prepare("INSERT INTO things (id, bytes) VALUES (?1, ?2)");
      await db.batch([insert.bind(2 * i, new Uint8Array([i, 255]).buffer), insert.bind(2 * i + 1, new Uint8Array(0))]);
      things.push({ id: 2 * i, bytes: [i, 255] }, { id: 2 * i + 1, bytes: [] });
      expect([await list(first), await list(second)]).toEqual([things, things]);
      const sizes = await Promise.all([first, second].map((one) => one.prepare("SELECT 1").run()));
      expect(sizes[0]?.meta.size_after).toBe(sizes[1]?.meta.size_after);
    }
    await runtime.dispose();
    await command.close();
    await rm(folder, { recursive: true });
  }
});
