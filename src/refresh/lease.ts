/**
 * Ensures that only one refresh or import runs at a time, over all locations: a row in D1, taken by compare-and-swap.
 * It expires, so that a run that is killed does not block others for long.
 */
import { callStore } from "../platform/stores.ts";

/** Longer than any step: downloads time out after a minute, and a step's work and writes are limited. */
export const LEASE_MS = 3 * 60_000;

// ?1 holder, ?2 new expiry, ?3 now; by primary key
const TAKE = `
  INSERT INTO refresh_lease (id, holder, expires_at) VALUES (1, ?1, ?2)
  ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
  WHERE holder = ?1 OR expires_at <= ?3`;
const KEEP = "UPDATE refresh_lease SET expires_at = ?2 WHERE id = 1 AND holder = ?1";
const RELEASE = "UPDATE refresh_lease SET expires_at = 0 WHERE id = 1 AND holder = ?1";

/**
 * Takes or renews the lease; false if another holder has it. `now`: milliseconds since 1970. `leaseMs`: milliseconds;
 * shorter for a holder that renews it continually.
 */
export async function holdLease(db: D1Database, holder: string, now: number, leaseMs = LEASE_MS): Promise<boolean> {
  const statement = db.prepare(TAKE).bind(holder, now + leaseMs, now);
  return (await callStore("D1", () => statement.run())).meta.changes === 1;
}

/**
 * Renews the lease; false if another holder has had it since, even if it has given it back: what this one has read may have
 * changed. The rest as for {@link holdLease}.
 */
export async function keepLease(db: D1Database, holder: string, now: number, leaseMs: number): Promise<boolean> {
  const statement = db.prepare(KEEP).bind(holder, now + leaseMs);
  return (await callStore("D1", () => statement.run())).meta.changes === 1;
}

export async function releaseLease(db: D1Database, holder: string): Promise<void> {
  await callStore("D1", () => db.prepare(RELEASE).bind(holder).run());
}

/** Who holds the lease, or held it last; null if nobody ever did. For the operator. */
export async function readLease(db: D1Database): Promise<{ holder: string; expiresAt: number } | null> {
  const read = db.prepare("SELECT holder, expires_at AS expiresAt FROM refresh_lease WHERE id = 1");
  return await callStore("D1", () => read.first<{ holder: string; expiresAt: number }>());
}
