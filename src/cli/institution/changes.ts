/** What changes an institution: its settings, a credential that ends, and its removal in steps that can be repeated. */

import { setTokenLifetimes, type TokenLifetimes } from "../../grants/token-lifetimes.ts";
import { databaseOf } from "../../institutions/databases.ts";
import type { BankPassports } from "../../institutions/financial-institutions.ts";
import { copyInstitution } from "../../institutions/institution-placement.ts";
import type { Instant } from "../../platform/instant.ts";

/**
 * Every table whose rows belong to one institution (column `fi_id`), but for its links to credentials, with the
 * columns by which they can be deleted in parts.
 */
const KEYS = {
  tokens: "id",
  account_access_consents: "id",
  payment_order_consents: "id",
  core_permissions: "id",
  core_codes: "account_id",
  account_blocks: "account_id",
  account_keys: "account_id",
  console_sessions: "id_hash",
  console_checks: "id_hash",
  sign_in_providers: "fi_id",
  people: "subject",
  sign_in_links: "id_hash",
  command_acts: "id",
  operator_passes: "pass_hash",
  evidence_exports: "fi_id",
  psp_watches: "psp_id",
  psp_standings: "psp_id",
  met_psps: "psp_id",
  met_psp_names: "part, psp_id",
  events: "id",
  webhooks: "id",
  webhook_deliveries: "id",
} as const;
type OwnedTable = keyof typeof KEYS;
const OWNED_TABLES = Object.keys(KEYS) as OwnedTable[];

/** Bounds the time for which one statement blocks the table. */
const ROWS_PER_STATEMENT = 1000;

const FIND = "SELECT id, name, database FROM financial_institutions WHERE fi_reference_id = ?1";
const PLACE = "SELECT database FROM financial_institutions WHERE id = ?1";
const DISABLE = "UPDATE financial_institutions SET status = 'disabled' WHERE id = ?1";
const REMEMBER = `
  INSERT INTO removed_institutions (fi_id, name, fi_reference_id, removed_at)
  SELECT id, name, fi_reference_id, ?2 FROM financial_institutions WHERE id = ?1`;
const REMOVE = "DELETE FROM financial_institutions WHERE id = ?1";
const CREDENTIALS = `
  SELECT client_id, (SELECT count(*) FROM credential_institutions other WHERE other.client_id = link.client_id) AS institutions
  FROM credential_institutions link WHERE fi_id = ?1 ORDER BY client_id`;
const LIVE_TOKENS = "SELECT count(*) AS rows FROM tokens WHERE fi_id = ?1 AND expires_at > ?2 AND revoked_at IS NULL";

/** What goes with an institution, and what stays. */
export interface Belongings {
  readonly id: number;
  readonly name: string;
  readonly liveTokens: number;
  readonly rows: Readonly<Record<OwnedTable, number>>;
  /** Client ids of the credentials that speak for this institution alone. */
  readonly credentials: readonly string[];
  /** Client ids of those that speak for others, too: they stay. */
  readonly sharedCredentials: readonly string[];
}

type Databases = Pick<Env, "DB">;

/** Null if there is no such institution. Throws if its database does not answer. */
export async function readBelongings(env: Databases, fiReferenceId: string, now: Instant): Promise<Belongings | null> {
  const fi = await env.DB.prepare(FIND).bind(fiReferenceId).first<{ id: number; name: string; database: number }>();
  if (!fi) return null;
  const { results: links } = await env.DB.prepare(CREDENTIALS)
    .bind(fi.id)
    .all<{ client_id: string; institutions: number }>();
  const counted = await Promise.all(
    databasesOf(env, fi.database).map((db) =>
      db.batch<{ rows: number }>([
        db.prepare(LIVE_TOKENS).bind(fi.id, now),
        ...OWNED_TABLES.map((table) =>
          db.prepare(`SELECT count(*) AS rows FROM ${table} WHERE fi_id = ?1`).bind(fi.id),
        ),
      ]),
    ),
  );
  const sum = (statement: number) =>
    counted.reduce((rows, results) => rows + (results[statement]?.results[0]?.rows ?? 0), 0);
  const clients = (alone: boolean) =>
    links.filter((row) => (row.institutions === 1) === alone).map((row) => row.client_id);
  return {
    id: fi.id,
    name: fi.name,
    liveTokens: sum(0),
    rows: Object.fromEntries(OWNED_TABLES.map((table, i) => [table, sum(i + 1)])) as Record<OwnedTable, number>,
    credentials: clients(true),
    sharedCredentials: clients(false),
  };
}

/** Where an institution has rows: its own database, and the first. */
const databasesOf = (env: Databases, database: number): D1Database[] =>
  database === 1 ? [env.DB] : [databaseOf(env, { database }), env.DB];

/**
 * Removes an institution and all that belongs to it. Its credentials go first, in one transaction, so that from then on
 * nothing of it can be used; an interrupted removal is finished by the same call. Its id is kept, so that no other
 * institution gets it: authorization codes and CCG tokens name it.
 */
