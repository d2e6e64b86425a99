/**
 * People of an institution, who sign in to the console at its own provider. Records name a person by a tag:
 * HMAC-SHA-256 of the subject under a random key that this person alone has. Whoever deletes the row leaves tags that say
 * nothing to anybody, and ends the person's sessions (console/sessions.ts).
 */
import { fromBase64, toHex } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { makeMac, makeSecret } from "../platform/secrets.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import type { PersonRole } from "./sign-in-provider.ts";

/** Of an institution; a list has so many at once. */
export const MAX_LISTED_PEOPLE = 500;

const LISTED = "SELECT tag, name, issuer, roles, first_at AS firstAt, last_at AS lastAt FROM people WHERE fi_id = ?1";

export const PEOPLE_STATEMENTS = {
  // the first sign-in makes the person; each later one says what they are called and may do now, and ends sessions in other roles
  insert: `
    INSERT INTO people (fi_id, tag, issuer, subject, key, name, roles, first_at, last_at)
    VALUES (:fiId, :tag, :issuer, :subject, :key, :name, :roles, :now, :now)
    ON CONFLICT (fi_id, issuer, subject) DO UPDATE
    SET name = excluded.name, roles = excluded.roles, last_at = max(last_at, excluded.last_at),
      epoch = epoch + (people.roles IS NOT excluded.roles)
    RETURNING tag, epoch`,
  list: `${LISTED} ORDER BY last_at DESC LIMIT ${MAX_LISTED_PEOPLE}`,
  listByTag: `${LISTED} AND tag > ?2 ORDER BY tag LIMIT ${MAX_LISTED_PEOPLE}`,
  name: "SELECT tag, name FROM people WHERE fi_id = ?1 AND tag = ?2",
  endSessions: "UPDATE people SET epoch = epoch + 1 WHERE fi_id = ?1 AND tag = ?2",
  endSessionsOfSubject: "UPDATE people SET epoch = epoch + 1 WHERE fi_id = ?1 AND issuer = ?2 AND subject = ?3",
  erase: "DELETE FROM people WHERE fi_id = ?1 AND tag = ?2",
  // they have the tag, and what the provider calls its own session
  eraseSessions: "DELETE FROM console_sessions WHERE fi_id = ?1 AND person = ?2",
} as const;

export interface SignedInPerson {
  readonly fiId: number;
  readonly issuer: string;
  /** Of the id token. */
  readonly subject: string;
  readonly name: string;
  readonly roles: readonly PersonRole[];
}

/** Notes a sign-in. Returns the tag, and the epoch that the new session belongs to. Throws StoreError. */
export async function insertPerson(
  db: D1Database,
  { roles, ...person }: SignedInPerson,
  now: Instant,
): Promise<{ readonly tag: string; readonly epoch: number }> {
  const key = makeSecret();
  const tag = toHex(makeMac(fromBase64(key) ?? new Uint8Array(), person.subject));
  const values = { ...person, tag, key, roles: JSON.stringify(roles), now };
  const row = await callStore("D1", () =>
    bindNamed(db, PEOPLE_STATEMENTS.insert, values).first<{ tag: string; epoch: number }>(),
  );
  if (!row) throw new Error("a person was neither made nor found");
  return row;
}

export interface ListedPerson {
  readonly tag: string;
  readonly name: string;
  readonly issuer: string;
  readonly roles: readonly string[];
  readonly firstAt: Instant;
  readonly lastAt: Instant;
}

/** Those who signed in last, first; by tag those after the tag `after`. Throws StoreError. */
export async function listPeople(db: D1Database, fiId: number, after?: string): Promise<readonly ListedPerson[]> {
  type Row = Omit<ListedPerson, "roles"> & { readonly roles: string };
  const { list, listByTag } = PEOPLE_STATEMENTS;
  const find = after === undefined ? db.prepare(list).bind(fiId) : db.prepare(listByTag).bind(fiId, after);
  const { results } = await callStore("D1", () => find.all<Row>());
  return results.map((row) => ({ ...row, roles: JSON.parse(row.roles) as string[] }));
}

/** By tag; without those whose rows are erased. Throws StoreError. */
export async function listNames(
  db: D1Database,
  fiId: number,
  tags: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (tags.length === 0) return new Map();
  const find = tags.map((tag) => db.prepare(PEOPLE_STATEMENTS.name).bind(fiId, tag));
  const results = await callStore("D1", () => db.batch<Pick<ListedPerson, "tag" | "name">>(find));
  return new Map(results.flatMap(({ results: rows }) => rows.map(({ tag, name }) => [tag, name])));
}

/** No page opens any more with a session that the person has. False: there is no such person. Throws StoreError. */
export const endSessionsOf = (db: D1Database, fiId: number, tag: string): Promise<boolean> =>
  change(db, fiId, tag, PEOPLE_STATEMENTS.endSessions);

/** Ends the sessions, too. False: there is no such person. Throws StoreError. */
export const erasePerson = (db: D1Database, fiId: number, tag: string): Promise<boolean> =>
  change(db, fiId, tag, PEOPLE_STATEMENTS.erase, PEOPLE_STATEMENTS.eraseSessions);

async function change(db: D1Database, fiId: number, tag: string, ...statements: readonly string[]): Promise<boolean> {
  const changes = statements.map((sql) => db.prepare(sql).bind(fiId, tag));
  const [first] = await callStore("D1", () => db.batch(changes));
  return (first?.meta.changes ?? 0) > 0;
}
