/** How the refresh of each source stands: a row of D1 per task, written after each step and by the operator's imports. */
import { reach } from "../store-error.ts";
import { intervalOf, retryAt } from "./schedule.ts";

export interface Refresh {
  readonly task: string;
  readonly dueAt: number;
  /** In a row. */
  readonly failures: number;
  /** When the source was last seen to be as it is loaded; null for never. */
  readonly checkedAt: number | null;
  /** The last failure, until something succeeds. */
  readonly failedAt: number | null;
  readonly error: string | null;
  /** What the task keeps from one step to the next, as JSON. */
  readonly memo: string;
}

interface RefreshRow {
  task: string;
  due_at: number;
  failures: number;
  checked_at: number | null;
  failed_at: number | null;
  error: string | null;
  memo: string;
}

const LONGEST_ERROR = 500;

const ADD = "INSERT OR IGNORE INTO refreshes (task, due_at) VALUES (?1, ?2)";
const LIST = "SELECT * FROM refreshes ORDER BY due_at, task";
const SUCCEED = `
  INSERT INTO refreshes (task, due_at, checked_at, memo) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (task) DO UPDATE SET due_at = ?2, checked_at = ?3, memo = ?4, failures = 0, failed_at = NULL, error = NULL`;
const CONTINUE = `
  INSERT INTO refreshes (task, due_at, memo) VALUES (?1, ?2, ?3)
  ON CONFLICT (task) DO UPDATE SET due_at = ?2, memo = ?3, failures = 0, failed_at = NULL, error = NULL`;
const FAIL = `
  INSERT INTO refreshes (task, due_at, failures, failed_at, error) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (task) DO UPDATE SET due_at = ?2, failures = ?3, failed_at = ?4, error = ?5, memo = COALESCE(?6, memo)`;

/** Makes the tasks known, due at once; those that are known stay as they are. */
export async function addRefreshes(db: D1Database, tasks: readonly string[], now: number): Promise<void> {
  const add = db.prepare(ADD);
  await reach("D1", () => db.batch(tasks.map((task) => add.bind(task, now))));
}

/** All tasks, the longest due first. */
export async function listRefreshes(db: D1Database): Promise<Refresh[]> {
  const { results } = await reach("D1", () => db.prepare(LIST).all<RefreshRow>());
  return results.map(({ due_at, checked_at, failed_at, ...row }) => ({
    ...row,
    dueAt: due_at,
    checkedAt: checked_at,
    failedAt: failed_at,
  }));
}

/** The source is loaded as it was found `now`; the last error is history. */
export async function recordSuccess(db: D1Database, task: string, memo: unknown, now: number): Promise<void> {
  const values = [task, now + intervalOf(task), now, JSON.stringify(memo)];
  await reach("D1", () =>
    db
      .prepare(SUCCEED)
      .bind(...values)
      .run(),
  );
}

/** A step is done, another is due at once. */
export async function recordStep(db: D1Database, task: string, memo: unknown, now: number): Promise<void> {
  await reach("D1", () => db.prepare(CONTINUE).bind(task, now, JSON.stringify(memo)).run());
}

/** What was loaded before stays. `failures`: in a row, with this one; without a `memo` the one before stays, too. */
export async function recordFailure(
  db: D1Database,
  task: string,
  failures: number,
  { message, memo }: { readonly message: string; readonly memo?: unknown },
  now: number,
): Promise<void> {
  const kept = memo === undefined ? null : JSON.stringify(memo);
  const values = [task, retryAt(task, failures, now), failures, now, message.slice(0, LONGEST_ERROR), kept];
  await reach("D1", () =>
    db
      .prepare(FAIL)
      .bind(...values)
      .run(),
  );
}
