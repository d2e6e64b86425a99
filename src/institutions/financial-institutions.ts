/** Financial institutions (FIs, the tenants) and their credentials, in the first database. */

import type { Instant } from "../platform/instant.ts";
import { WRITES_REFUSED } from "../platform/schema-version.ts";
import { hashSecret, sameSecret } from "../platform/secrets.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import type { Placed } from "./databases.ts";

/** Whether the authorisation of a bank at home is enough for it abroad, where its passports are published nowhere. */
export const BANK_PASSPORTS = ["accept", "refuse"] as const;
export type BankPassports = (typeof BANK_PASSPORTS)[number];

/** `database`: where its tokens, consents and permissions are. */
export interface FinancialInstitution extends Placed {
  readonly id: number;
  readonly name: string;
  readonly fiReferenceId: string;
  /** Lifetimes of its access tokens; null: the deployment's (grants/token-lifetimes.ts). */
  readonly tokenSeconds: { readonly payments: number | null; readonly accounts: number | null };
  /** Whether an answer leaves only when its record is kept (http/middleware/ledger.ts). */
  readonly ledgerRequired: boolean;
  /** Null: it never chose, which counts as refuse. */
  readonly bankPassports: BankPassports | null;
}

export type Authentication =
  /** `until`: when the secret stops being one; null if no end is set. */
  | {
      readonly ok: true;
      readonly fi: FinancialInstitution;
      readonly until: Instant | null;
      readonly writesRefused: boolean;
    }
  | { readonly ok: false; readonly reason: "credentials" | "fi_reference_id" };

/** Of `financial_institutions`. */
export interface InstitutionRow extends Placed {
  id: number;
  name: string;
  fi_reference_id: string;
  status: "active" | "disabled";
  payments_token_seconds: number | null;
  accounts_token_seconds: number | null;
  ledger_required: number;
  bank_passports: BankPassports | null;
  created_at: Instant;
}

/** What a {@link FinancialInstitution} is read from, of the table `f`. */
export const INSTITUTION_COLUMNS =
  "f.id, f.name, f.fi_reference_id, f.database, f.payments_token_seconds, f.accounts_token_seconds, f.ledger_required, f.bank_passports";

export type SelectedInstitution = Omit<InstitutionRow, "status" | "created_at">;

export const readInstitution = (row: SelectedInstitution): FinancialInstitution => ({
  ...{ id: row.id, name: row.name, fiReferenceId: row.fi_reference_id, database: row.database },
  tokenSeconds: { payments: row.payments_token_seconds, accounts: row.accounts_token_seconds },
  ledgerRequired: row.ledger_required === 1,
  bankPassports: row.bank_passports,
});

interface Secrets {
  secret_hash: string;
  old_secret_hash: string | null;
  old_secret_until: Instant | null;
}
/** Of a client that is not linked to the institution, the institution's columns are null. */
type AuthenticationRow = Secrets & { writes_refused: number } & (InstitutionRow | { readonly id: null });

// indexes used: primary keys of credentials and credential_institutions, unique index of fi_reference_id
const FIND_CREDENTIAL = `
  SELECT c.secret_hash, c.old_secret_hash, c.old_secret_until, ${WRITES_REFUSED} AS writes_refused, f.*
  FROM credentials c
  LEFT JOIN financial_institutions f ON f.fi_reference_id = ?2
    AND EXISTS (SELECT 1 FROM credential_institutions i WHERE i.client_id = c.client_id AND i.fi_id = f.id)
  WHERE c.client_id = ?1`;

/**
 * Authenticates the caller. The credentials must be correct, and linked to the institution with the reference
 * `fiReferenceId`. An unknown client costs the same comparisons as a wrong secret: always two, because a credential may
 * have two secrets. Throws {@link StoreError}.
 */
export async function authenticate(
  db: D1Database,
  clientId: string,
  secret: string,
  fiReferenceId: string,
  now: Instant,
): Promise<Authentication> {
  const find = db.prepare(FIND_CREDENTIAL).bind(clientId, fiReferenceId);
  const row = await callStore("D1", () => find.first<AuthenticationRow>());
  const hash = hashSecret(secret);
  const [current, old] = [row?.secret_hash, row?.old_secret_hash].map((known) => sameSecret(known ?? "", hash));
  if (!row || !(current || old)) return { ok: false, reason: "credentials" };
  const until = current ? null : row.old_secret_until;
  if (until !== null && now >= until) return { ok: false, reason: "credentials" };
  if (row.id === null) return { ok: false, reason: "fi_reference_id" };
  if (row.status !== "active") return { ok: false, reason: "credentials" };
  return { ok: true, fi: readInstitution(row), until, writesRefused: row.writes_refused === 1 };
}

type FinancialInstitutionRow = InstitutionRow & { readonly client_ids: string | null };

/** All institutions with their client ids, ordered by reference. For the operator, not for requests. */
export const listFinancialInstitutions = async (db: D1Database): Promise<FinancialInstitutionRow[]> =>
  (
    await callStore("D1", () =>
      db
        .prepare(
          `SELECT f.*, (SELECT group_concat(client_id, ' ') FROM credential_institutions i WHERE i.fi_id = f.id) AS client_ids
           FROM financial_institutions f ORDER BY f.fi_reference_id`,
        )
        .all<FinancialInstitutionRow>(),
    )
  ).results;

// an id is not given twice, not even that of a removed institution: codes, tokens and the ledger name the institution by it
const ADD_INSTITUTION = `
  INSERT INTO financial_institutions (id, name, fi_reference_id, created_at, database, status, ledger_required)
  VALUES (max(CAST(:idFrom AS INTEGER), 1 + max((SELECT coalesce(max(id), 0) FROM financial_institutions),
                                           (SELECT coalesce(max(fi_id), 0) FROM removed_institutions))),
    :name, :reference, :now, :database, :status, :ledgerRequired)`;
