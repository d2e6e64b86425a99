/** What `status`, `doctor`, `webhook list` and `key remove` read of webhooks and their deliveries. */
import { readFile } from "node:fs/promises";
import { IS_NO_TEST } from "../../events/deliveries.ts";
import { listDatabases } from "../../institutions/databases.ts";
import { clock, relativeTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { CONFIGURATION } from "../configuration.ts";

export interface DeliveryCounts {
  /** Whether wrangler.toml has a queue; without one the scheduled run makes the deliveries. */
  readonly queue: boolean;
  readonly webhooks: number;
  /** Their receivers answered with 410. */
  readonly disabled: number;
  readonly pending: number;
  /** Given up; they can be replayed. */
  readonly dead: number;
  /** Of the dead: the receiver wanted no more, so that none of them was tried for three days. */
  readonly endedBy410: number;
  /** Each one that is silent, disabled or fails, or of which something was given up. */
  readonly failing: readonly FailingWebhook[];
  /** Each with an old secret that still signs; what ends first is first. */
  readonly rotating: readonly RotatingWebhook[];
}

interface RotatingWebhook {
  readonly id: string;
  readonly fi_reference_id: string;
  readonly oldSecretUntil: Instant;
}

type Counted = Omit<DeliveryCounts, "queue" | "failing" | "rotating">;

// of an operator's command: events are kept for months only, and are few
const COUNT = `
  SELECT
    (SELECT count(*) FROM webhooks) AS webhooks,
    (SELECT count(*) FROM webhooks WHERE status = 'disabled') AS disabled,
    (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending') AS pending,
    (SELECT count(*) FROM webhook_deliveries WHERE status = 'dead') AS dead,
    (SELECT count(*) FROM webhook_deliveries
     WHERE status = 'dead' AND outcome IN ('answered with status 410', 'its webhook is disabled')) AS endedBy410`;
const BY_WEBHOOK = `
  SELECT webhook_id AS webhookId, status, count(*) AS deliveries FROM webhook_deliveries WHERE fi_id = ?1
  GROUP BY webhook_id, status`;

const ROTATING = `
  SELECT webhook.id, fi.fi_reference_id, webhook.old_secret_until AS oldSecretUntil
  FROM webhooks AS webhook JOIN financial_institutions AS fi ON fi.id = webhook.fi_id
  WHERE webhook.old_secret_until > ?1 ORDER BY webhook.old_secret_until`;

async function listRotating(env: Pick<Env, "DB">): Promise<RotatingWebhook[]> {
  const lists = await Promise.all(
    listDatabases(env).map(({ db }) =>
      db
        .prepare(ROTATING)
        .bind(clock.now())
        .all<RotatingWebhook>()
        .then(({ results }) => results)
        .catch(() => []),
    ),
  );
  return lists.flat();
}

/** One sentence. */
export const describeRotating = ({ id, fi_reference_id, oldSecretUntil }: RotatingWebhook, now: Instant): string =>
  `${id} of ${fi_reference_id} signs with two secrets: the old one ends ${relativeTime(oldSecretUntil, now)}`;

/** Of every database that answers. */
export async function countDeliveries(env: Pick<Env, "DB">): Promise<DeliveryCounts> {
  const queue = /^\[\[queues\.producers\]\]/m.test(await readFile(CONFIGURATION, "utf8"));
  const [failing, rotating, ...counts] = await Promise.all([
    listFailing(env),
    listRotating(env),
    ...listDatabases(env).map(({ db }) =>
      db
        .prepare(COUNT)
        .first<Counted>()
        // one that does not answer is shown as such among the databases
        .catch(() => null),
    ),
  ]);
  const sum = (name: keyof Counted) => counts.reduce((total, one) => total + (one?.[name] ?? 0), 0);
  return {
    ...{ queue, webhooks: sum("webhooks"), disabled: sum("disabled"), pending: sum("pending") },
    ...{ dead: sum("dead"), endedBy410: sum("endedBy410"), failing, rotating },
  };
}

const SEALED = "SELECT count(*) AS webhooks FROM webhooks WHERE kid = ?1 OR old_kid = ?1";

/** The webhooks whose secrets a token key has sealed. Throws if a database does not answer: it may have some. */
export async function countSealed(env: Pick<Env, "DB">, kid: string): Promise<number> {
  const counts = await Promise.all(
    listDatabases(env).map(({ db }) => db.prepare(SEALED).bind(kid).first<number>("webhooks")),
  );
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

export type CountedDeliveries = Readonly<Record<"pending" | "delivered" | "dead", number>>;

/** By webhook. */
export async function countByWebhook(db: D1Database, fiId: number): Promise<ReadonlyMap<string, CountedDeliveries>> {
  const { results } = await db
    .prepare(BY_WEBHOOK)
    .bind(fiId)
    .all<{ webhookId: string; status: keyof CountedDeliveries; deliveries: number }>();
  return new Map(
    [...Map.groupBy(results, ({ webhookId }) => webhookId)].map(([id, rows]) => [
      id,
      { pending: 0, delivered: 0, dead: 0, ...Object.fromEntries(rows.map((row) => [row.status, row.deliveries])) },
    ]),
  );
}

/** For people; `status --json` has all. */
export const MOST_NAMED = 20;

export interface FailingWebhook {
  readonly id: string;
  readonly fi_reference_id: string;
  /** Its receiver answered with 410; null: it is active. */
  readonly disabledAt: Instant | null;
  /** Since when no attempt got an answer; null: the last one got one, or there was none. */
  readonly silentSince: Instant | null;
  /** The oldest first attempt of what is pending: none of these succeeded. */
  readonly failingSince: Instant | null;
  /** How the last attempt of that one ended; completes the sentence "The receiver ...". */
  readonly outcome: string | null;
  readonly pending: number;
  /** Given up. Tests are not counted: nobody waits for them. */
  readonly dead: number;
}

// beside min() SQLite takes the other columns from the row of the minimum
const FAILING = `
  WITH pending AS (
    SELECT webhook_id, count(*) AS deliveries, min(first_at) AS first_at, outcome
    FROM webhook_deliveries WHERE status = 'pending' GROUP BY webhook_id
  ), dead AS (
    SELECT webhook_id, count(*) AS deliveries
    FROM webhook_deliveries WHERE status = 'dead' AND ${IS_NO_TEST} GROUP BY webhook_id
  )
  SELECT webhook.id, fi.fi_reference_id, webhook.disabled_at AS disabledAt, webhook.silent_since AS silentSince,
    pending.first_at AS failingSince, pending.outcome, coalesce(pending.deliveries, 0) AS pending,
    coalesce(dead.deliveries, 0) AS dead
  FROM webhooks AS webhook JOIN financial_institutions AS fi ON fi.id = webhook.fi_id AND fi.status = 'active'
  LEFT JOIN pending ON pending.webhook_id = webhook.id LEFT JOIN dead ON dead.webhook_id = webhook.id
  WHERE webhook.status = 'disabled' OR coalesce(webhook.silent_since, pending.first_at, dead.deliveries) IS NOT NULL
  ORDER BY coalesce(webhook.disabled_at, webhook.silent_since, pending.first_at), webhook.id`;

/** Of institutions that are active, in every database that answers; what fails longest first. */
async function listFailing(env: Pick<Env, "DB">): Promise<FailingWebhook[]> {
  const lists = await Promise.all(
    listDatabases(env).map(({ db }) =>
      db
        .prepare(FAILING)
        .all<FailingWebhook>()
        // one that does not answer is shown as such among the databases
        .then(({ results }) => results)
        .catch(() => []),
    ),
  );
  return lists.flat();
}

const since = ({ silentSince, failingSince }: FailingWebhook): Instant | null => silentSince ?? failingSince;

/** The next attempts may succeed. */
const PATIENCE_MS = 10 * 60_000;

/** Whether somebody has to do something: it will not end by itself, or has not for a while. */
export const needsCare = (webhook: FailingWebhook, now: Instant): boolean =>
  webhook.disabledAt !== null || webhook.dead > 0 || now - (since(webhook) ?? now) > PATIENCE_MS;

/** One sentence. */
export function describeFailing(webhook: FailingWebhook, now: Instant): string {
  const { id, fi_reference_id, disabledAt, silentSince, outcome, pending, dead } = webhook;
  const began = since(webhook);
  const state =
    disabledAt !== null
      ? `is disabled: its receiver answered with 410, ${relativeTime(disabledAt, now)}`
      : silentSince !== null
        ? `gets no answer, the first time ${relativeTime(silentSince, now)}${outcome === null ? "" : ` (it ${outcome})`}`
        : began !== null
          ? `fails, the first time ${relativeTime(began, now)}: its receiver ${outcome}`
          : "is in order again";
  const counts = [...(pending > 0 ? [`${pending} pending`] : []), ...(dead > 0 ? [`${dead} given up`] : [])];
  return `${id} of ${fi_reference_id} ${state}${counts.length === 0 ? "" : `; deliveries: ${counts.join(", ")}`}`;
}

/** What helps. `command`: a command line of this program, on the same stores. */
export function cureOf(webhook: FailingWebhook, command: (words: string) => string): string {
  const { id, fi_reference_id, disabledAt, dead } = webhook;
  if (disabledAt !== null)
    return `where its receiver takes events again, remove it (${command(`webhook remove ${id}`)}) and add it anew (webhook add --reference ${fi_reference_id})`;
  const replay = `begin what was given up anew: ${command(`webhook replay --webhook ${id}`)}`;
  if (since(webhook) === null) return replay;
  return `ask it now: ${command(`webhook test ${id}`)}${dead === 0 ? "" : `; once it takes events, ${replay}`}`;
}
