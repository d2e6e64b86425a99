/** Imports and refreshes by command take the same lease as the scheduled refresh: never two at a time. */
import { setTimeout } from "node:timers/promises";
import { now } from "../clock.ts";
import { holdLease, LEASE_MS, releaseLease } from "../refresh/lease.ts";
import { makeSecret } from "../secrets.ts";
import { fail } from "./fail.ts";

const POLL_MS = 500;

/** Runs `work` while nobody else refreshes or imports; `hold` keeps it so for work that takes long. */
export async function withLease<Result>(
  db: D1Database,
  work: (hold: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const holder = `command ${makeSecret(8)}`;
  const deadline = now() + LEASE_MS + POLL_MS;
  let told = false;
  while (!(await holdLease(db, holder, now()))) {
    if (now() > deadline) fail("another refresh or import is still running: try again when it is done");
    if (!told) console.error("waiting for another refresh or import to end, or for its lease to expire");
    told = true;
    await setTimeout(POLL_MS);
  }
  try {
    return await work(async () => {
      if (!(await holdLease(db, holder, now()))) fail("lost the lease to another refresh or import");
    });
  } finally {
    await releaseLease(db, holder);
  }
}
