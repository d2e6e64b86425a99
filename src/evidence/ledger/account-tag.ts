/**
 * The tag by which a record names an account: HMAC-SHA-256 of the account's id, under a random key that this account
 * alone has. Records of one account have the same tag. Erasing the account destroys the key (grants/retention.ts):
 * then nobody can tell whose records they were, or compute the tag again, and the chain still verifies.
 */
import { timeOfRecordId } from "../../grants/record-order.ts";
import { fromBase64, toHex } from "../../platform/encoding.ts";
import type { Instant } from "../../platform/instant.ts";
import { makeMac, makeSecret } from "../../platform/secrets.ts";
import { callStore, StoreError } from "../../platform/stores.ts";
import type { LedgerEntry } from "./record.ts";
import type { WaitingRecord } from "./waiting-records.ts";

export const ACCOUNT_KEY_STATEMENTS = {
  find: "SELECT account_id, key FROM account_keys WHERE fi_id = ?1 AND account_id = ?2",
  // another isolate may have made it in this moment: the first counts
  make: "INSERT INTO account_keys (fi_id, account_id, key) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
} as const;

interface KeyRow {
  account_id: string;
  key: string;
}

/**
 * Tags in lower-case hex by account id. A key that there is not yet is made for those of `makeFor`; others have no tag.
 * Throws {@link StoreError}.
 */
export async function tagAccounts(
  db: D1Database,
  fiId: number,
  accountIds: readonly string[],
  makeFor: readonly string[] = accountIds,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(accountIds)];
  if (ids.length === 0) return new Map();
  const find = (id: string) => db.prepare(ACCOUNT_KEY_STATEMENTS.find).bind(fiId, id);
  const ask = async (statements: D1PreparedStatement[]) =>
    (await callStore("D1", () => db.batch<KeyRow>(statements))).flatMap(({ results }) => results);
  const known = await ask(ids.map(find));
  const missing = ids.filter((id) => makeFor.includes(id) && !known.some((row) => row.account_id === id));
  const make = (id: string) => db.prepare(ACCOUNT_KEY_STATEMENTS.make).bind(fiId, id, makeSecret());
  const made = missing.length === 0 ? [] : await ask(missing.flatMap((id) => [make(id), find(id)]));
  return new Map([...known, ...made].map(({ account_id, key }) => [account_id, tagOf(key, account_id)]));
}

const tagOf = (key: string, accountId: string): string =>
  toHex(makeMac(fromBase64(key) ?? new Uint8Array(), accountId));

/** So long after a request its record may name an account that was erased meanwhile: the erasure's receipt says so. */
const KEY_MADE_WITHIN_MS = 60_000;

/**
 * Whether the account's key may be made for the record: with a request for a code, a token, or a block. A withdrawal, a code that
 * is used again or a record that is late may be about an account that was erased meanwhile, and would bring its id back.
 */
const mayMakeKey = ({ id, event, status, scopes = [] }: LedgerEntry, now: Instant): boolean =>
  (event === "code.issue" || status === 201 || (event === "block.change" && scopes.length > 0)) &&
  now - (timeOfRecordId(id) ?? 0) < KEY_MADE_WITHIN_MS;

/** The entries, with the tags of their accounts. While keys cannot be read, they say that there is none: `failed` gets the error. */
export async function tagEntries(
  db: () => D1Database,
  fiId: number,
  records: readonly WaitingRecord[],
  now: Instant,
  failed: (error: StoreError) => void,
): Promise<LedgerEntry[]> {
  const accountIds = records.flatMap(({ accountId }) => accountId ?? []);
  if (accountIds.length === 0) return records.map(({ entry }) => entry);
  const makeFor = records.flatMap(({ entry, accountId }) => (mayMakeKey(entry, now) ? (accountId ?? []) : []));
  const find = async () => await tagAccounts(db(), fiId, accountIds, makeFor);
  // in the time of one call: an answer may wait for its record
  const tags = await callStore("keys of accounts", find).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
    failed(error);
    return new Map<string, string>();
  });
  return records.map(({ entry, accountId }) => ({ ...entry, account: tags.get(accountId ?? "") ?? null }));
}
