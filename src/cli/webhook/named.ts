/** The webhook that a command names. */
import { findWebhook, type Webhook } from "../../events/webhook.ts";
import { listDatabases } from "../../institutions/databases.ts";
import { fail } from "../fail.ts";

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
