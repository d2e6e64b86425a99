/**
 * Commands that import or refresh take the lease of the scheduled refresh, so that only one of them runs at a time.
 * Ctrl-C says what is left to do and releases it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { clock, formatDuration } from "../../platform/clock.ts";
import { areWritesRefused, WRITES_REFUSED_TEXT } from "../../platform/schema-version.ts";
import { makeSecret } from "../../platform/secrets.ts";
import { holdLease, keepLease, LEASE_MS, readLease, releaseLease } from "../../refresh/refreshes.ts";
import { EXIT, fail } from "../fail.ts";
import { listDatabaseFiles } from "../stores.ts";

const POLL_MS = 500;
/** Short, so that a killed command can be started again soon. A running command renews its lease. */
const COMMAND_LEASE_MS = 20_000;
const RENEW_MS = COMMAND_LEASE_MS / 4;
/** As shells report an end by SIGINT. */
const INTERRUPTED = 130;

/** What a command under the lease says of itself. */
export interface LeasedWork {
  /** For Ctrl-C: what is done and what is left, as a sentence. */
  left: string;
}

/** Waits for the lease, and holds it while `work` runs. */
export async function withLease<Result>(
  db: D1Database,
  work: (leased: LeasedWork) => Promise<Result>,
): Promise<Result> {
  const holder = `command ${makeSecret(8)}`;
  await takeLease(db, holder);
  const hold = setInterval(async () => {
    // a failed renewal is ignored: the next one follows before the lease expires
    const kept = await keepLease(db, holder, clock.now(), COMMAND_LEASE_MS).catch(() => true);
    if (kept || interrupted) return;
    // as after the sleep of a laptop: to go on would be to write beside the other
    console.error(`\nstopped: another refresh or import has taken over, as this one stood still. ${leased.left}`);
    process.exit(EXIT.no);
  }, RENEW_MS);
  const leased: LeasedWork = { left: "what was loaded before is as it was: the same command begins again" };
  let interrupted = false;
  const interrupt = () => {
    if (interrupted) return;
    interrupted = true;
    clearInterval(hold);
    console.error(`\nstopped: ${leased.left}`);
    giveBack(db, holder)
      .catch(() =>
        console.error(`the lease could not be released: it expires within ${formatDuration(COMMAND_LEASE_MS)}`),
      )
      .finally(() => process.exit(INTERRUPTED));
  };
  // miniflare's own handlers end the process at once
  const replaced = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  for (const [signal] of replaced) process.removeAllListeners(signal).on(signal, interrupt);
  try {
    return await work(leased);
  } finally {
    // what the work says of its stores, which may be gone already, is of no interest then
    if (interrupted) await new Promise(() => {});
    clearInterval(hold);
    for (const [signal, listeners] of replaced) {
      process.off(signal, interrupt);
      for (const listener of listeners) process.on(signal, listener as NodeJS.SignalsListener);
    }
    await releaseLease(db, holder);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const GIVE_BACK_PATIENCE_MS = 2_000;

/** Ctrl-C on a terminal reaches workerd, too: without it the lease of the local database is released in its file. */
async function giveBack(db: D1Database, holder: string): Promise<void> {
  const late = async (): Promise<never> => {
    await sleep(GIVE_BACK_PATIENCE_MS);
    throw new Error("the database does not answer");
  };
  await Promise.race([releaseLease(db, holder), late()]).catch(() => releaseInFile(holder));
}

async function releaseInFile(holder: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  for (const file of await listDatabaseFiles()) {
    const database = new DatabaseSync(file, { timeout: GIVE_BACK_PATIENCE_MS });
    database.prepare("UPDATE refresh_lease SET expires_at = 0 WHERE id = 1 AND holder = ?").run(holder);
    database.close();
  }
}

async function takeLease(db: D1Database, holder: string): Promise<void> {
  const deadline = clock.now() + LEASE_MS + POLL_MS;
  let announced = false;
  while (!(await holdLease(db, holder, clock.now(), COMMAND_LEASE_MS))) {
    if (!announced && (await areWritesRefused(db))) fail(WRITES_REFUSED_TEXT);
    if (clock.now() > deadline)
      fail("another refresh or import is still running: try again when it is done", EXIT.unknown);
    if (!announced) console.error(await explainWait(db));
    announced = true;
    await clock.wait(POLL_MS);
  }
}

/** Who has it, and until when at the latest: a holder that was killed cannot give it back. */
async function explainWait(db: D1Database): Promise<string> {
  const lease = await readLease(db);
  const who = lease?.holder.startsWith("scheduled")
    ? "the scheduled refresh of the running service"
    : "another command";
  const rest = Math.max(0, (lease?.expiresAt ?? 0) - clock.now());
  return `waiting for another refresh or import to end: only one runs at a time, and ${who} has begun one. If it was killed, its lease expires in ${formatDuration(rest)}`;
}
