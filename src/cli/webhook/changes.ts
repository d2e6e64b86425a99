/** What the operator's commands change of webhooks and their deliveries, in the institution's database. */
import { type GivenUp, REPLAY, REPLAYED_AT_ONCE, replayDead } from "../../events/event-review.ts";
import { findWebhook, type Webhook } from "../../events/webhook.ts";
import { noteCommandAct } from "../../evidence/ledger/command-acts.ts";
import { databaseOf, listDatabases } from "../../institutions/databases.ts";
import type { Instant } from "../../platform/instant.ts";
import { bindNamed } from "../../platform/statements.ts";
import { callStore } from "../../platform/stores.ts";
import { fail } from "../fail.ts";
import { noSuchInstitution } from "../institution/options.ts";

/** Each gets every event. */
export const MAX_WEBHOOKS = 10;

export const WEBHOOK_CHANGE_STATEMENTS = {
  insert: `
    INSERT INTO webhooks (id, fi_id, url, secret, kid, status, created_at)
    SELECT :id, :fiId, :url, :secret, NULL, 'active', :now
    WHERE (SELECT count(*) FROM webhooks WHERE fi_id = :fiId) < ${MAX_WEBHOOKS}`,
  // a webhook has two secrets at most, so no rotation takes away the one that a receiver may know, unless it says so
  rotate: `
    UPDATE webhooks SET old_secret = secret, old_kid = kid, old_secret_until = :until, secret = :secret, kid = NULL
    WHERE id = :id AND coalesce(old_secret_until, 0) <= :now`,
  replaceNew: `
    UPDATE webhooks SET old_secret_until = :until, secret = :secret, kid = NULL WHERE id = :id AND old_secret_until > :now`,
  replaceAll: `
    UPDATE webhooks SET old_secret = NULL, old_kid = NULL, old_secret_until = NULL, secret = :secret, kid = NULL
    WHERE id = :id`,
  remove: "DELETE FROM webhooks WHERE id = ?1",
  // nobody can replay what was given up there
  forget: "DELETE FROM webhook_deliveries WHERE fi_id = ?1 AND webhook_id = ?2",
  replay: REPLAY,
} as const;

/**
 * False if the institution has {@link MAX_WEBHOOKS}. `secret` as `makeWebhookSecret` made it. `notes`, here and below: what the same
 * batch writes of it.
 */
export async function insertWebhook(
  db: D1Database,
  { id, fiId, url, secret }: Pick<Webhook, "id" | "fiId" | "url" | "secret">,
  now: Instant,
  notes: readonly D1PreparedStatement[] = [],
): Promise<boolean> {
  const insert = bindNamed(db, WEBHOOK_CHANGE_STATEMENTS.insert, { id, fiId, url, secret, now });
  return (await callStore("D1", () => db.batch([insert, ...notes])))[0]?.meta.changes === 1;
}

/**
 * What becomes of the secrets before the new one. `rotate`: the last one goes on until `until`; `replaceNew`: the last one,
 * which no receiver has, ends, and the one before it goes on; `replaceAll`: each ends now.
 */
export type Rotation =
  | { readonly how: "rotate" | "replaceNew"; readonly until: Instant }
  | { readonly how: "replaceAll" };

/** False if the last rotation overlaps (of `replaceNew`: if none does). */
export async function rotateWebhook(
  db: D1Database,
  { id, secret }: Pick<Webhook, "id" | "secret">,
  rotation: Rotation,
  now: Instant,
  notes: readonly D1PreparedStatement[] = [],
): Promise<boolean> {
  const { how, ...until } = rotation;
  const rotate = bindNamed(db, WEBHOOK_CHANGE_STATEMENTS[how], { id, secret, now, ...until });
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

const FIND = "SELECT id, database FROM financial_institutions WHERE fi_reference_id = ?1";

export async function requireInstitution(env: Env, reference: string) {
  const fi = await env.DB.prepare(FIND).bind(reference).first<{ id: number; database: number }>();
  if (!fi) return fail(noSuchInstitution(reference));
  return { id: fi.id, db: databaseOf(env, fi) };
}

export async function requireWebhook(env: Env, id: string): Promise<{ db: D1Database; webhook: Webhook }> {
  for (const { db } of listDatabases(env)) {
    const webhook = await findWebhook(db, id);
    if (webhook) return { db, webhook };
  }
  return fail(`${id}: no such webhook`);
}

/** One to which events are delivered. */
export async function requireActive(env: Env, id: string): Promise<{ db: D1Database; webhook: Webhook }> {
  const placed = await requireWebhook(env, id);
  if (placed.webhook.status === "disabled") fail(`${id} is disabled: its receiver answered with 410`);
  return placed;
}
