/** Several databases as an operator leads them: added, filled, backed up, restored. */
import { CONFIGURATION } from "./own-configuration.ts";
import "./in-process.ts";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { describeFile } from "../../src/cli/backup/manifest.ts";
import { deploy } from "../../src/cli/deployment/deployment.ts";
import { withStores } from "../../src/cli/stores.ts";
import { LOCAL } from "../../src/cli/target.ts";
import { setBlock } from "../../src/grants/account-block.ts";
import { databaseOf } from "../../src/institutions/databases.ts";
import { listFinancialInstitutions } from "../../src/institutions/financial-institutions.ts";
import { NEWEST_MIGRATION } from "../../src/platform/schema-version.ts";
import { type Platform, startPlatform } from "../platform/platform.ts";
import { playWrangler } from "../platform/played-wrangler.ts";
import { STATE_DIR } from "./own-state.ts";
import { json, run } from "./run-here.ts";

const REFERENCES = ["PSDXX-DB-0001", "PSDXX-DB-0002", "PSDXX-DB-0003"] as const;
const add = (reference: string, ...args: string[]) =>
  json("fi", "add", "--name", "Bank", "--reference", reference, ...args);
type Listed = { fi_reference_id: string; database: number; status: string };

test("`database add` adds them to wrangler.toml", async () => {
  expect(await json("database", "add")).toEqual({
    ...{ number: 2, binding: "DB_2", database_names: ["psp-gate-2", "psp-gate-staging-2"] },
  });
  expect(await run("database", "add", "--no-json")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("added DB_3 to wrangler.toml (psp-gate-3, psp-gate-staging-3)"),
  });
  expect(readFileSync(CONFIGURATION, "utf8").match(/^binding = "DB_[23]"$/gm)).toHaveLength(4);
});

describe("npm run deploy", () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform();
    for (const [name, value] of Object.entries(platform.environment)) vi.stubEnv(name, value);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await platform.close();
  });
  const names = () => platform.account.databases.map(({ name }) => name);
  const tables = "SELECT count(*) AS n FROM d1_migrations";

  test("makes and migrates each", async () => {
    await deploy(null, { wrangler: playWrangler(platform), print: () => {}, ask: null });
    expect(names()).toEqual(["psp-gate", "psp-gate-2", "psp-gate-3"]);
    for (const { sqlite } of platform.account.databases)
      expect(sqlite.prepare(tables).get()).toEqual({ n: expect.any(Number) });
  });

  test("however wrangler.toml is written: with the line ends of Windows, with comments, without blanks", async () => {
    const written = readFileSync(CONFIGURATION, "utf8");
    const other = written
      .replaceAll("[[d1_databases]]", "[[d1_databases]] # D1")
      .replaceAll('binding = "', 'binding="');
    writeFileSync(CONFIGURATION, other.replaceAll("\n", "\r\n"));
    await deploy(null, { wrangler: playWrangler(platform), print: () => {}, ask: null }).finally(() =>
      writeFileSync(CONFIGURATION, written),
    );
    expect(names()).toHaveLength(3);
  });

  test("one that does not answer is named, and the others and the Worker are deployed", async () => {
    const [, second] = platform.account.databases;
    platform.fail({ call: `POST /d1/database/${second?.uuid}/raw`, when: "before", times: 100 });
    const versions = platform.account.scripts.get("psp-gate")?.versions.length ?? 0;
    await expect(deploy(null, { wrangler: playWrangler(platform), print: () => {}, ask: null })).rejects.toThrow(
      /^DB_2 does not answer and was not migrated: /,
    );
    expect(platform.account.scripts.get("psp-gate")?.versions).toHaveLength(versions + 1);
  });

  test("one that does not answer and that no Worker has yet is not bound: it may be without tables", async () => {
    const deployStaging = () => deploy("staging", { wrangler: playWrangler(platform), print: () => {}, ask: null });
    platform.fail({ call: "PUT /workers/scripts/psp-gate-staging", when: "before" });
    await expect(deployStaging()).rejects.toThrow("No Worker is deployed.");
    const second = platform.account.databases.find(({ name }) => name === "psp-gate-staging-2");
    platform.fail({ call: `POST /d1/database/${second?.uuid}/raw`, when: "before", times: 100 });
    await expect(deployStaging()).rejects.toThrow(/^nothing was deployed: could not read the database DB_2: /);
    expect([...platform.account.scripts.keys()]).toEqual(["psp-gate"]);
  });
});

