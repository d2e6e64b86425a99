/**
 * `npm run bench:growth [-- --share 100 --days 45]`: what becomes of the table of tokens of a bank that makes 4 million a
 * day, by a simulated clock, at a hundredth of that rate: rows and pages day by day, bytes for each token, and how fast
 * old tokens are deleted beside how fast new ones are stored. In workerd, by the service's own statements.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MAX_DATABASE_BYTES } from "../../src/institutions/databases.ts";
import { printRates } from "./growth-rates.ts";
import { startGrowthStores } from "./growth-stores.ts";
import { readPages, readTableBytes } from "./table-size.ts";

/** An account-information bank of a million customers. */
const TOKENS_A_DAY = 4_000_000;
const CUSTOMERS = 1_000_000;
const TOKEN_RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;
/** The service deletes each hour; fewer runs make the simulation shorter, not another. */
const RUNS_A_DAY = 8;
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
const given = { customers, tokens: tokensOfRun, tokenRetentionDays: TOKEN_RETENTION_DAYS };
const { ask, file, pid, stop } = await startGrowthStores(folder, given);
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
  await printRates({ ask, pid }, END + (TOKEN_RETENTION_DAYS - 1) * DAY_MS, TOKENS_A_DAY / 86_400);
} finally {
  await end();
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
    table.push({ day, tokens: rows, MB: (bytes / 1e6).toFixed(1), ...readPages(file) });
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
  const sizes = readTableBytes(file, "tokens");
  const each = [...sizes].map(([name, bytes]) => [name, bytes / rows] as const);
  const all = each.reduce((sum, [, bytes]) => sum + bytes, 0);
  for (const [name, bytes] of [...each, ["together", all] as const])
    console.log(`${name.padEnd(20)} ${bytes.toFixed(0).padStart(4)} bytes for each token`);
  const most = MAX_DATABASE_BYTES / all;
  console.log(
    `a database of 10 GB holds ${(most / 1e6).toFixed(0)} million tokens: ${(most / TOKENS_A_DAY).toFixed(1)} days of ${TOKENS_A_DAY}, or ${(most / TOKEN_RETENTION_DAYS / 1e6).toFixed(1)} million a day for ${TOKEN_RETENTION_DAYS} days`,
  );
}
