/**
 * The webhooks of an institution: where its events are delivered, and the secret that signs them (Standard Webhooks). A
 * webhook's secret is needed again for each delivery, so it is sealed, not hashed.
 *
 * The command that adds one cannot read the keys of a deployment: it writes the secret as it is, and the next scheduled
 * run seals it. The console seals it at once. What both change is in webhook-changes.ts.
 */

import { openText, sealText, type TokenKeys } from "../grants/token-keys.ts";
import { fromBase64, toBase64 } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { makeSecret } from "../platform/secrets.ts";
import { bindNamed } from "../platform/statements.ts";
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
  // more than the longest rest (pace.ts); the silence goes on
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
  readonly createdAt: Instant;
  readonly disabledAt: Instant | null;
  /** Since when no attempt got an answer; null: the last one got one, or there was none. */
  readonly silentSince: Instant | null;
  /** Nothing is sent there until then. */
  readonly restsUntil: Instant | null;
  /** How long a recent answer took (pace.ts); null: it has given none. */
  readonly answerMs: number | null;
  /** Of the last rotation: what was `secret` and `kid` before. A run deletes both after their end; null: there is none. */
  readonly oldSecret: string | null;
  readonly oldKid: string | null;
  /** Until then the old secret signs beside the new one. */
  readonly oldSecretUntil: Instant | null;
}

export const findWebhook = (db: D1Database, id: string): Promise<Webhook | null> =>
  callStore("D1", () => db.prepare(WEBHOOK_STATEMENTS.find).bind(id).first<Webhook>());

export async function listWebhooks(db: D1Database, fiId: number): Promise<Webhook[]> {
  const list = db.prepare(WEBHOOK_STATEMENTS.ofInstitution).bind(fiId);
  return (await callStore("D1", () => list.all<Webhook>())).results;
}

/** Standard Webhooks, "Signature scheme": the prefix, and base64 of 24 to 64 bytes. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export const makeWebhookSecret = (): string =>
  `${PREFIX}${toBase64(fromBase64(makeSecret(SECRET_BYTES)) ?? new Uint8Array())}`;

/** As it is stored from then on. */
export function sealSecret(text: string, id: string, keys: TokenKeys) {
  const { kid, sealed: secret } = sealText(keys, "webhooks", text, id);
  return { secret, kid };
}

/** Of a database in a run: few institutions have any, and the next run sees to the rest. */
const SEALED_AT_ONCE = 100;

export const SECRET_STATEMENTS = {
  // ids of keys sort by time
  toSeal: `
    SELECT id, secret, kid, old_secret AS oldSecret, old_kid AS oldKid, old_secret_until AS oldSecretUntil FROM webhooks
    WHERE kid IS NULL OR kid < ?1
      OR old_secret_until > 0 AND (old_secret_until <= ?2 OR old_kid IS NULL OR old_kid < ?1)
    LIMIT ${SEALED_AT_ONCE}`,
  // a rotation since it was read has put another one in its place
  seal: "UPDATE webhooks SET secret = :sealed, kid = :kid WHERE id = :id AND secret = :secret",
  sealOld: "UPDATE webhooks SET old_secret = :sealed, old_kid = :kid WHERE id = :id AND old_secret = :secret",
  endOld: `
    UPDATE webhooks SET old_secret = NULL, old_kid = NULL, old_secret_until = NULL
    WHERE old_secret_until > 0 AND old_secret_until <= ?1`,
} as const;

type Secret = Pick<Webhook, "id" | "secret" | "kid">;
type Secrets = Secret & Pick<Webhook, "oldSecret" | "oldKid" | "oldSecretUntil">;

/**
 * Seals the secrets that are as a command wrote them, or are sealed with an older key, so that an older key can be removed
 * later, and deletes old ones that have ended. One whose key is gone is left as it is. `readKeys` is called if there is any
 * to seal.
 */
export async function sealSecrets(
  db: D1Database,
  newestKid: string,
  readKeys: () => TokenKeys,
  now: Instant,
): Promise<void> {
  const toSeal = db.prepare(SECRET_STATEMENTS.toSeal).bind(newestKid, now);
  const { results } = await callStore("D1", () => toSeal.all<Secrets>());
  if (results.length === 0) return;
  const keys = readKeys();
  const { kid } = keys.newest;
  const sealOne = (statement: string, one: Secret | null) => {
    const secret = one === null || one.kid === kid ? null : openSecret(one, keys);
    if (one === null || secret === null) return [];
    const { secret: sealed } = sealSecret(secret, one.id, keys);
    return [bindNamed(db, statement, { id: one.id, secret: one.secret, sealed, kid })];
  };
  const statements = results.flatMap((row) => [
    ...sealOne(SECRET_STATEMENTS.seal, row),
    ...sealOne(SECRET_STATEMENTS.sealOld, oldOf(row)),
  ]);
  statements.push(db.prepare(SECRET_STATEMENTS.endOld).bind(now));
  await callStore("D1", () => db.batch(statements));
}

/** Null if the key that sealed it is gone. */
function openSecret({ id, secret, kid }: Secret, keys: TokenKeys): string | null {
  return kid === null ? secret : openText(keys, "webhooks", { kid, sealed: secret }, id);
}

const oldOf = ({ id, oldSecret, oldKid }: Secrets): Secret | null =>
  oldSecret === null ? null : { id, secret: oldSecret, kid: oldKid };

/** Those that sign at `now`: a receiver may know the one before a rotation. Null if the key that sealed the new one is gone. */
export function openSecrets(webhook: Secrets, keys: TokenKeys, now: Instant): readonly string[] | null {
  const secret = openSecret(webhook, keys);
  if (secret === null) return null;
  const old = now < (webhook.oldSecretUntil ?? 0) ? oldOf(webhook) : null;
  const before = old && openSecret(old, keys);
  return before === null ? [secret] : [secret, before];
}