test("`fi add` places each institution in the least loaded one, or where --database says", async () => {
  const placed = [];
  for (const reference of REFERENCES) placed.push((await add(reference)).database);
  expect(placed).toEqual([1, 2, 3]);
  expect(await add("PSDXX-DB-0004", "--database", "2")).toMatchObject({ database: 2 });
  expect(await run("fi", "add", "--name", "B", "--reference", "PSDXX-DB-0005", "--database", "9")).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining("there is no DB_9, only DB, DB_2, DB_3") },
  });
  expect(await run("fi", "add", "--name", "B", "--reference", "PSDXX-DB-0005", "--database", "x")).toMatchObject({
    code: 2,
  });
  const listed: Listed[] = await json("fi", "list");
  expect(listed.map(({ database, status }) => [database, status])).toEqual([
    [1, "active"],
    [2, "active"],
    [3, "active"],
    [2, "active"],
  ]);
  expect((await run("fi", "list", "--no-json")).stdout).toMatch(/^reference .*live tokens +database +client id/m);
});

test("`database list`, `status` and `doctor` tell of each", async () => {
  const held = { live_tokens: 0, size_bytes: expect.any(Number) };
  const databases = [
    { number: 1, binding: "DB", institutions: 1, held, error: null },
    { number: 2, binding: "DB_2", institutions: 2, held, error: null },
    { number: 3, binding: "DB_3", institutions: 1, held, error: null },
  ];
  const listed = await json("database", "list");
  expect(listed).toEqual(databases);
  expect(listed.every((one: { held: { size_bytes: number } }) => one.held.size_bytes > 0)).toBe(true);
  expect((await run("database", "list", "--no-json")).stdout).toMatch(/DB_2 +✓ answers +2 +0 +0\.\d MB, 0\.0 %/);
  expect(await json("status")).toMatchObject({ databases, copyFaults: [] });
  expect((await run("status", "--no-json")).stdout).toMatch(/^Databases$/m);
});

/** What is not blocked was said beside it. */
const BLOCKS = [
  { scope: "accounts", lifted_at: 5 },
  { scope: "payments", lifted_at: null },
];

test("an account's data is exported from its institution's database", async () => {
  const accountOf = ["--reference", "PSDXX-DB-0002", "--account", "4711"];
  expect(await json("account", "export", ...accountOf)).toMatchObject({ account_blocks: [] });
  await withStores(LOCAL, async ({ env }) => {
    const fi = (await listFinancialInstitutions(env.DB)).find((one) => one.fi_reference_id === "PSDXX-DB-0002");
    const account = { fiId: fi?.id ?? 0, accountId: "4711" };
    await setBlock(databaseOf(env, { database: 2 }), account, ["payments"], 5);
  });
  expect(await json("account", "export", ...accountOf)).toMatchObject({ account_blocks: BLOCKS });
});

test("`backup` and `restore` take all of them; a backup that does not fit is refused before anything is changed", async () => {
  const directory = join(STATE_DIR, "backup");
  const manifest = join(directory, "backup.json");
  expect(await json("backup", directory)).toMatchObject({ form: 2, databases: [1, 2, 3] });
  expect(readdirSync(directory).sort()).toEqual(["backup.json", "d1-2.sql", "d1-3.sql", "d1.sql", "kv.json"]);
  await run("fi", "disable", "--reference", "PSDXX-DB-0002");
  expect(await run("restore", directory)).toMatchObject({ code: 1, stderr: expect.stringContaining("Say --yes") });

  const whole = readFileSync(manifest, "utf8");
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(whole), databases: [1, 2, 3, 4] }));
  expect(await run("restore", directory, "--yes")).toMatchObject({
    stderr: expect.stringContaining("the backup has DB_4, which wrangler.toml does not have"),
  });
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(whole), databases: [1, 2] }));
  expect(await run("restore", directory, "--yes")).toMatchObject({
    stderr: expect.stringContaining("institutions are placed in DB_3, which the backup does not have"),
  });
  writeFileSync(manifest, whole);

  // since the backup: by its id a ledger is found, which no other institution may read
  const idOf = async (reference: string) =>
    await withStores(LOCAL, ({ env }) =>
      env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1").bind(reference).first("id"),
    );
  await add("PSDXX-DB-SINCE");
  const since = await idOf("PSDXX-DB-SINCE");
  expect(await run("restore", directory, "--yes")).toMatchObject({ code: 0 });
  await add("PSDXX-DB-LATER");
  expect(await idOf("PSDXX-DB-LATER")).toBeGreaterThan(Number(since));
  await run("fi", "remove", "--reference", "PSDXX-DB-LATER", "--yes");
  expect((await json("fi", "list")).map(({ status }: Listed) => status)).toEqual(Array(4).fill("active"));
  const accountOf = ["--reference", "PSDXX-DB-0002", "--account", "4711"];
  expect(await json("account", "export", ...accountOf)).toMatchObject({ account_blocks: BLOCKS });
  expect(await json("status")).toMatchObject({ copyFaults: [] });
});

