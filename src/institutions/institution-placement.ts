/**
 * Institutions that are placed in another database than the first. Their row in the first is the one that counts: it
 * authenticates them. Their own database holds a copy of it, which the statements that store a token read there.
 *
 * One transaction cannot write both. So the order is such that a failure between the two refuses too much, never too
 * little, and the same command once more finishes it; `doctor` finds what is left different:
 *
 * - add: the row, disabled; the copy, active; the row active. - enable: the copy, then the row.
 * - disable: the copy, so that no token is given from that moment; then the row, also if the copy could not be written.
 * - set: the row, then the copy: a code is kept for as long as the row says that its token may live.
 *
 * Each change of the status has a version, larger than what it saw: one that is held up on its way, or was read before by a
 * command that sets something else, undoes no later one (platform/stores.ts).
 */

import { callStore, StoreError } from "../platform/stores.ts";
import { bindingOf, databaseOf, listDatabases, type Placed } from "./databases.ts";
import {
  type InstitutionRow,
  insertFinancialInstitution,
  isNewerStatus,
  type NewInstitution,
  setStatus,
} from "./financial-institutions.ts";

interface Row extends InstitutionRow {
  status_version: number;
}

const COLUMNS = [
  "id",
  "name",
  "fi_reference_id",
  "status",
  "created_at",
  "payments_token_seconds",
  "accounts_token_seconds",
  "database",
  "ledger_required",
  "bank_passports",
  "status_version",
] as const satisfies readonly (keyof Row)[];

const FIND = `SELECT ${COLUMNS} FROM financial_institutions WHERE fi_reference_id = ?1`;
const LIST = `SELECT ${COLUMNS} FROM financial_institutions ORDER BY id`;
const NEWER = isNewerStatus("excluded.status_version", "excluded.status");
const COPY = `
  INSERT INTO financial_institutions (${COLUMNS}) VALUES (${COLUMNS.map((_, i) => `?${i + 1}`)})
  ON CONFLICT (id) DO UPDATE SET ${COLUMNS.slice(1).map((column) =>
    column.startsWith("status")
      ? `${column} = iif(${NEWER}, excluded.${column}, financial_institutions.${column})`
      : `${column} = excluded.${column}`,
  )}`;
const COPIED_VERSION = "SELECT status_version FROM financial_institutions WHERE id = ?1";

type Databases = Pick<Env, "DB">;

/**
 * Adds an institution in a database of its choice, and links a credential to it. Throws {@link StoreError}.
 *
 * Its id is at least the millisecond of its making: a database that was set back, by `restore` or by D1's Time Travel, does not
 * know the ids that were given since, and ledgers, which are not set back, are named by them.
 */
export async function addInstitution(env: Databases, fi: NewInstitution & Placed): Promise<void> {
  const { database } = fi;
  const idFrom = fi.now;
  if (database === 1) return await insertFinancialInstitution(env.DB, fi, { database, status: "active", idFrom });
  // no binding: nothing is written
  databaseOf(env, fi);
  await insertFinancialInstitution(env.DB, fi, { database, status: "disabled", idFrom });
  await setInstitutionStatus(env, fi.fiReferenceId, "active").catch((error) =>
    explain(
      error,
      (cause) => `it is added but disabled (${cause}): the same fi add again finishes it, with a new secret`,
    ),
  );
}

/** `changed`: it was set by somebody else meanwhile. */
export type StatusChange =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: "unknown institution" | "changed" };

/** An institution's status and its version; null if there is no such institution. Throws {@link StoreError}. */
export const findInstitutionStatus = async (
  env: Databases,
  fiReferenceId: string,
): Promise<Pick<Row, "status" | "status_version"> | null> => await findRow(env, fiReferenceId);

/**
 * Sets an institution's status. With `seen`, the version that was shown to whoever asks, only if that is still the one; what
 * is so already is done. `notes`: what the batch writes that sets it in the first database. Throws {@link StoreError}.
 */
