/**
 * Sessions of the console in D1. Every request asks for its session, and nothing is remembered by an isolate: signing
 * out, a rotated secret and a disabled or removed institution end it at once.
 */

import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { openText, readTokenKeys, sealText, type TokenKeys } from "../grants/token-keys.ts";
import type { AppEnv } from "../http/context.ts";
import {
  type FinancialInstitution,
  INSTITUTION_COLUMNS,
  readInstitution,
  type SelectedInstitution,
} from "../institutions/financial-institutions.ts";
import { insertPerson, type SignedInPerson } from "../institutions/people.ts";
import type { PersonRole } from "../institutions/sign-in-provider.ts";
import type { Instant } from "../platform/instant.ts";
import { WRITES_REFUSED } from "../platform/schema-version.ts";
import { hashSecret, makeSecret } from "../platform/secrets.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import type { Person } from "./page.ts";

/** A session ends when it was not used for so long, and at last so long after the sign-in. */
const IDLE_MS = 30 * 60_000;
const ABSOLUTE_MS = 12 * 3_600_000;
/** How exact `used_at` is: a page that is used often is not a write each time. */
const USE_MS = 60_000;

export interface Session {
  /** SHA-256 of the id in the cookie, base64url. */
  readonly idHash: string;
  /** Null for the operator of `npm start` (reader.ts). */
  readonly fi: FinancialInstitution | null;
  readonly clientId: string | null;
  /** Null: API credentials were shown, or it is an operator's. */
  readonly person: (Person & { readonly roles: readonly PersonRole[] }) | null;
  /** The last use that is recorded, and the end whatever is used. */
  readonly usedAt: Instant;
  readonly endsAt: Instant;
}

type SessionRow = {
  readonly client_id: string | null;
  readonly person: string | null;
  readonly person_name: string | null;
  readonly roles: string | null;
  readonly used_at: Instant;
  readonly ends_at: Instant;
  readonly owner: number | null;
} & (SelectedInstitution | { readonly id: null });

export const CONSOLE_SESSION_STATEMENTS = {
  // indexes used: primary keys of all six tables
  find: `
    SELECT s.client_id, s.used_at, s.ends_at, s.fi_id AS owner, s.person, p.name AS person_name, s.roles, ${INSTITUTION_COLUMNS}
    FROM console_sessions s
    LEFT JOIN people p ON p.fi_id = s.fi_id AND p.tag = s.person AND p.epoch = s.epoch
    LEFT JOIN financial_institutions f ON f.id = s.fi_id AND f.status = 'active'
      AND (SELECT version FROM sign_in_providers v WHERE v.fi_id = s.fi_id) IS s.provider_version
      AND (p.tag IS NOT NULL OR (s.person IS NULL
        AND EXISTS (SELECT 1 FROM credential_institutions i WHERE i.client_id = s.client_id AND i.fi_id = s.fi_id)
        AND EXISTS (SELECT 1 FROM credentials c WHERE c.client_id = s.client_id AND (c.secret_hash = s.secret_hash
          OR (c.old_secret_hash = s.secret_hash AND c.old_secret_until > ?2)))))
    WHERE s.id_hash = ?1 AND s.ends_at > ?2 AND s.used_at > ?3`,
  // one that is carried out late begins nothing that has ended meanwhile: by a change of the provider, or by the provider
  insert: `
    INSERT INTO console_sessions (id_hash, fi_id, client_id, secret_hash, created_at, used_at, ends_at,
      person, epoch, roles, provider_sid, provider_version)
    SELECT :idHash, :fiId, :clientId, :secretHash, :now, :now, :endsAt, :person, :epoch, :roles, :providerSid, :providerVersion
    WHERE (SELECT version FROM sign_in_providers WHERE fi_id = :fiId) IS :providerVersion
      AND NOT EXISTS (SELECT 1 FROM console_once WHERE id_hash = :providerSid)`,
  // of people alone; a session whose epoch or provider is of before has ended
  listOpen: `
    SELECT s.person FROM console_sessions s CROSS JOIN people p ON p.fi_id = s.fi_id AND p.tag = s.person AND p.epoch = s.epoch
    WHERE s.fi_id = ?1 AND s.ends_at > ?2 AND s.used_at > ?3
      AND (SELECT version FROM sign_in_providers v WHERE v.fi_id = s.fi_id) IS s.provider_version
    LIMIT 5000`,
  use: `UPDATE console_sessions SET used_at = ?2 WHERE id_hash = ?1 AND used_at < ?2 AND NOT ${WRITES_REFUSED}`,
  end: "DELETE FROM console_sessions WHERE id_hash = ?1",
  endOfProvider: "DELETE FROM console_sessions WHERE provider_sid = ?1",
  // of a person whose provider has named no session of its own, and now names one
  endUnnamed: `DELETE FROM console_sessions WHERE fi_id = ?1 AND provider_sid IS NULL
    AND person IN (SELECT tag FROM people WHERE fi_id = ?1 AND issuer = ?2 AND subject = ?3)`,
} as const;

