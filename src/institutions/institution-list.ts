/** Institutions with their credentials, and how old each is: for the operator, not for requests of institutions. */

import type { Instant } from "../platform/instant.ts";
import { callStore } from "../platform/stores.ts";
import { listDatabases } from "./databases.ts";
import { type BankPassports, type InstitutionRow, readInstitution } from "./financial-institutions.ts";

const LIST = `
  SELECT f.*, c.client_id, coalesce(c.secret_made_at, c.created_at) AS secret_at,
    iif(c.old_secret_until > ?1, c.old_secret_until, NULL) AS old_secret_until
  FROM financial_institutions f
  LEFT JOIN credential_institutions i ON i.fi_id = f.id
  LEFT JOIN credentials c ON c.client_id = i.client_id
  ORDER BY f.fi_reference_id, c.client_id`;
// index: tokens_by_expiry, which reads live ones only
const LIVE_TOKENS = `
  SELECT fi_id, count(*) AS tokens FROM tokens WHERE expires_at > ?1 AND revoked_at IS NULL GROUP BY fi_id`;

interface Row extends InstitutionRow {
  client_id: string | null;
  secret_at: Instant | null;
  old_secret_until: Instant | null;
}

/** ISO 8601 times. */
interface Credential {
  readonly client_id: string;
  readonly secret_made_at: string;
  /** While a rotation overlaps: when the secret before ends. */
  readonly old_secret_until: string | null;
}

export interface Institution {
  readonly name: string;
  readonly fi_reference_id: string;
  readonly status: "active" | "disabled";
  readonly client_ids: readonly string[];
  readonly created_at: string;
  /** Null: the database that it is in does not answer. */
  readonly live_tokens: number | null;
  /** The number of that database. */
  readonly database: number;
  /** Lifetimes of its access tokens; null: the deployment's. */
  readonly token_seconds: { readonly payments: number | null; readonly accounts: number | null };
  /** `required`: its answers leave only when their records are kept (http/middleware/ledger.ts). */
  readonly ledger: "required" | "default";
  /** Null: it never chose (financial-institutions.ts). */
  readonly bank_passports: BankPassports | null;
  readonly credentials: readonly Credential[];
}

/** Ordered by reference. Throws StoreError. */
export async function listInstitutions(env: Pick<Env, "DB">, now: Instant): Promise<Institution[]> {
  const list = callStore("D1", () => env.DB.prepare(LIST).bind(now).all<Row>());
  const [{ results }, live] = await Promise.all([list, countLive(env, now)]);
  return [...Map.groupBy(results, (row) => row.fi_reference_id).values()].map((rows) => {
    const credentials = rows.flatMap(({ client_id, secret_at, old_secret_until: until }) => {
      if (client_id === null || secret_at === null) return [];
      return { client_id, secret_made_at: iso(secret_at), old_secret_until: until === null ? null : iso(until) };
    });
    const [first] = rows as [Row];
    const { status, created_at } = first;
    const { id, name, fiReferenceId, database, tokenSeconds, ledgerRequired, bankPassports } = readInstitution(first);
    const counted = live.get(database);
    const client_ids = credentials.map(({ client_id }) => client_id);
    return {
      name,
      fi_reference_id: fiReferenceId,
      status,
      client_ids,
      created_at: iso(created_at),
      live_tokens: counted ? (counted.get(id) ?? 0) : null,
      database,
      token_seconds: tokenSeconds,
      ledger: ledgerRequired ? ("required" as const) : ("default" as const),
      bank_passports: bankPassports,
      credentials,
    };
  });
}

/** The live tokens of each institution by its id, in each database that answers. The first one has to. */
async function countLive(
  env: Pick<Env, "DB">,
  now: Instant,
): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>> {
  const counted = await Promise.all(
    listDatabases(env).map(async ({ number, binding, db }) => {
      const live = db.prepare(LIVE_TOKENS).bind(now);
      const count = callStore(`D1 ${binding}`, () => live.all<{ fi_id: number; tokens: number }>());
      const answer = number === 1 ? await count : await count.catch(() => null);
      return answer && ([number, new Map(answer.results.map(({ fi_id, tokens }) => [fi_id, tokens]))] as const);
    }),
  );
  return new Map(counted.filter((one) => one !== null));
}

const iso = (time: Instant): string => new Date(time).toISOString();
