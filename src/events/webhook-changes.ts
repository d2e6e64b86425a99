/** What operators by their commands, and administrators in the console, change of webhooks and their deliveries. */
import { noteCommandAct } from "../evidence/ledger/command-acts.ts";
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { type GivenUp, REPLAY, REPLAYED_AT_ONCE, replayDead } from "./event-review.ts";
import type { Webhook } from "./webhook.ts";

/** Each gets every event. */
export const MAX_WEBHOOKS = 10;

const IS_REPLACED = "(:replaced IS NULL OR secret = :replaced)";

export const WEBHOOK_CHANGE_STATEMENTS = {
  insert: `
    INSERT INTO webhooks (id, fi_id, url, secret, kid, status, created_at)
    SELECT :id, :fiId, :url, :secret, :kid, 'active', :now
    WHERE (SELECT count(*) FROM webhooks WHERE fi_id = :fiId) < ${MAX_WEBHOOKS}
    ON CONFLICT DO NOTHING`,
  // a webhook has two secrets at most, so no rotation takes away the one that a receiver may know, unless it says so
  rotate: `
    UPDATE webhooks SET old_secret = secret, old_kid = kid, old_secret_until = :until, secret = :secret, kid = :kid
    WHERE id = :id AND ${IS_REPLACED} AND coalesce(old_secret_until, 0) <= :now`,
  replaceNew: `
    UPDATE webhooks SET old_secret_until = :until, secret = :secret, kid = :kid
    WHERE id = :id AND ${IS_REPLACED} AND old_secret_until > :now`,
  replaceAll: `
    UPDATE webhooks SET old_secret = NULL, old_kid = NULL, old_secret_until = NULL, secret = :secret, kid = :kid
    WHERE id = :id AND ${IS_REPLACED}`,
  remove: "DELETE FROM webhooks WHERE id = ?1",
  // nobody can replay what was given up there
  forget: "DELETE FROM webhook_deliveries WHERE fi_id = ?1 AND webhook_id = ?2",
  replay: REPLAY,
} as const;

/** A secret to be stored: as `makeWebhookSecret` made it, or sealed with the token key `kid`. */
type NewSecret = Pick<Webhook, "secret"> & Partial<Pick<Webhook, "kid">>;

/**
 * False if the institution has {@link MAX_WEBHOOKS}, or one of this id. `notes`, here and below: what the same batch writes of it.
 */
export async function insertWebhook(
  db: D1Database,
  { id, fiId, url, secret, kid = null }: Pick<Webhook, "id" | "fiId" | "url"> & NewSecret,
  now: Instant,
  notes: readonly D1PreparedStatement[] = [],
): Promise<boolean> {
  const insert = bindNamed(db, WEBHOOK_CHANGE_STATEMENTS.insert, { id, fiId, url, secret, kid, now });
  return (await callStore("D1", () => db.batch([insert, ...notes])))[0]?.meta.changes === 1;
}

/**
 * What becomes of the secrets before the new one. `rotate`: the last one goes on until `until`; `replaceNew`: the last one,
 * which no receiver has, ends, and the one before it goes on; `replaceAll`: each ends now.
 */
export type Rotation =
  | { readonly how: "rotate" | "replaceNew"; readonly until: Instant }
  | { readonly how: "replaceAll" };

/**
 * `replaced`: the stored secret that the new one is to replace, if a form names it. False if it is another one by now, or
 * the last rotation overlaps (of `replaceNew`: if none does).
 */
export async function rotateWebhook(
  db: D1Database,
  { id, secret, kid = null, replaced = null }: Pick<Webhook, "id"> & NewSecret & { readonly replaced?: string | null },
  rotation: Rotation,
  now: Instant,
  notes: readonly D1PreparedStatement[] = [],
): Promise<boolean> {
  const { how, ...until } = rotation;
  const rotate = bindNamed(db, WEBHOOK_CHANGE_STATEMENTS[how], { id, secret, kid, replaced, now, ...until });
  return (await callStore("D1", () => db.batch([rotate, ...notes])))[0]?.meta.changes === 1;
}

/** With its deliveries. */
export async function removeWebhook(
  db: D1Database,
  { id, fiId }: Pick<Webhook, "id" | "fiId">,
  notes: readonly D1PreparedStatement[] = [],
): Promise<void> {
  const { remove, forget } = WEBHOOK_CHANGE_STATEMENTS;
  await callStore("D1", () => db.batch([db.prepare(remove).bind(id), ...notes, db.prepare(forget).bind(fiId, id)]));
}

/** Starts an ended delivery again; false if no delivery with this id has ended, its event was deleted, or its webhook is disabled. */
export async function replayDelivery(db: D1Database, id: string): Promise<boolean> {
  const replay = db.prepare(WEBHOOK_CHANGE_STATEMENTS.replay).bind(id);
  return (await callStore("D1", () => replay.run())).meta.changes === 1;
}

/** Everything that was given up of a webhook until `now`, in bounded statements; returns how many. */
export async function replayAll(db: D1Database, givenUp: GivenUp, now: Instant): Promise<number> {
  for (let replayed = 0; ; ) {
    const some = await replayDead(db, givenUp, now);
    replayed += some;
    if (some < REPLAYED_AT_ONCE) return replayed;
  }
}

/** Of a change of a webhook by a command. */
export const noteWebhookChange = (
  db: D1Database,
  command: string,
  { id, fiId }: Pick<Webhook, "id" | "fiId">,
  now: Instant,
): D1PreparedStatement => noteCommandAct(db, { fiId, event: "webhook.change", command, about: id }, now);