interface InstitutionSession {
  readonly fiId: number;
  /** That of the provider that was asked, or that is set; null: the institution has none. */
  readonly providerVersion: string | null;
}
/** By the credential that was shown. */
interface CredentialSession extends InstitutionSession {
  readonly clientId: string;
  /** As `hashSecret` gives it. */
  readonly secretHash: string;
}
interface PersonSession extends InstitutionSession {
  readonly person: string;
  readonly epoch: number;
  readonly roles: readonly PersonRole[];
  /** By which the provider ends it; null: it names no session of its own. */
  readonly providerSid: string | null;
}
/** Whose session it is; null: the operator of `npm start`. */
export type SessionOwner = CredentialSession | PersonSession | null;

const OF_NOBODY = {
  ...{ fiId: null, clientId: null, secretHash: null },
  ...{ person: null, epoch: null, providerSid: null, providerVersion: null },
};

/**
 * Begins a session at `now` and returns its id, for the cookie; null: it had ended before it began, because the provider was
 * changed or has signed the person out. Throws {@link StoreError}.
 */
export async function beginSession(db: D1Database, owner: SessionOwner, now: Instant): Promise<string | null> {
  const id = makeSecret();
  const roles = owner && "roles" in owner ? JSON.stringify(owner.roles) : null;
  const values = { ...OF_NOBODY, ...owner, roles, idHash: hashSecret(id), now, endsAt: now + ABSOLUTE_MS };
  const { meta } = await callStore("D1", () => bindNamed(db, CONSOLE_SESSION_STATEMENTS.insert, values).run());
  return meta.changes === 1 ? id : null;
}

/** The session with this id at `now`; null if there is none, or if it has ended. Throws {@link StoreError}. */
export async function findSession(db: D1Database, id: string, now: Instant): Promise<Session | null> {
  const idHash = hashSecret(id);
  const find = db.prepare(CONSOLE_SESSION_STATEMENTS.find).bind(idHash, now, now - IDLE_MS);
  const row = await callStore("D1", () => find.first<SessionRow>());
  // its institution is not active any more, or the credential not the one that was shown
  if (!row || row.owner !== row.id) return null;
  const fi = row.id === null ? null : readInstitution(row);
  const roles = JSON.parse(row.roles ?? "[]") as PersonRole[];
  const person = row.person === null ? null : { tag: row.person, name: row.person_name ?? "", roles };
  return { idHash, fi, clientId: row.client_id, person, usedAt: row.used_at, endsAt: row.ends_at };
}

