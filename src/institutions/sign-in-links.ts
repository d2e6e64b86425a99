/**
 * Break-glass: an address that signs in once, in one role, for ten minutes, for when an institution's provider fails. `fi sign-in
 * link` makes it; administrators see that it was made and used.
 */
import type { Instant } from "../platform/instant.ts";
import { hashSecret, makeSecret } from "../platform/secrets.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import type { PersonRole } from "./sign-in-provider.ts";

export const SIGN_IN_LINK_LIFETIME_MS = 10 * 60_000;
const MAX_LISTED_LINKS = 50;

export const SIGN_IN_LINK_STATEMENTS = {
  insert: `
    INSERT INTO sign_in_links (id_hash, fi_id, role, made_at, ends_at) VALUES (:idHash, :fiId, :role, :now, :endsAt)`,
  // once, whoever else sends it in this moment
  use: `
    UPDATE sign_in_links SET used_at = :now
    WHERE id_hash = :idHash AND fi_id = :fiId AND used_at IS NULL AND ends_at > :now RETURNING role, made_at AS madeAt`,
  list: `
    SELECT role, made_at AS madeAt, ends_at AS endsAt, used_at AS usedAt FROM sign_in_links
    WHERE fi_id = ?1 ORDER BY made_at DESC LIMIT ${MAX_LISTED_LINKS}`,
} as const;

/** The statement that makes a link, and its secret. */
export function makeSignInLink(
  db: Pick<D1Database, "prepare">,
  { fiId, role }: { readonly fiId: number; readonly role: PersonRole },
  now: Instant,
): { readonly secret: string; readonly statement: D1PreparedStatement } {
  const secret = makeSecret();
  const values = { idHash: hashSecret(secret), fiId, role, now, endsAt: now + SIGN_IN_LINK_LIFETIME_MS };
  return { secret, statement: bindNamed(db, SIGN_IN_LINK_STATEMENTS.insert, values) };
}

export interface UsedLink {
  readonly role: PersonRole;
  readonly madeAt: Instant;
}

/** Null: there is none, it was used, or it has ended. Throws StoreError. */
export async function useSignInLink(
  db: D1Database,
  fiId: number,
  secret: string,
  now: Instant,
): Promise<UsedLink | null> {
  const use = bindNamed(db, SIGN_IN_LINK_STATEMENTS.use, { idHash: hashSecret(secret), fiId, now });
  return await callStore("D1", () => use.first<UsedLink>());
}

export interface ListedLink extends UsedLink {
  readonly endsAt: Instant;
  readonly usedAt: Instant | null;
}

/** The newest first. Throws StoreError. */
export async function listSignInLinks(db: D1Database, fiId: number): Promise<readonly ListedLink[]> {
  const list = db.prepare(SIGN_IN_LINK_STATEMENTS.list).bind(fiId);
  return (await callStore("D1", () => list.all<ListedLink>())).results;
}
