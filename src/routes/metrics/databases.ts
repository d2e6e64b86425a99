/** What D1 knows for GET /metrics: one call of the first database, and one of each. No statement reads without a limit. */
import { listDatabases } from "../../institutions/databases.ts";
import type { Instant } from "../../platform/instant.ts";
import { callStore } from "../../platform/stores.ts";

/** Rows that a count reads at most: above it the number is this one. */
const MOST_COUNTED = 10_000;

export const METRICS_STATEMENTS = {
  // oldest first: a ledger is asked as long as there are not too many
  institutions: `
    SELECT f.id, f.fi_reference_id AS reference, f.status,
      (SELECT min(coalesce(c.secret_made_at, c.created_at)) FROM credential_institutions i
        JOIN credentials c ON c.client_id = i.client_id WHERE i.fi_id = f.id) AS secretAt
    FROM financial_institutions f ORDER BY f.id`,
  refreshes: `
    SELECT task, due_at AS dueAt, failures, checked_at AS checkedAt, refused_at IS NOT NULL AS refused
    FROM refreshes ORDER BY task`,
  damage: "SELECT fi, sum(last_seq - first_seq + 1) AS records FROM ledger_damage GROUP BY fi",
  // index: notices_untold
  notices: `SELECT count(*) AS waiting, min(created_at) AS oldest
    FROM (SELECT created_at FROM notices WHERE told_at IS NULL ORDER BY created_at LIMIT ${MOST_COUNTED})`,
  // AUTOINCREMENT: the last number that was given, whatever was deleted since
  events: "SELECT seq AS last FROM sqlite_sequence WHERE name = 'events'",
  // index: webhook_deliveries_due
  pending: `SELECT count(*) AS waiting, min(created_at) AS oldest
    FROM (SELECT created_at FROM webhook_deliveries WHERE status = 'pending' LIMIT ${MOST_COUNTED})`,
  // index: webhook_deliveries_ended
  dead: `SELECT count(*) AS dead FROM (
    SELECT 1 FROM webhook_deliveries WHERE ended_at > ?1 AND status = 'dead' LIMIT ${MOST_COUNTED})`,
} as const;

export interface CountedInstitution {
  readonly id: number;
  readonly reference: string;
  readonly status: "active" | "disabled";
  /** When the oldest of its secrets was made; null if it has no credential. */
  readonly secretAt: Instant | null;
}

interface TaskState {
  readonly task: string;
  readonly dueAt: Instant;
  readonly failures: number;
  readonly checkedAt: Instant | null;
  readonly refused: number;
}

/** `oldest`: null if nothing waits. */
interface Waiting {
  readonly waiting: number;
  readonly oldest: Instant | null;
}

const NOTHING: Waiting = { waiting: 0, oldest: null };

export interface FirstDatabase {
  readonly institutions: readonly CountedInstitution[];
  readonly refreshes: readonly TaskState[];
  readonly damage: readonly { readonly fi: string; readonly records: number }[];
  readonly notices: Waiting;
}

/** Throws StoreError: without it nothing is true. */
export async function readFirstDatabase(db: D1Database): Promise<FirstDatabase> {
  const { institutions, refreshes, damage, notices } = METRICS_STATEMENTS;
  const statements = [institutions, refreshes, damage, notices].map((sql) => db.prepare(sql));
  const answers = await callStore("D1", () => db.batch<unknown>(statements));
  const [fis, tasks, files, untold] = answers.map(({ results }) => results);
  return {
    institutions: (fis ?? []) as CountedInstitution[],
    refreshes: (tasks ?? []) as TaskState[],
    damage: (files ?? []) as FirstDatabase["damage"],
    notices: (untold?.[0] as Waiting | undefined) ?? NOTHING,
  };
}

const HOUR_MS = 3_600_000;

export interface DatabaseState {
  /** Its binding's name in wrangler.toml. */
  readonly binding: string;
  /** Null: it does not answer. */
  readonly state: {
    readonly bytes: number;
    readonly events: number;
    readonly pending: Waiting;
    /** Deliveries that were given up in the last hour. */
    readonly dead: number;
  } | null;
}

export const readDatabases = (env: Pick<Env, "DB">, now: Instant): Promise<DatabaseState[]> =>
  Promise.all(
    listDatabases(env).map(async ({ binding, db }) => {
      const { events, pending, dead } = METRICS_STATEMENTS;
      const statements = [db.prepare(events), db.prepare(pending), db.prepare(dead).bind(now - HOUR_MS)];
      const answers = await callStore(`D1 ${binding}`, () => db.batch<unknown>(statements)).catch(() => null);
      if (!answers) return { binding, state: null };
      const [last, waiting, given] = answers.map(({ results }) => results[0]);
      const state = {
        bytes: answers[0]?.meta.size_after ?? 0,
        events: (last as { last: number } | undefined)?.last ?? 0,
        pending: (waiting as Waiting | undefined) ?? NOTHING,
        dead: (given as { dead: number } | undefined)?.dead ?? 0,
      };
      return { binding, state };
    }),
  );