export async function removeInstitution(
  env: Databases,
  id: number,
  now: Instant,
  onRows: (deleted: number) => void = () => {},
): Promise<void> {
  const first = (sql: string, ...values: unknown[]) => env.DB.prepare(sql).bind(id, ...values);
  const database = (await first(PLACE).first<number>("database")) ?? 1;
  // of the copy: an institution in another database can be removed while that answers
  if (database !== 1) await databaseOf(env, { database }).prepare(DISABLE).bind(id).run();
  await env.DB.batch([
    first(DISABLE),
    // their links go with them
    first(`DELETE FROM credentials WHERE client_id IN (SELECT client_id FROM credential_institutions WHERE fi_id = ?1)
      AND NOT EXISTS (SELECT 1 FROM credential_institutions other
        WHERE other.client_id = credentials.client_id AND other.fi_id <> ?1)`),
    first("DELETE FROM credential_institutions WHERE fi_id = ?1"),
  ]);
  let deleted = 0;
  const databases = databasesOf(env, database);
  for (const db of databases)
    for (const table of OWNED_TABLES) {
      const some = db
        .prepare(
          `DELETE FROM ${table} WHERE fi_id = ?1 AND (${KEYS[table]}) IN (
        SELECT ${KEYS[table]} FROM ${table} WHERE fi_id = ?1 LIMIT ${ROWS_PER_STATEMENT})`,
        )
        .bind(id);
      for (let changes = ROWS_PER_STATEMENT; changes >= ROWS_PER_STATEMENT; ) {
        changes = (await some.run()).meta.changes;
        deleted += changes;
        onRows(deleted);
      }
    }
  // its row in the first goes last: by it the call is repeated
  for (const db of databases) {
    const statement = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(id, ...values);
    await db.batch([
      // of an isolate that remembered the credentials
      ...OWNED_TABLES.map((table) => statement(`DELETE FROM ${table} WHERE fi_id = ?1`)),
      ...(db === env.DB ? [statement(REMEMBER, now)] : []),
      statement(REMOVE),
    ]);
  }
}

export type Unlinking =
  | { readonly ok: true; readonly credentialDeleted: boolean }
  | { readonly ok: false; readonly reason: "not linked" | "last institution" };

/**
 * Ends a credential's right to speak for an institution. If it speaks for no other, it is deleted with `deleteCredential`;
 * without, nothing is changed. `notes`: what the same batch writes of it.
 */
export async function unlinkCredential(
  db: D1Database,
  { fiReferenceId, clientId }: { readonly fiReferenceId: string; readonly clientId: string },
  deleteCredential: boolean,
  notes: readonly D1PreparedStatement[] = [],
): Promise<Unlinking> {
  const { results } = await db
    .prepare(
      `SELECT fi_reference_id FROM credential_institutions JOIN financial_institutions ON id = fi_id WHERE client_id = ?1`,
    )
    .bind(clientId)
    .all<{ fi_reference_id: string }>();
  if (!results.some((row) => row.fi_reference_id === fiReferenceId)) return { ok: false, reason: "not linked" };
  const last = results.length === 1;
  if (last && !deleteCredential) return { ok: false, reason: "last institution" };
  const sql = last
    ? "DELETE FROM credentials WHERE client_id = ?1"
    : `DELETE FROM credential_institutions WHERE client_id = ?1
       AND fi_id = (SELECT id FROM financial_institutions WHERE fi_reference_id = ?2)`;
  const unlink = db.prepare(sql).bind(...(last ? [clientId] : [clientId, fiReferenceId]));
  await db.batch([unlink, ...notes]);
  return { ok: true, credentialDeleted: last };
}

export interface InstitutionChanges {
  readonly name?: string;
  /** Lifetimes of its access tokens; null: the deployment's. */
  readonly tokenSeconds?: Partial<TokenLifetimes>;
  /** Whether an answer leaves only when its record is kept. */
  readonly ledgerRequired?: boolean;
  readonly bankPassports?: BankPassports;
}

const CHANGE = `
  UPDATE financial_institutions SET name = coalesce(?2, name), ledger_required = coalesce(?3, ledger_required),
    bank_passports = coalesce(?4, bank_passports)
  WHERE fi_reference_id = ?1`;

/**
 * Returns whether an institution with that reference exists. The lifetimes must be such (isTokenLifetime). `notes`: what the batch
 * of the first change writes of it.
 */
export async function changeInstitution(
  env: Pick<Env, "DB">,
  fiReferenceId: string,
  { name, tokenSeconds, ledgerRequired, bankPassports }: InstitutionChanges,
  notes: readonly D1PreparedStatement[] = [],
): Promise<boolean> {
  const required = ledgerRequired === undefined ? null : Number(ledgerRequired);
  const change = env.DB.prepare(CHANGE).bind(fiReferenceId, name ?? null, required, bankPassports ?? null);
  if ((await env.DB.batch([change, ...notes]))[0]?.meta.changes === 0) return false;
  const set = tokenSeconds === undefined || (await setTokenLifetimes(env.DB, fiReferenceId, tokenSeconds)).ok;
  await copyInstitution(env, fiReferenceId);
  return set;
}
