/** The state of each refresh task: a row in D1, written after each step and by the operator's imports. */

import { type KnownDamage, LIST_DAMAGE } from "../evidence/ledger/damage.ts";
import type { Instant } from "../platform/instant.ts";
import { SCHEMA_NEWER, WRITES_REFUSED } from "../platform/schema-version.ts";
import { bindNamed, type Values } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { COUNT_PSPS, firstDayOfCount, type PspCount } from "../registers/holes.ts";
import { intervalOf, retryAt } from "./schedule.ts";

export interface Refresh {
  readonly task: string;
  readonly dueAt: Instant;
  readonly failures: number;
  /** When the loaded data was last found to be the source's current data; null for never. */
  readonly checkedAt: Instant | null;
  /** The last failure; null after a success. */
  readonly failedAt: Instant | null;
  readonly error: string | null;
  /** The operator's last import, if it was refused; null after a success. */
  readonly refusedAt: Instant | null;
  readonly refusal: string | null;
  /** State that the task keeps from one step to the next, as JSON; the column `memo`. */
  readonly stepState: string;
}

const LONGEST_ERROR = 500;

const ADD = "INSERT OR IGNORE INTO refreshes (task, due_at) VALUES (?1, ?2)";
const LIST = `
  SELECT task, due_at AS dueAt, failures, checked_at AS checkedAt, failed_at AS failedAt, error, refused_at AS refusedAt,
    refusal, memo AS stepState
  FROM refreshes ORDER BY due_at, task`;
const SUCCEED = `
  INSERT INTO refreshes (task, due_at, checked_at, memo) VALUES (:task, :dueAt, :now, :stepState)
  ON CONFLICT (task) DO UPDATE SET due_at = :dueAt, checked_at = :now, memo = :stepState, failures = 0, failed_at = NULL, error = NULL,
    refused_at = NULL, refusal = NULL`;
const CONTINUE = `
  INSERT INTO refreshes (task, due_at, memo) VALUES (:task, :now, :stepState)
  ON CONFLICT (task) DO UPDATE SET due_at = :now, memo = :stepState, failures = 0, failed_at = NULL, error = NULL`;
const FAIL = `
  INSERT INTO refreshes (task, due_at, failures, failed_at, error) VALUES (:task, :dueAt, :failures, :now, :error)
  ON CONFLICT (task) DO UPDATE SET due_at = :dueAt, failures = :failures, failed_at = :now, error = :error, memo = COALESCE(:stepState, memo)`;
const KEEP = "UPDATE refreshes SET memo = :stepState WHERE task = :task";
// leaves the schedule and its failures alone
const REFUSE = `
  INSERT INTO refreshes (task, due_at, refused_at, refusal) VALUES (:task, :now, :now, :refusal)
  ON CONFLICT (task) DO UPDATE SET refused_at = :now, refusal = :refusal`;

/** Adds tasks, due at `now`. Existing tasks are not changed. */
export async function addRefreshes(db: D1Database, tasks: readonly string[], now: Instant): Promise<void> {
  // D1 refuses a batch of nothing
  if (tasks.length === 0) return;
  const add = db.prepare(ADD);
  await callStore("D1", () => db.batch(tasks.map((task) => add.bind(task, now))));
}

export async function listRefreshes(db: D1Database): Promise<Refresh[]> {
  return (await callStore("D1", () => db.prepare(LIST).all<Refresh>())).results;
}

/** All tasks, what ledgers say is damaged, whether the schema is newer, and the PSPs seen since yesterday, in one call. */
export async function readOperation(
  db: D1Database,
  now: Instant,
): Promise<{
  readonly refreshes: readonly Refresh[];
  readonly damage: readonly KnownDamage[];
  readonly schema: { readonly newer: boolean; readonly writesRefused: boolean };
  readonly pspCounts: readonly PspCount[];
}> {
  const asked = [LIST, LIST_DAMAGE, `SELECT ${SCHEMA_NEWER} AS newer, ${WRITES_REFUSED} AS refused`].map((sql) =>
    db.prepare(sql),
  );
  const counted = db.prepare(COUNT_PSPS).bind(firstDayOfCount(now));
  const [tasks, damage, schema, psps] = await callStore("D1", () => db.batch([...asked, counted]));
  const [state] = (schema?.results ?? []) as { newer: number; refused: number }[];
  return {
    refreshes: (tasks?.results ?? []) as unknown as Refresh[],
    damage: (damage?.results ?? []) as unknown as KnownDamage[],
    schema: { newer: state?.newer === 1, writesRefused: state?.refused === 1 },
    pspCounts: (psps?.results ?? []) as unknown as PspCount[],
  };
}

