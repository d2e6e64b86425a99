/**
 * `npm run bench:growth [-- --share 100 --days 45]`: what becomes of the table of tokens of a bank that makes 4 million a
 * day, by a simulated clock, at a hundredth of that rate: rows and pages day by day, bytes for each token, and how fast
 * old tokens are deleted beside how fast new ones are stored. In workerd, by the service's own statements.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { MAX_DATABASE_BYTES } from "../../src/institutions/databases.ts";
import { processorNanoseconds } from "./process-usage.ts";
import { bundle, startRuntime } from "./runtime.ts";
import { listDatabaseFiles, migrateAll, withStores } from "./stores.ts";

const WORKER = join(import.meta.dirname, "growth-worker.ts");
const [SECONDS_OF_RATE, CONNECTIONS] = [8, 8];
/** An account-information bank of a million customers. */
const TOKENS_A_DAY = 4_000_000;
const CUSTOMERS = 1_000_000;
const TOKEN_RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;
/** The service deletes each hour; fewer runs make the simulation shorter, not another. */
const RUNS_A_DAY = 8;
/** How much room the table and each of its indexes take. */
const TABLE_BYTES = `
  SELECT stat.name AS name, sum(pgsize) AS bytes FROM dbstat AS stat
  WHERE stat.name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'tokens') GROUP BY 1 ORDER BY 2 DESC`;

/** In the last period of a full table; SQLite fills free pages again, but its pages not quite. */
const SETTLED_WITHIN = 0.02;

const { values } = parseArgs({ options: { share: { type: "string" }, days: { type: "string" } } });
const share = Number(values.share ?? 100);
const days = Number(values.days ?? 45);
const customers = CUSTOMERS / share;
/** The simulated days end now, so that what is stored then is new. */
const END = Date.now();
const tokensOfRun = Math.round(TOKENS_A_DAY / share / RUNS_A_DAY);

const folder = await mkdtemp(join(tmpdir(), "psp-gate-growth-"));
const config = join(folder, "wrangler.toml");
const database = '[[d1_databases]]\nbinding = "DB"\ndatabase_name = "growth"\n';
await writeFile(
  config,
  `name = "growth"\nmain = ${JSON.stringify(WORKER)}\ncompatibility_date = "2026-10-15"\n${database}`,
);
await withStores(config, folder, ({ DB }) => migrateAll(DB));
const built = await bundle(config, WORKER, join(folder, "built"));
const { urls, pid, stop } = await startRuntime([{ name: "growth", built }], folder, folder);
const [file = ""] = await listDatabaseFiles(folder);
const end = async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
};
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => void end().then(() => process.exit(130)));
try {
  console.log(`load average ${loadavg()[0]?.toFixed(1)}; a ${share}th of ${TOKENS_A_DAY} tokens a day`);
  await ask("customers", {});
  printBytes(await simulate());
  // all but the last day's are over by then
  await printRates(END + (TOKEN_RETENTION_DAYS - 1) * DAY_MS);
} finally {
  await end();
}

