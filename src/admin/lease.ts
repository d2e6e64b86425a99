/** Commands that import or refresh take the lease of the scheduled refresh, so that only one of them runs at a time. */
import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "../clock.ts";
import { holdLease, LEASE_MS, releaseLease } from "../refresh/lease.ts";
import { makeSecret } from "../secrets.ts";
import { fail } from "./fail.ts";

const POLL_MS = 500;
/** Short, so that a killed command can be started again soon. A running command renews its lease. */
const COMMAND_LEASE_MS = 20_000;
const RENEW_MS = COMMAND_LEASE_MS / 4;

/** Waits for the lease, and holds it while `work` runs. */
export async function withLease<Result>(db: D1Database, work: () => Promise<Result>): Promise<Result> {
  const holder = `command ${makeSecret(8)}`;
  const deadline = clock.now() + LEASE_MS + POLL_MS;
  let announced = false;
  while (!(await holdLease(db, holder, clock.now(), COMMAND_LEASE_MS))) {
    if (clock.now() > deadline) fail("another refresh or import is still running: try again when it is done");
    if (!announced) console.error("waiting for another refresh or import to end, or for its lease to expire");
    announced = true;
    await sleep(POLL_MS);
  }
  const hold = setInterval(() => {
    // a failed renewal is ignored: the next one follows before the lease expires
    holdLease(db, holder, clock.now(), COMMAND_LEASE_MS).catch(() => {});
  }, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(hold);
    await releaseLease(db, holder);
  }
}