const ADD_CREDENTIAL = "INSERT INTO credentials (client_id, secret_hash, created_at) VALUES (?1, ?2, ?3)";
const LINK = `
  INSERT INTO credential_institutions (client_id, fi_id)
  SELECT ?1, id FROM financial_institutions WHERE fi_reference_id = ?2`;

interface Link {
  readonly fiReferenceId: string;
  readonly clientId: string;
  /** Of a new credential; null for one that exists already (an aggregator's). */
  readonly secretHash: string | null;
  readonly now: Instant;
}

export interface NewInstitution extends Link {
  readonly name: string;
  /** Whether an answer leaves only when its record is kept; not, if it is left out. */
  readonly ledgerRequired?: boolean;
}

/** Where a new institution is placed, whether its requests are taken, and its id at the least. */
interface Place extends Placed, Pick<InstitutionRow, "status"> {
  readonly idFrom: number;
}

/** In the first database, at once: the sandbox, which nobody restores. */
const IN_FIRST: Place = { database: 1, status: "active", idFrom: 1 };

/** Adds an institution and links a credential to it. institution-placement.ts is what the operator's commands use. */
export async function insertFinancialInstitution(db: D1Database, fi: NewInstitution, place = IN_FIRST): Promise<void> {
  const { name, fiReferenceId, now, ledgerRequired = false } = fi;
  const { database, status, idFrom } = place;
  const addFi = bindNamed(db, ADD_INSTITUTION, {
    ...{ name, reference: fiReferenceId, now, ledgerRequired: Number(ledgerRequired) },
    ...{ database, status, idFrom },
  });
  await callStore("D1", () => db.batch([addFi, ...linkStatements(db, fi)]));
}

/** Links a credential to an institution that exists. `notes`: what the same batch writes of it. */
export async function linkCredential(
  db: D1Database,
  link: Link,
  notes: readonly D1PreparedStatement[] = [],
): Promise<void> {
  await callStore("D1", () => db.batch([...linkStatements(db, link), ...notes]));
}

function linkStatements(db: D1Database, { fiReferenceId, clientId, secretHash, now }: Link): D1PreparedStatement[] {
  const addCredential = secretHash === null ? [] : [db.prepare(ADD_CREDENTIAL).bind(clientId, secretHash, now)];
  return [...addCredential, db.prepare(LINK).bind(clientId, fiReferenceId)];
}

/**
 * SQL: whether a change of status to `status`, with the version `version`, counts beside what a row has. Of two of one
 * version, which were asked for at once, the disabling does.
 */
export const isNewerStatus = (version: string, status: string): string =>
  `(financial_institutions.status_version < ${version}
    OR (financial_institutions.status_version = ${version} AND ${status} = 'disabled'))`;

const SET_STATUS = `UPDATE financial_institutions SET status = ?2, status_version = ?3
  WHERE fi_reference_id = ?1 AND ${isNewerStatus("?3", "?2")}`;

/**
 * Sets an institution's status in one database and returns whether it did (institution-placement.ts sets it in all that have
 * it). The database gives a disabled institution no token from then on (the trigger no_token_for_disabled_institutions);
 * isolates that remember its credentials answer other requests for 60 seconds at most (http/middleware/financial-institution.ts).
 * `notes`: what the same batch writes of it.
 */
export async function setStatus(
  db: D1Database,
  fiReferenceId: string,
  status: InstitutionRow["status"],
  version: number,
  notes: readonly D1PreparedStatement[] = [],
): Promise<boolean> {
  const set = db.prepare(SET_STATUS).bind(fiReferenceId, status, version);
  return ((await callStore("D1", () => db.batch([set, ...notes])))[0]?.meta.changes ?? 0) > 0;
}

// the old values of the row are what the right-hand sides read
const ROTATE = `
  UPDATE credentials SET secret_hash = :secretHash, secret_made_at = :now,
    old_secret_hash = iif(:overlapUntil IS NULL, NULL, secret_hash), old_secret_until = :overlapUntil
  WHERE client_id = :clientId AND (:madeAt IS NULL OR coalesce(secret_made_at, created_at) = :madeAt)
    AND (:onlyOf IS NULL OR (SELECT min(fi_id) = :onlyOf AND max(fi_id) = :onlyOf
      FROM credential_institutions i WHERE i.client_id = :clientId))`;

/** What a rotation is bound to, and when it is made. */
export interface RotationTerms {
  readonly now: Instant;
  /** When the secret was made that is to be replaced: another one is not. */
  readonly madeAt?: Instant;
  /** The only institution for which the credential speaks: that of one which speaks for others, too, is not replaced. */
  readonly onlyOf?: number;
  /** What the same batch writes of it. */
  readonly notes?: readonly D1PreparedStatement[];
}

/**
 * Replaces a credential's secret and returns whether the client exists. The secret before works until `overlapUntil`; null:
 * no longer than isolates remember it (60 seconds, http/middleware/financial-institution.ts). Of a rotation before that
 * still overlaps, the oldest secret ends.
 */
export async function rotateCredential(
  db: D1Database,
  clientId: string,
  secretHash: string,
  terms: RotationTerms & { readonly overlapUntil: Instant | null },
): Promise<boolean> {
  const { now, overlapUntil, madeAt = null, onlyOf = null, notes = [] } = terms;
  const rotate = bindNamed(db, ROTATE, { clientId, secretHash, now, overlapUntil, madeAt, onlyOf });
  return ((await callStore("D1", () => db.batch([rotate, ...notes])))[0]?.meta.changes ?? 0) > 0;
}
