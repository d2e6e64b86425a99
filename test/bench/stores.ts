/** The service's own wrangler.toml for the bench, one for the bare routes beside it, and the stores, laid out before workerd opens them. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { buildSite } from "../../src/cli/build/site.ts";
import { readConfiguration } from "../../src/cli/configuration.ts";
import { findPending, migrate } from "../../src/cli/database/migrations.ts";
import { parseDeploymentTables } from "../../src/cli/deployment/tables.ts";
import { readSandbox } from "../../src/cli/sandbox/files.ts";
import { seedSandbox } from "../../src/cli/sandbox/sandbox.ts";
import { openLocalStores } from "../../src/cli/stores.ts";
import { readTokenKeys } from "../../src/grants/token-keys.ts";
import { clock } from "../../src/platform/clock.ts";
import { SANDBOX_FI } from "../sandbox-fis.ts";
import type { BareEnv } from "./bare-routes.ts";
import type { BenchCertificates } from "./certificates.ts";

export const SERVICE = join(import.meta.dirname, "../../src/index.ts");
export const BARE = join(import.meta.dirname, "bare-routes.ts");
const PSP_OF_SCENARIO_1 = "PSDXX-TEST-000001";
/** More than any run sends: the limit is counted as always, but refuses nobody. */
const NO_LIMIT = 1_000_000_000;
/** Of the bare routes: the tables that the service's own are replaced by, and a Durable Object of their own. */
const database = (binding: string, name: string) => `
[[d1_databases]]
binding = "${binding}"
database_name = "${name}"
`;
const ADDED = `${database("DB_THOUSAND", "thousand")}${database("DB_TEN_MILLION", "ten-million")}
[[durable_objects.bindings]]
name = "BARE_RECORD"
class_name = "BareRecord"

[exports.BareRecord]
type = "durable-object"
storage = "sqlite"
`;

export interface Configuration {
  readonly service: string;
  readonly bare: string;
  /** The stores alone, for the process that seeds them: only the Worker itself can run Durable Objects. */
  readonly stores: string;
}