const run = (db: D1Database, sql: string, values: Values): Promise<D1Result> =>
  callStore("D1", () => bindNamed(db, sql, values).run());

/** Records that the loaded data is current at `now`, and clears the last error. */
export async function recordSuccess(db: D1Database, task: string, stepState: unknown, now: Instant): Promise<void> {
  await run(db, SUCCEED, { task, dueAt: now + intervalOf(task), now, stepState: JSON.stringify(stepState) });
}

/** Records a completed step after which another is due at once. */
export async function recordStep(db: D1Database, task: string, stepState: unknown, now: Instant): Promise<void> {
  await run(db, CONTINUE, { task, now, stepState: JSON.stringify(stepState) });
}

/**
 * Records a failed step. `failures`: consecutive ones, including this one. Without `stepState` the previous one is kept.
 */
export async function recordFailure(
  db: D1Database,
  task: string,
  failures: number,
  { message, stepState }: { readonly message: string; readonly stepState?: unknown },
  now: Instant,
): Promise<void> {
  await run(db, FAIL, {
    ...{ task, dueAt: retryAt(task, failures, now), failures, now, error: message.slice(0, LONGEST_ERROR) },
    stepState: stepState === undefined ? null : JSON.stringify(stepState),
  });
}

/** Stores the state of a step that is under way. */
export async function keepStepState(db: D1Database, task: string, stepState: unknown): Promise<void> {
  await run(db, KEEP, { task, stepState: JSON.stringify(stepState) });
}

/**
 * Forgets what is loaded, before an import that is no step of the task: if it is interrupted, the next step fetches the
 * source again, although it has not changed.
 */
export const forgetStepState = (db: D1Database, task: string): Promise<void> => keepStepState(db, task, {});

/** Records that the operator's import was refused. What is scheduled goes on as before. */
export async function recordRefusedImport(db: D1Database, task: string, message: string, now: Instant): Promise<void> {
  await run(db, REFUSE, { task, now, refusal: message.slice(0, LONGEST_ERROR) });
}

// The lease: only one refresh or import runs at a time, over all locations. It is a row in D1, taken by compare-and-swap. It
// expires, so that a run that is killed does not block others for long.

/** Longer than any step: downloads time out after a minute, and a step's work and writes are limited. */
export const LEASE_MS = 3 * 60_000;

// by primary key
const TAKE = `
  INSERT INTO refresh_lease (id, holder, expires_at) SELECT 1, :holder, :expiresAt WHERE NOT ${WRITES_REFUSED}
  ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
  WHERE holder = :holder OR expires_at <= :now`;
const KEEP_LEASE = "UPDATE refresh_lease SET expires_at = :expiresAt WHERE id = 1 AND holder = :holder";
const RELEASE = "UPDATE refresh_lease SET expires_at = 0 WHERE id = 1 AND holder = :holder";

/**
 * Takes or renews the lease; false if another holder has it, or if this release must not write. `leaseMs`: milliseconds;
 * shorter for a holder that renews it continually.
 */
export async function holdLease(db: D1Database, holder: string, now: Instant, leaseMs = LEASE_MS): Promise<boolean> {
  return (await run(db, TAKE, { holder, expiresAt: now + leaseMs, now })).meta.changes === 1;
}

/**
 * Renews the lease; false if another holder has had it since, even if it has given it back: what this one has read may have
 * changed. The rest as for {@link holdLease}.
 */
export async function keepLease(db: D1Database, holder: string, now: Instant, leaseMs: number): Promise<boolean> {
  return (await run(db, KEEP_LEASE, { holder, expiresAt: now + leaseMs })).meta.changes === 1;
}

export async function releaseLease(db: D1Database, holder: string): Promise<void> {
  await run(db, RELEASE, { holder });
}

/** Who holds the lease, or held it last; null if nobody ever did. For the operator. */
export async function readLease(db: D1Database): Promise<{ holder: string; expiresAt: Instant } | null> {
  const read = db.prepare("SELECT holder, expires_at AS expiresAt FROM refresh_lease WHERE id = 1");
  return await callStore("D1", () => read.first<{ holder: string; expiresAt: Instant }>());
}
