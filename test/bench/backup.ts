/**
 * `npm run node test/bench/backup.ts [-- --gigabytes 2 --heap 64]`: what `backup`, `backup verify` and `restore` of a large
 * database take: time and peak memory of each command, whose heap may have that many megabytes. Half of the dump is
 * tokens, half payment orders full of quotes. All that is stored is deleted before the restore, and compared after it.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs, promisify } from "node:util";
import { listDatabaseFiles, seedTokens } from "./stores.ts";

/** What a row takes in the dump. The initiation is half of the 64 KiB that a request may have, each quote doubled. */
const [TOKEN_BYTES, ORDER_BYTES, QUOTES] = [279, 65_900, 32_768];
const ADMIN = join(import.meta.dirname, "../../src/cli/main.ts");
const TELL_PEAK = `data:text/javascript,process.on("exit",()=>console.error("peak "+process.resourceUsage().maxRSS))`;
const ORDERS = `
  WITH RECURSIVE made(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM made WHERE i + 1 < ?1)
  INSERT INTO payment_order_consents (id, fi_id, psp_id, status, created_at, status_updated_at, initiation)
  SELECT '0mi000000' || printf('%022d', i), ?4, ?2, 'AwaitingAuthorisation', i, i,
    json_object('a', replace(hex(zeroblob(?3)), '00', '''')) FROM made`;

const { values } = parseArgs({ options: { gigabytes: { type: "string" }, heap: { type: "string" } } });
const [half, heap] = [(Number(values.gigabytes ?? 2) * 1e9) / 2, Number(values.heap ?? 64)];
const folder = await mkdtemp(join(tmpdir(), "psp-gate-backup-"));
const state = join(folder, "state");
const backup = join(folder, "backup");

/** Of the operator's command. */
async function run(...args: string[]): Promise<void> {
  const [began, [load = 0]] = [performance.now(), loadavg()];
  const flags = [`--max-old-space-size=${heap}`, "--import", TELL_PEAK, ADMIN];
  const env = { ...process.env, STATE_DIR: state };
  const { stderr } = await promisify(execFile)(process.execPath, [...flags, ...args], { env, maxBuffer: 2 ** 26 });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const peak = Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1024;
  const name = args.filter((arg) => !arg.startsWith(folder)).join(" ");
  console.log(`${name}: ${seconds} s, peak ${peak.toFixed(0)} MB, load average before it ${load.toFixed(1)}`);
}

/** Rows of the tables, and a digest of all that is in them. */
function digest(file: string): string {
  const hash = createHash("sha256");
  const db = new DatabaseSync(file, { readOnly: true });
  const tables = db
    .prepare(
      "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY 1",
    )
    .all() as { name: string; sql: string }[];
  let rows = 0;
  for (const { name, sql } of tables) {
    hash.update(sql);
    if (!sql.startsWith("CREATE TABLE")) continue;
    for (const row of db.prepare(`SELECT * FROM "${name}"`).iterate()) {
      hash.update(JSON.stringify(row));
      rows++;
    }
  }
  db.close();
  return `${rows} rows, ${hash.digest("hex")}`;
}

try {
  console.log(`heap of at most ${heap} MB`);
  await run("fi", "add", "--name", "A Bank", "--reference", "PSDFI-FINFSA-0001");
  const [file = ""] = await listDatabaseFiles(state);
  const db = new DatabaseSync(file);
  const fiId = Number(db.prepare("SELECT id FROM financial_institutions").get()?.["id"]);
  const pspId = "PSDFI-FINFSA-1234567";
  db.prepare(ORDERS).run(Math.ceil(half / ORDER_BYTES), pspId, QUOTES, fiId);
  db.close();
  seedTokens(file, Math.ceil(half / TOKEN_BYTES / 10) * 10, { kid: "bench", fiId, pspId, now: Date.now() });
  const before = digest(file);
  await run("backup", backup);
  console.log(`the dump has ${((await stat(join(backup, "d1.sql"))).size / 1e9).toFixed(2)} GB`);
  await run("backup", "verify", backup);
  await rm(state, { recursive: true });
  await run("restore", backup);
  const after = digest(file);
  console.log(`before ${before}\nafter  ${after}`);
  if (after !== before) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
