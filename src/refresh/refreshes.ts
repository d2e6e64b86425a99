/** The state of each refresh task: a row in D1, written after each step and by the operator's imports. */
import { type KnownDamage, LIST_DAMAGE } from "../evidence/ledger/damage.ts";
import { callStore } from "../platform/store-error.ts";
import { intervalOf, retryAt } from "./schedule.ts";

export interface Refresh {
  readonly task: string;
  readonly dueAt: number;
  /** Number of consecutive failures. */
  readonly failures: number;
  /** When the loaded data was last found to be the source's current data; null for never. */
  readonly checkedAt: number | null;
  /** The last failure; null after a success. */
  readonly failedAt: number | null;
  readonly error: string | null;
  /** The operator's last import, if it was refused; null after a success. */
  readonly refusedAt: number | null;
  readonly refusal: string | null;
  /** State that the task keeps from one step to the next, as JSON; the column `memo`. */
  readonly stepState: string;
}

interface RefreshRow {
  task: string;
  due_at: number;
  failures: number;
  checked_at: number | null;
  failed_at: number | null;
  error: string | null;
  refused_at: number | null;
  refusal: string | null;
  memo: string;
}

const LONGEST_ERROR = 500;

const ADD = "INSERT OR IGNORE INTO refreshes (task, due_at) VALUES (?1, ?2)";
const LIST = "SELECT * FROM refreshes ORDER BY due_at, task";
const SUCCEED = `
  INSERT INTO refreshes (task, due_at, checked_at, memo) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (task) DO UPDATE SET due_at = ?2, checked_at = ?3, memo = ?4, failures = 0, failed_at = NULL, error = NULL,
    refused_at = NULL, refusal = NULL`;
const CONTINUE = `
  INSERT INTO refreshes (task, due_at, memo) VALUES (?1, ?2, ?3)
  ON CONFLICT (task) DO UPDATE SET due_at = ?2, memo = ?3, failures = 0, failed_at = NULL, error = NULL`;
const FAIL = `
  INSERT INTO refreshes (task, due_at, failures, failed_at, error) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (task) DO UPDATE SET due_at = ?2, failures = ?3, failed_at = ?4, error = ?5, memo = COALESCE(?6, memo)`;
const KEEP = "UPDATE refreshes SET memo = ?2 WHERE task = ?1";
// leaves the schedule and its failures alone
const REFUSE = `
  INSERT INTO refreshes (task, due_at, refused_at, refusal) VALUES (?1, ?2, ?2, ?3)
  ON CONFLICT (task) DO UPDATE SET refused_at = ?2, refusal = ?3`;

/** Adds tasks, due at `now`. Existing tasks are not changed. */
export async function addRefreshes(db: D1Database, tasks: readonly string[], now: number): Promise<void> {
  const add = db.prepare(ADD);
  await callStore("D1", () => db.batch(tasks.map((task) => add.bind(task, now))));
}

/** All tasks, by due time. */
export async function listRefreshes(db: D1Database): Promise<Refresh[]> {
  const { results } = await callStore("D1", () => db.prepare(LIST).all<RefreshRow>());
  return results.map(readRow);
}

/** All tasks, and what ledgers say is damaged, in one call. */
export async function listRefreshesAndDamage(
  db: D1Database,
): Promise<{ readonly refreshes: readonly Refresh[]; readonly damage: readonly KnownDamage[] }> {
  const [tasks, damage] = await callStore("D1", () => db.batch([db.prepare(LIST), db.prepare(LIST_DAMAGE)]));
  return {
    refreshes: ((tasks?.results ?? []) as unknown as RefreshRow[]).map(readRow),
    damage: (damage?.results ?? []) as unknown as KnownDamage[],
  };
}

const readRow = ({ due_at, checked_at, failed_at, refused_at, memo, ...row }: RefreshRow): Refresh => ({
  ...row,
  refusedAt: refused_at,
  dueAt: due_at,
  checkedAt: checked_at,
  failedAt: failed_at,
  stepState: memo,
});

/** Records that the loaded data is current at `now`, and clears the last error. */
export async function recordSuccess(db: D1Database, task: string, stepState: unknown, now: number): Promise<void> {
  const values = [task, now + intervalOf(task), now, JSON.stringify(stepState)];
  await callStore("D1", () =>
    db
      .prepare(SUCCEED)
      .bind(...values)
      .run(),
  );
}

/** Records a completed step after which another is due at once. */
export async function recordStep(db: D1Database, task: string, stepState: unknown, now: number): Promise<void> {
  await callStore("D1", () => db.prepare(CONTINUE).bind(task, now, JSON.stringify(stepState)).run());
}

/**
 * Records a failed step. `failures`: consecutive ones, including this one. Without `stepState` the previous one is kept.
 */
export async function recordFailure(
  db: D1Database,
  task: string,
  failures: number,
  { message, stepState }: { readonly message: string; readonly stepState?: unknown },
  now: number,
): Promise<void> {
  const kept = stepState === undefined ? null : JSON.stringify(stepState);
  const values = [task, retryAt(task, failures, now), failures, now, message.slice(0, LONGEST_ERROR), kept];
  await callStore("D1", () =>
    db
      .prepare(FAIL)
      .bind(...values)
      .run(),
  );
}

/** Stores the state of a step that is under way. */
export async function keepStepState(db: D1Database, task: string, stepState: unknown): Promise<void> {
  await callStore("D1", () => db.prepare(KEEP).bind(task, JSON.stringify(stepState)).run());
}

/**
 * Forgets what is loaded, before an import that is no step of the task: if it is interrupted, the next step fetches the
 * source again, although it has not changed.
 */
export const forgetStepState = (db: D1Database, task: string): Promise<void> => keepStepState(db, task, {});

/** Records that the operator's import was refused. What is scheduled goes on as before. */
export async function recordRefusedImport(db: D1Database, task: string, message: string, now: number): Promise<void> {
  const values = [task, now, message.slice(0, LONGEST_ERROR)];
  await callStore("D1", () =>
    db
      .prepare(REFUSE)
      .bind(...values)
      .run(),
  );
}

/** Longer than any step: downloads time out after a minute, and a step's work and writes are limited. */
export const LEASE_MS = 3 * 60_000;

// ?1 holder, ?2 new expiry, ?3 now; by primary key
const TAKE = `
  INSERT INTO refresh_lease (id, holder, expires_at) VALUES (1, ?1, ?2)
  ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
  WHERE holder = ?1 OR expires_at <= ?3`;
const KEEP_LEASE = "UPDATE refresh_lease SET expires_at = ?2 WHERE id = 1 AND holder = ?1";
const RELEASE = "UPDATE refresh_lease SET expires_at = 0 WHERE id = 1 AND holder = ?1";

/**
 * Takes or renews the lease; false if another holder has it. `leaseMs`: milliseconds; shorter for a holder that renews it
 * continually.
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
  const statement = db.prepare(KEEP_LEASE).bind(holder, now + leaseMs);
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