export async function setInstitutionStatus(
  env: Databases,
  fiReferenceId: string,
  status: Row["status"],
  seen?: number,
  notes: readonly D1PreparedStatement[] = [],
): Promise<StatusChange> {
  const row = await findRow(env, fiReferenceId);
  if (!row) return { ok: false, reason: "unknown institution" };
  const changed: StatusChange = { ok: false, reason: "changed" };
  if (seen !== undefined && seen !== row.status_version) return row.status === status ? { ok: true } : changed;
  let version = row.status_version + 1;
  // the same asked for once more, whose first call is carried out meanwhile, finds it done
  const first = async () =>
    (await setStatus(env.DB, fiReferenceId, status, version, notes)) ||
    (await findRow(env, fiReferenceId))?.status === status
      ? { ok: true as const }
      : changed;
  if (row.database === 1) return await first();
  try {
    // of a change that failed in the first database the copy is ahead
    version = Math.max(version, 1 + (await readCopiedVersion(env, row)));
    await writeCopy(env, { ...row, status, status_version: version });
  } catch (error) {
    if (status === "active" || !(error instanceof StoreError)) throw error;
    await first();
    const binding = bindingOf(row.database);
    explain(
      error,
      (cause) =>
        `its requests are refused within a minute, but ${binding} could not be notified (${cause}): run it again when that database answers`,
    );
  }
  return await first();
}

/** Copies the row as it is in the first database to the institution's own, if that is another. Throws {@link StoreError}. */
export async function copyInstitution(env: Databases, fiReferenceId: string): Promise<void> {
  const row = await findRow(env, fiReferenceId);
  if (row && row.database !== 1)
    await writeCopy(env, row).catch((error) =>
      explain(
        error,
        (cause) => `it is changed, and its copy, by which tokens are made, is not (${cause}): run it again`,
      ),
    );
}

/** Throws what happened with what is to be done; another error than a store's as it is. */
function explain(error: unknown, say: (cause: string) => string): never {
  throw error instanceof StoreError ? new StoreError(say(error.message), { cause: error }) : error;
}

async function findRow({ DB }: Databases, fiReferenceId: string): Promise<Row | null> {
  const find = DB.prepare(FIND).bind(fiReferenceId);
  return await callStore("D1", () => find.first<Row>());
}

async function readCopiedVersion(env: Databases, row: Row): Promise<number> {
  const read = databaseOf(env, row).prepare(COPIED_VERSION).bind(row.id);
  return (await callStore(`D1 ${bindingOf(row.database)}`, () => read.first<number>("status_version"))) ?? 0;
}

async function writeCopy(env: Databases, row: Row): Promise<void> {
  const copy = databaseOf(env, row)
    .prepare(COPY)
    .bind(...COLUMNS.map((column) => row[column]));
  await callStore(`D1 ${bindingOf(row.database)}`, () => copy.run());
}

/** What is wrong with an institution's copy. */
export interface CopyFault {
  readonly fi_reference_id: string;
  readonly binding: string;
  /** `orphaned`: of an institution that the first database does not have, or has elsewhere. */
  readonly fault: "no binding" | "missing" | "different" | "orphaned";
}

/**
 * Compares the copies with the rows, in all databases that answer. `unreachable`: the bindings of the others. Throws
 * {@link StoreError} if the first one does not answer.
 */
export async function findCopyFaults(
  env: Databases,
): Promise<{ readonly faults: readonly CopyFault[]; readonly unreachable: readonly string[] }> {
  const rows = (await callStore("D1", () => env.DB.prepare(LIST).all<Row>())).results;
  const others = listDatabases(env).slice(1);
  const read = await Promise.all(
    others.map(
      async ({ binding, db }) => await callStore(`D1 ${binding}`, () => db.prepare(LIST).all<Row>()).catch(() => null),
    ),
  );
  const faults = others.flatMap(({ number, binding }, i): CopyFault[] => {
    const copies = read[i]?.results;
    if (!copies) return [];
    const placed = rows.filter(({ database }) => database === number);
    const fault = ({ fi_reference_id }: Row, what: CopyFault["fault"]) => ({ fi_reference_id, binding, fault: what });
    return [
      ...placed.flatMap((row) => {
        const copy = copies.find(({ id }) => id === row.id);
        if (!copy) return [fault(row, "missing")];
        return COLUMNS.every((column) => copy[column] === row[column]) ? [] : [fault(row, "different")];
      }),
      ...copies.filter((copy) => !placed.some(({ id }) => id === copy.id)).map((copy) => fault(copy, "orphaned")),
    ];
  });
  const known = new Set([1, ...others.map(({ number }) => number)]);
  const unbound = rows.flatMap(({ fi_reference_id, database }): CopyFault[] =>
    known.has(database) ? [] : [{ fi_reference_id, binding: bindingOf(database), fault: "no binding" }],
  );
  return {
    faults: [...faults, ...unbound],
    unreachable: others.filter((_, i) => !read[i]).map(({ binding }) => binding),
  };
}
