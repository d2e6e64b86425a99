/** What `status`, `doctor`, `webhook list` and `key remove` read of webhooks and their deliveries. */
import { readFile } from "node:fs/promises";
import { listDatabases } from "../institutions/databases.ts";
import { clock, relativeTime } from "../platform/clock.ts";
import { CONFIGURATION } from "./configuration.ts";
import { type FailingWebhook, listFailing } from "./failing-webhooks.ts";

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
  /** Milliseconds since 1970. */
  readonly oldSecretUntil: number;
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
export const describeRotating = ({ id, fi_reference_id, oldSecretUntil }: RotatingWebhook, now: number): string =>
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
