/** What counts once, whatever is sent again or carried out late: a sign-in under way, a logout token, a refusal of the same minute. */
import type { Instant } from "../platform/instant.ts";
import { hashSecret } from "../platform/secrets.ts";
import { callStore } from "../platform/stores.ts";

export const CONSOLE_ONCE_STATEMENTS = {
  insert: "INSERT INTO console_once (id_hash, ends_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
} as const;

/** Whether it is the first of its name. `endsAt`: from then on nothing of this name can come. Throws StoreError. */
export async function isFirst(db: D1Database, name: string, endsAt: Instant): Promise<boolean> {
  const insert = db.prepare(CONSOLE_ONCE_STATEMENTS.insert).bind(hashSecret(name), endsAt);
  return (await callStore("D1", () => insert.run())).meta.changes === 1;
}
