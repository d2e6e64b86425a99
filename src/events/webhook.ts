/**
 * The webhooks of an institution: where its events are delivered, and the secret that signs them (Standard Webhooks). A
 * webhook's secret is needed again for each delivery, so it is sealed, not hashed.
 *
 * The command that adds one cannot read the keys of a deployment: it writes the secret as it is, and the next scheduled
 * run seals it (webhook-secrets.ts). What commands change is in cli/webhook-changes.ts.
 */
import { callStore } from "../platform/stores.ts";

const COLUMNS = `
  id, fi_id AS fiId, url, secret, kid, status, created_at AS createdAt, disabled_at AS disabledAt,
  silent_since AS silentSince, rests_until AS restsUntil, answer_ms AS answerMs,
  old_secret AS oldSecret, old_kid AS oldKid, old_secret_until AS oldSecretUntil`;

export const WEBHOOK_STATEMENTS = {
  find: `SELECT ${COLUMNS} FROM webhooks WHERE id = ?1`,
  ofInstitution: `SELECT ${COLUMNS} FROM webhooks WHERE fi_id = ?1`,
  // one that ended may be delivered later than the webhook
  disable: "UPDATE webhooks SET status = 'disabled', disabled_at = ?2 WHERE id = ?1 AND status = 'active'",
  silent: "UPDATE webhooks SET silent_since = ?2, rests_until = ?3 WHERE id = ?1",
  // more than the longest rest (silence.ts); the silence goes on
  wake: "UPDATE webhooks SET rests_until = rests_until - 60000 WHERE id = ?1",
  // most answers change nothing, so that nothing is written
  answered: `
    UPDATE webhooks SET silent_since = NULL, rests_until = ?3, answer_ms = coalesce(?2, answer_ms)
    WHERE id = ?1 AND (silent_since IS NOT NULL OR ?2 IS NOT NULL)`,
} as const;

export interface Webhook {
  readonly id: string;
  readonly fiId: number;
  readonly url: string;
  readonly secret: string;
  /** The token key that sealed the secret; null: it is not sealed yet. */
  readonly kid: string | null;
  /** `disabled`: the receiver answered with 410; nothing is delivered there. */
  readonly status: "active" | "disabled";
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly disabledAt: number | null;
  /** Since when no attempt got an answer, in milliseconds since 1970; null: the last one got one, or there was none. */
  readonly silentSince: number | null;
  /** Nothing is sent there until then, in milliseconds since 1970. */
  readonly restsUntil: number | null;
  /** How long a recent answer took (pace.ts); null: it has given none. */
  readonly answerMs: number | null;
  /** Of the last rotation: what was `secret` and `kid` before. A run deletes both after their end; null: there is none. */
  readonly oldSecret: string | null;
  readonly oldKid: string | null;
  /** Until then the old secret signs beside the new one; milliseconds since 1970. */
  readonly oldSecretUntil: number | null;
}

export const findWebhook = (db: D1Database, id: string): Promise<Webhook | null> =>
  callStore("D1", () => db.prepare(WEBHOOK_STATEMENTS.find).bind(id).first<Webhook>());

export async function listWebhooks(db: D1Database, fiId: number): Promise<Webhook[]> {
  const list = db.prepare(WEBHOOK_STATEMENTS.ofInstitution).bind(fiId);
  return (await callStore("D1", () => list.all<Webhook>())).results;
}