/** Writes them into `folder`. `vars` are added to the Workers'. */
export async function writeConfiguration(folder: string, vars: Record<string, string>): Promise<Configuration> {
  await buildSite({ sandbox: false });
  const added = Object.entries(vars).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  const withVars = (text: string) =>
    text
      .replace("[vars]\n", `[vars]\n${added.join("")}`)
      .replace(/^RATE_LIMIT_REQUESTS = .*$/m, `RATE_LIMIT_REQUESTS = ${NO_LIMIT}`);
  const without = (text: string, tables: RegExp) =>
    text
      .split(/^(?=\[)/m)
      .filter((table) => !tables.test(table))
      .join("");
  const bare = withVars(await readConfiguration(BARE)) + ADDED;
  // the bare routes have none of the service's Durable Objects, crons and limiters
  const own = /^\[+(env\.|assets|triggers|ratelimits|exports\.(RateWindow|AuthorizationCode|Ledger)\b)/;
  const ofService = /class_name = "(RateWindow|AuthorizationCode|Ledger)"/;
  const texts: Configuration = {
    service: withVars(await readConfiguration(SERVICE)),
    bare: without(without(bare, own), ofService).replace('name = "psp-gate"', 'name = "bare"'),
    stores: without(bare, /^\[+(env\.|durable_objects|exports|assets)\b/),
  };
  const write = async (name: keyof Configuration): Promise<string> => {
    const path = join(folder, name, "wrangler.toml");
    await mkdir(join(folder, name));
    await writeFile(path, texts[name]);
    return path;
  };
  return { service: await write("service"), bare: await write("bare"), stores: await write("stores") };
}

/** Opens the D1 and KV that `config` names, in `state`, for `work`. */
export async function withStores<Result>(
  config: string,
  state: string,
  work: (env: BareEnv) => Promise<Result>,
): Promise<Result> {
  const tables = parseDeploymentTables(await readFile(config, "utf8"), null);
  const { env, close } = await openLocalStores(join(state, "v3"), tables);
  try {
    return await work(env as unknown as BareEnv);
  } finally {
    await close();
  }
}

export const migrateAll = async (db: D1Database): Promise<void> => migrate(db, (await findPending(db)).migrations);

/** Of the databases in the folder that miniflare keeps its state in; it makes one when it is first asked. */
export async function listDatabaseFiles(state: string): Promise<string[]> {
  const folder = join(state, "v3/d1/miniflare-D1DatabaseObject");
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")
    .map((name) => join(folder, name));
}

/** `config`: of the stores alone. `tables`: whether those of many tokens are needed. `kid`: of the key that makes tokens. */
export async function seed(config: string, state: string, tables: boolean, made: BenchCertificates, kid: string) {
  const identity = { ...SANDBOX_FI, "CF-Connecting-IP": "192.0.2.1" };
  const files = new Map<string, number>();
  const seeded = await withStores(config, state, async (env) => {
    const sandbox = await readSandbox();
    const all = [
      [env.DB, 0],
      ...(tables ? TABLE_NAMES.map((name) => [env[TABLES[name].binding], TABLES[name].rows]) : []),
    ];
    let fiId = 0;
    for (const [DB, rows] of all as [D1Database, number][]) {
      const others = await listDatabaseFiles(state);
      await migrateAll(DB);
      await seedSandbox({ DB, KV: env.KV }, sandbox);
      const find = DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1");
      fiId = (await find.bind(identity.fi_reference_id).first<number>("id")) ?? 0;
      const [file] = (await listDatabaseFiles(state)).filter((one) => !others.includes(one));
      if (file !== undefined) files.set(file, rows);
    }
    await seedSandbox(env, { trust: made.trust, registers: [], crls: [made.crl] });
    return { identity, fiId, keys: readTokenKeys(env) };
  });
  const owner = { kid, fiId: seeded.fiId, pspId: PSP_OF_SCENARIO_1, now: clock.now() };
  for (const [file, rows] of files) if (rows > 0) seedTokens(file, rows, owner);
  return seeded;
}

export const TABLES = {
  thousand: { rows: 1_000, binding: "DB_THOUSAND" },
  tenMillion: { rows: 10_000_000, binding: "DB_TEN_MILLION" },
} as const;
export type TableName = keyof typeof TABLES;
const TABLE_NAMES: readonly TableName[] = ["thousand", "tenMillion"];
const TOKENS_PER_ACCOUNT = 10;
const DAY_MILLISECONDS = 86_400_000;
/** Sorts before the ids that the service makes now, as older tokens do (src/grants/record-order.ts). */
const ID_PREFIX = "0mi000000";

/** The id of the row made `index`-th, of the length that ids have; and its account in a table of `rows`. */
export const seededId = (index: number): string => `${ID_PREFIX}${String(index).padStart(22, "0")}`;
export const seededAccount = (rows: number, index: number): string => `account-${index % (rows / TOKENS_PER_ACCOUNT)}`;

const INSERT = `
  INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, consent_id, issued_at, expires_at, revoked_at)
  WITH RECURSIVE made(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM made WHERE i + 1 < ?1)
  SELECT '${ID_PREFIX}' || printf('%022d', i), ?2, ?3, ?4, 'account-' || (i % ?5), 'accounts', NULL, ?6 + i, ?7 + i, NULL
  FROM made`;
const INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'tokens' AND sql IS NOT NULL";
/** Nothing is lost if the bench is: it begins again. */
const FAST =
  "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA foreign_keys = OFF";

/**
 * Fills a table in the file of a database that nobody has open, by SQL that makes its own rows; the indexes are made once all
 * rows are there. workerd itself does not survive the sorting of ten million rows. Alive for a day from `now` (milliseconds).
 */
export function seedTokens(
  file: string,
  rows: number,
  { kid, fiId, pspId, now }: { kid: string; fiId: number; pspId: string; now: number },
): void {
  const db = new DatabaseSync(file);
  try {
    db.exec(FAST);
    const indexes = db.prepare(INDEXES).all() as { name: string; sql: string }[];
    for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
    const accounts = rows / TOKENS_PER_ACCOUNT;
    db.prepare(INSERT).run(rows, kid, fiId, pspId, accounts, now - rows, now + DAY_MILLISECONDS);
    for (const { sql } of indexes) db.exec(sql);
    db.exec("PRAGMA journal_mode = WAL");
  } finally {
    db.close();
  }
}