test("`restore` of a backup of an older release says that the databases have to be migrated; of one below 1.0 it changes nothing", async () => {
  const directory = join(STATE_DIR, "backup-of-older");
  const file = join(directory, "d1-2.sql");
  await json("backup", directory);
  const whole = readFileSync(file, "utf8");
  // lacks the record of the last migration, as a backup of a release before it would
  const older = whole.replace(new RegExp(`^INSERT INTO "d1_migrations".*'${NEWEST_MIGRATION}'.*\\n`, "m"), "");
  expect(older).not.toBe(whole);
  const rewrite = async (text: string) => {
    writeFileSync(file, text);
    const manifest = JSON.parse(readFileSync(join(directory, "backup.json"), "utf8"));
    manifest.files["d1-2.sql"] = await describeFile(directory, "d1-2.sql");
    writeFileSync(join(directory, "backup.json"), JSON.stringify(manifest));
  };
  await rewrite(older);
  const migrations_missing = [`${NEWEST_MIGRATION} (DB_2)`];
  expect(await json("restore", directory, "--yes")).toMatchObject({ migrations_missing });
  expect(await run("restore", directory, "--yes", "--no-json")).toMatchObject({
    stdout: expect.stringContaining(`lacks ${NEWEST_MIGRATION} (DB_2): npm start migrates it`),
  });
  await rewrite(whole.replace("'0001_baseline.sql'", "'0001_financial_institutions.sql'"));
  expect(await run("restore", directory, "--yes")).toMatchObject({
    code: 1,
    stderr: `error: nothing was changed: ${directory} is of a release below 1.0, and its data cannot be taken over\n`,
  });
  await rewrite(whole);
  expect(await json("restore", directory, "--yes")).toMatchObject({ migrations_missing: [] });
});

test("`restore` forgets no revocation that was learned since", async () => {
  const directory = join(STATE_DIR, "backup-of-answers");
  const answer = (kv: KVNamespace, name: string, value: string, thisUpdate: number) =>
    kv.put(`revocation/ocsp/${name}`, value, { metadata: { thisUpdate, nextUpdate: null } });
  await withStores(LOCAL, async ({ env: { KV } }) => {
    await answer(KV, "revoked-since", "good", 1);
    await answer(KV, "set-back-before", "revoked", 2);
    await answer(KV, "lost", "revoked", 1);
    await KV.put("register/changed", "before");
  });
  await json("backup", directory);
  await withStores(LOCAL, async ({ env: { KV } }) => {
    await answer(KV, "revoked-since", "revoked", 2);
    await answer(KV, "set-back-before", "good", 1);
    await answer(KV, "new", "revoked", 2);
    await KV.delete("revocation/ocsp/lost");
    await KV.put("register/changed", "since");
    await KV.put("register/new", "since");
  });
  await json("restore", directory, "--yes");
  const keys = ["revoked-since", "set-back-before", "lost", "new"].map((name) => `revocation/ocsp/${name}`);
  const read = await withStores(LOCAL, ({ env: { KV } }) =>
    Promise.all([...keys, "register/changed", "register/new"].map((key) => KV.get(key))),
  );
  expect(read).toEqual(["revoked", "revoked", "revoked", "revoked", "before", null]);
});

test("`fi remove` removes an institution from both", async () => {
  expect(await run("fi", "remove", "--reference", "PSDXX-DB-0002", "--yes")).toMatchObject({ code: 0 });
  expect(await json("status")).toMatchObject({ copyFaults: [] });
  expect((await json("database", "list")).map((one: { institutions: number }) => one.institutions)).toEqual([1, 1, 1]);
});
