/** The OpenID provider at which an institution's people sign in to the console, as its row says. The command `fi sign-in set` writes it. */
import type { Instant } from "../platform/instant.ts";
import { makeSecret } from "../platform/secrets.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";

export const PERSON_ROLES = ["auditor", "officer", "administrator"] as const;
/** Of people. What each may do is in console/roles.ts. */
export type PersonRole = (typeof PERSON_ROLES)[number];

export const AUTH_METHODS = ["client_secret_basic", "client_secret_post", "private_key_jwt"] as const;

export interface SignInProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly authMethod: (typeof AUTH_METHODS)[number];
  /** The client secret, or the private key as the text of a JWK: sealed with the token key of `kid`, or in clear without one. */
  readonly secret: string;
  readonly kid: string | null;
  /** Of the id token: which names the groups. */
  readonly claim: string;
  readonly groups: Readonly<Partial<Record<PersonRole, readonly string[]>>>;
  /** Whether the institution's API credentials may sign in, too. */
  readonly credentials: boolean;
  readonly version: string;
  readonly changedAt: Instant;
}

export const SIGN_IN_PROVIDER_STATEMENTS = {
  find: `
    SELECT issuer, client_id AS clientId, auth_method AS authMethod, secret, kid, claim, groups, credentials, version,
      changed_at AS changedAt
    FROM sign_in_providers WHERE fi_id = ?1`,
  // with another version, so that each session of the institution ends
  set: `
    INSERT INTO sign_in_providers (fi_id, issuer, client_id, auth_method, secret, kid, claim, groups, credentials, version, changed_at)
    VALUES (:fiId, :issuer, :clientId, :authMethod, :secret, :kid, :claim, :groups, :credentials, :version, :now)
    ON CONFLICT (fi_id) DO UPDATE SET issuer = excluded.issuer, client_id = excluded.client_id,
      auth_method = excluded.auth_method, secret = excluded.secret, kid = excluded.kid, claim = excluded.claim,
      groups = excluded.groups, credentials = excluded.credentials, version = excluded.version, changed_at = excluded.changed_at`,
  remove: "DELETE FROM sign_in_providers WHERE fi_id = ?1",
} as const;

export type ProviderSettings = Omit<SignInProvider, "version" | "changedAt">;

/** The statement that sets an institution's provider, in the place of what was set. */
export function setProvider(
  db: Pick<D1Database, "prepare">,
  fiId: number,
  { groups, credentials, ...settings }: ProviderSettings,
  now: Instant,
): D1PreparedStatement {
  const values = { ...settings, fiId, groups: JSON.stringify(groups), credentials: Number(credentials), now };
  return bindNamed(db, SIGN_IN_PROVIDER_STATEMENTS.set, { ...values, version: makeSecret(16) });
}

type Row = Omit<SignInProvider, "groups" | "credentials"> & { readonly groups: string; readonly credentials: number };

/** Null: people of this institution cannot sign in as themselves. Throws StoreError. */
export async function findProvider(db: D1Database, fiId: number): Promise<SignInProvider | null> {
  const row = await callStore("D1", () => db.prepare(SIGN_IN_PROVIDER_STATEMENTS.find).bind(fiId).first<Row>());
  if (!row) return null;
  return { ...row, groups: JSON.parse(row.groups) as SignInProvider["groups"], credentials: row.credentials === 1 };
}
