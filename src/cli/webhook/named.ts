/** The institution or webhook that a command names. */
import { findWebhook, type Webhook } from "../../events/webhook.ts";
import { databaseOf, listDatabases } from "../../institutions/databases.ts";
import { fail } from "../fail.ts";
import { noSuchInstitution } from "../institution/options.ts";

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
