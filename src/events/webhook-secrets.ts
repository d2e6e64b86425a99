/** The secrets of webhooks: how they are made, sealed with the newest token key, and opened. */
import { fromBase64, toBase64, toBase64Url } from "../encoding.ts";
import type { TokenKeys } from "../grants/token-keys.ts";
import { makeSecret, seal, unseal } from "../secrets.ts";
import { callStore } from "../store-error.ts";
import type { Webhook } from "./webhook.ts";

/** Standard Webhooks, "Signature scheme": the prefix, and base64 of 24 to 64 bytes. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export const makeWebhookSecret = (): string =>
  `${PREFIX}${toBase64(fromBase64(makeSecret(SECRET_BYTES)) ?? new Uint8Array())}`;

/** Of a database in a run: few institutions have any, and the next run sees to the rest. */
const SEALED_AT_ONCE = 100;

export const SECRET_STATEMENTS = {
  // ids of keys sort by time
  toSeal: `SELECT id, secret, kid FROM webhooks WHERE kid IS NULL OR kid < ?1 LIMIT ${SEALED_AT_ONCE}`,
  seal: "UPDATE webhooks SET secret = ?3, kid = ?4 WHERE id = ?1 AND kid IS ?2",
} as const;

/**
 * Seals the secrets that are as a command wrote them, or are sealed with an older key, so that an older key can be
 * removed later. Returns how many. One whose key is gone is left as it is. `readKeys` is called if there is any to seal.
 */
export async function sealSecrets(db: D1Database, newestKid: string, readKeys: () => TokenKeys): Promise<number> {
  const toSeal = db.prepare(SECRET_STATEMENTS.toSeal).bind(newestKid);
  const { results } = await callStore("D1", () => toSeal.all<Pick<Webhook, "id" | "secret" | "kid">>());
  if (results.length === 0) return 0;
  const keys = readKeys();
  const { kid, webhooks: key } = keys.newest;
  const statements = results.flatMap((row) => {
    const secret = openSecret(row, keys);
    if (secret === null) return [];
    const sealed = toBase64Url(seal(key, secret, row.id));
    return [db.prepare(SECRET_STATEMENTS.seal).bind(row.id, row.kid, sealed, kid)];
  });
  if (statements.length > 0) await callStore("D1", () => db.batch(statements));
  return statements.length;
}

/** Null if the key that sealed it is gone. */
export function openSecret(
  { id, secret, kid }: Pick<Webhook, "id" | "secret" | "kid">,
  keys: TokenKeys,
): string | null {
  if (kid === null) return secret;
  const key = keys.byKid.get(kid);
  const sealed = fromBase64(secret);
  return key && sealed ? unseal(key.webhooks, sealed, id) : null;
}