/** How many sessions each person has open at `now`, by tag. Throws {@link StoreError}. */
export async function countSessions(db: D1Database, fiId: number, now: Instant): Promise<ReadonlyMap<string, number>> {
  const list = db.prepare(CONSOLE_SESSION_STATEMENTS.listOpen).bind(fiId, now, now - IDLE_MS);
  const { results } = await callStore("D1", () => list.all<{ person: string }>());
  return new Map([...Map.groupBy(results, ({ person }) => person)].map(([tag, open]) => [tag, open.length]));
}

/** Records that the session is used at `now`, if that was not recorded in the last minute. Never throws. */
export async function noteUse(db: D1Database, { idHash, usedAt }: Session, now: Instant): Promise<void> {
  if (now < usedAt + USE_MS) return;
  const use = db.prepare(CONSOLE_SESSION_STATEMENTS.use).bind(idHash, now);
  await callStore("D1", () => use.run()).catch((error) =>
    console.error(JSON.stringify({ event: "console_session_use_lost", error: String(error) })),
  );
}

/** Ends the session with this id, if there is one. Throws {@link StoreError}. */
export async function endSession(db: D1Database, id: string): Promise<void> {
  const end = db.prepare(CONSOLE_SESSION_STATEMENTS.end).bind(hashSecret(id));
  await callStore("D1", () => end.run());
}

/**
 * The cookie has the session's id, encrypted: a forged or foreign one is refused without a read of D1. The prefix of its
 * name (RFC 6265bis section 4.1.3.2) makes browsers take it only with Secure, Path=/ and no Domain, so that no
 * neighbouring host can set it. Browsers let http://localhost and http://127.0.0.1 set Secure cookies; Safari does not.
 */
const NAME = "__Host-psp-gate-console";
const FORM = /^([A-Za-z0-9]{1,32})\.([A-Za-z0-9_-]{1,256})$/;
/** No Max-Age: it is gone when the browser closes. Strict: no request that another site caused carries it. */
const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

function sealSessionId(keys: TokenKeys, id: string): string {
  const { kid, sealed } = sealText(keys, "console", id);
  return `${kid}.${sealed}`;
}

function openSessionId(keys: TokenKeys, text: string): string | null {
  const [, kid = "", sealed = ""] = FORM.exec(text) ?? [];
  return openText(keys, "console", { kid, sealed });
}

/** The id of the session that the request's cookie names; null without one of this service. */
export function readSessionCookie(c: Context<AppEnv>): string | null {
  const text = getCookie(c, NAME);
  return text === undefined ? null : openSessionId(readTokenKeys(c.env), text);
}

/**
 * Begins a session at `now` in the place of the one that the cookie names, which ends. False: none began, as by
 * {@link beginSession}. Throws StoreError.
 */
export async function replaceSession(c: Context<AppEnv>, owner: SessionOwner, now: Instant): Promise<boolean> {
  const old = readSessionCookie(c);
  if (old !== null) await endSession(c.env.DB, old);
  const id = await beginSession(c.env.DB, owner, now);
  if (id === null) return false;
  c.header("Set-Cookie", `${NAME}=${sealSessionId(readTokenKeys(c.env), id)}; ${ATTRIBUTES}`, { append: true });
  return true;
}

/**
 * Notes that a person has signed in, and begins their session as {@link replaceSession} does. Returns how records name them; null:
 * none began. `provider`: the version that was asked or is set, and the provider's own session. Throws StoreError.
 */
export async function replaceByPerson(
  c: Context<AppEnv>,
  person: SignedInPerson,
  provider: Pick<PersonSession, "providerVersion" | "providerSid">,
  now: Instant,
): Promise<string | null> {
  const { tag, epoch } = await insertPerson(c.env.DB, person, now);
  const { fiId, roles } = person;
  return (await replaceSession(c, { fiId, person: tag, epoch, roles, ...provider }, now)) ? tag : null;
}

export const dropSessionCookie = (c: Context<AppEnv>): void =>
  c.header("Set-Cookie", `${NAME}=; ${ATTRIBUTES}; Max-Age=0`);