async function ask<Result = object>(path: string, asked: object): Promise<Result> {
  const given = { customers, tokens: tokensOfRun, tokenRetentionDays: TOKEN_RETENTION_DAYS, ...asked };
  const response = await fetch(`${urls["growth"]}/${path}`, { method: "POST", body: JSON.stringify(given) });
  if (!response.ok) throw new Error(`/${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Result;
}

/** Answers how many tokens the table holds in the end. */
async function simulate(): Promise<number> {
  const table: { day: number; tokens: number; MB: string; pages: number; free: number }[] = [];
  let now = END - days * DAY_MS;
  let rows = 0;
  for (let day = 1; day <= days; day++) {
    let bytes = 0;
    for (let n = 0; n < RUNS_A_DAY; n++) {
      now += DAY_MS / RUNS_A_DAY;
      const run = await ask<{ deleted: { tokens: number }; unfinished: boolean; databaseBytes: number }>("run", {
        now,
      });
      if (run.unfinished) throw new Error(`day ${day}: a run left something`);
      rows += tokensOfRun - run.deleted.tokens;
      bytes = run.databaseBytes;
    }
    table.push({
      day,
      tokens: rows,
      MB: (bytes / 1e6).toFixed(1),
      ...inFile((db) => ({ pages: pragma(db, "page_count"), free: pragma(db, "freelist_count") })),
    });
  }
  console.table(table.filter(({ day }) => day === 1 || day % 5 === 0 || day === TOKEN_RETENTION_DAYS + 1));
  printGrowth(table);
  return rows;
}

/** By periods of a full table, in each of which every row is replaced: pages split by that fill up less and less fast. */
function printGrowth(table: readonly { day: number; pages: number }[]): void {
  let grown = Number.NaN;
  for (let from = TOKEN_RETENTION_DAYS + 1; from < days; from += TOKEN_RETENTION_DAYS) {
    const to = Math.min(days, from + TOKEN_RETENTION_DAYS);
    const [first, last] = [from, to].map((day) => table[day - 1]?.pages ?? Number.NaN) as [number, number];
    grown = last / first - 1;
    console.log(`from day ${from} to ${to} the file grew by ${(grown * 100).toFixed(1)} %`);
  }
  // also if there were too few days to say
  const settled = grown <= SETTLED_WITHIN;
  console.log(settled ? "settled" : `NOT SETTLED within ${SETTLED_WITHIN * 100} %`);
  if (!settled) process.exitCode = 1;
}

function printBytes(rows: number): void {
  const sizes = inFile((db) => db.prepare(TABLE_BYTES).all()) as { name: string; bytes: number }[];
  const each = sizes.map(({ name, bytes }) => [name, bytes / rows] as const);
  const all = each.reduce((sum, [, bytes]) => sum + bytes, 0);
  for (const [name, bytes] of [...each, ["together", all] as const])
    console.log(`${name.padEnd(20)} ${bytes.toFixed(0).padStart(4)} bytes for each token`);
  const most = MAX_DATABASE_BYTES / all;
  console.log(
    `a database of 10 GB holds ${(most / 1e6).toFixed(0)} million tokens: ${(most / TOKENS_A_DAY).toFixed(1)} days of ${TOKENS_A_DAY}, or ${(most / TOKEN_RETENTION_DAYS / 1e6).toFixed(1)} million a day for ${TOKEN_RETENTION_DAYS} days`,
  );
}

interface Inserts {
  readonly rows: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}
interface Deletes {
  readonly rows: number;
  readonly statements: number;
  readonly seconds: number;
}

/** How fast old tokens are deleted beside how fast new ones are stored, each alone and then both. `later`: nearly all are old. */
async function printRates(later: number): Promise<void> {
  const insert = () => ask<Inserts>("insert", { seconds: SECONDS_OF_RATE, connections: CONNECTIONS });
  const remove = () => ask<Deletes>("delete", { seconds: SECONDS_OF_RATE, now: later });
  const alone = async <Run extends Inserts | Deletes>(
    run: () => Promise<Run>,
  ): Promise<Run & { processor: string }> => {
    const began = await processorNanoseconds(pid);
    const done = await run();
    const microseconds = ((await processorNanoseconds(pid)) - began) / 1000 / done.rows;
    return { ...done, processor: `${microseconds.toFixed(0)} µs of processor time each` };
  };
  await insert();
  const [stored, deleted] = [await alone(insert), await alone(remove)];
  const [storedMeanwhile, deletedMeanwhile] = await Promise.all([insert(), remove()]);
  console.log(`needed: ${(TOKENS_A_DAY / 86_400).toFixed(0)} a second of each`);
  console.log(`stored alone: ${describeInserts(stored)}; ${stored.processor}`);
  console.log(`stored while old ones are deleted: ${describeInserts(storedMeanwhile)}`);
  console.log(`deleted alone: ${describeDeletes(deleted)}; ${deleted.processor}`);
  console.log(`deleted while new ones are stored: ${describeDeletes(deletedMeanwhile)}`);
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
}

const rate = ({ rows, seconds }: { rows: number; seconds: number }): string =>
  `${(rows / seconds).toFixed(0)} a second`;

const describeInserts = (run: Inserts): string =>
  `${rate(run)}, of ${CONNECTIONS} at a time each in ${run.p50.toFixed(0)} ms (p50), ${run.p99.toFixed(0)} ms (p99), ${run.most.toFixed(0)} ms (at most)`;

const describeDeletes = (run: Deletes): string =>
  `${rate(run)}, ${((run.seconds / run.statements) * 1000).toFixed(0)} ms a statement of ${(run.rows / run.statements).toFixed(0)}`;

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/** In the database's file, which is open elsewhere. */
function inFile<Result>(read: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    return read(db);
  } finally {
    db.close();
  }
}
