/** `npm run admin` while another process writes to the local database: a command waits, and then it has happened or says no. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runAdmin, startAdmin } from "./admin-command.ts";
import "./in-process.ts";
import { STATE_DIR } from "./own-state.ts";
import { run } from "./run-here.ts";

const ROOT = join(import.meta.dirname, "../..");
const FAST_CLOCK = pathToFileURL(join(import.meta.dirname, "fast-clock.ts")).href;
const REFERENCE = "PSDFI-FINFSA-0001";
let database: DatabaseSync;
let keyValues: DatabaseSync;

beforeAll(async () => {
  expect(await run("fi", "add", "--name", "A Bank", "--reference", REFERENCE)).toMatchObject({ code: 0 });
  // makes the file of the key-value store
  expect(await run("register", "list")).toMatchObject({ code: 0 });
  database = await openStore("d1/miniflare-D1DatabaseObject");
  keyValues = await openStore("kv/miniflare-KVNamespaceObject");
});
afterAll(() => {
  database.close();
  keyValues.close();
});
afterEach(() => {
  for (const store of [database, keyValues]) if (store.isTransaction) store.exec("ROLLBACK");
});

const admin = (...args: string[]) => runAdmin({ STATE_DIR }, ...args);

/** Runs a command against the lock, which is let go when the command says that it waits. */
async function runLocked(store: DatabaseSync, ...args: string[]) {
  lock(store);
  const { child, ended } = startAdmin({ STATE_DIR }, args);
  child.stderr?.once("data", () => unlock(store));
  return await ended;
}

/** The SQLite file of a local store, as the other process has it open. */
async function openStore(folder: string): Promise<DatabaseSync> {
  const path = join(STATE_DIR, "v3", folder);
  const [name] = (await readdir(path)).filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite");
  const store = new DatabaseSync(join(path, name ?? ""));
  // this process waits for the command's locks, too
  store.exec("PRAGMA busy_timeout = 60000");
  return store;
}

/** Takes the write lock, as a writing service does for moments. */
const lock = (store: DatabaseSync) => store.exec("BEGIN IMMEDIATE");
const unlock = (store: DatabaseSync) => store.exec("ROLLBACK");

const rows = (sql: string) =>
  database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
const statuses = () => rows("SELECT fi_reference_id, status FROM financial_institutions ORDER BY 1");

describe("while another process holds the lock for seconds", () => {
  const waiting = "waiting: another process is writing to the local database\n";

  test("`fi disable` waits, and the institution is disabled", async () => {
    const result = await runLocked(database, "fi", "disable", "--reference", REFERENCE);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('"disabled"'), stderr: waiting });
    expect(statuses()).toEqual([{ fi_reference_id: REFERENCE, status: "disabled" }]);
  });

  test("`register import` waits for the key-value store, and what it wrote the next command reads", async () => {
    const result = await runLocked(keyValues, "register", "import", join(ROOT, "fixtures/registers/XX.json"));
    // a machine that is loaded for seconds is told how far it is, too
    expect(result).toMatchObject({ code: 0, stderr: expect.stringMatching(/^waiting: another .*\n(writing .*\n)*$/) });
    expect(JSON.parse(result.stdout)).toMatchObject({ ok: true });
    expect(await admin("register", "list")).toMatchObject({
      ...{ code: 0, stdout: expect.stringMatching(/"country": "XX"/), stderr: "" },
    });
  });
});

test("under many short locks `fi add` is written once and whole", async () => {
  let done = false;
  const command = admin("fi", "add", "--name", "Other Bank", "--reference", "PSDFI-FINFSA-0002").finally(() => {
    done = true;
  });
  while (!done) {
    lock(database);
    await sleep(30);
    unlock(database);
    await sleep(15);
  }
  const result = await command;
  expect(result).toMatchObject({ code: 0 });
  const { client_id } = JSON.parse(result.stdout);
  const sql = `SELECT fi_reference_id, client_id FROM credentials
    JOIN credential_institutions USING (client_id) JOIN financial_institutions ON id = fi_id
    WHERE fi_reference_id = 'PSDFI-FINFSA-0002'`;
  expect(rows(sql)).toEqual([{ fi_reference_id: "PSDFI-FINFSA-0002", client_id }]);
});

test("while another process does not let go of the lock, a command ends with one sentence that says that nothing was changed", async () => {
  const before = rows("SELECT * FROM financial_institutions, credentials, credential_institutions");
  lock(database);
  // its patience of ten seconds is over sooner
  const env = { STATE_DIR, NODE_OPTIONS: `--import=${FAST_CLOCK}` };
  const result = await runAdmin(env, "fi", "add", "--name", "Third Bank", "--reference", "PSDFI-FINFSA-0003");
  unlock(database);
  expect(result).toMatchObject({ code: 1, stdout: "" });
  expect(result.stderr).toMatch(
    /^(waiting: .*\n)?error: the local database is busy: .* for 10 seconds\. Nothing was changed.*\n$/,
  );
  expect(rows("SELECT * FROM financial_institutions, credentials, credential_institutions")).toEqual(before);
});
