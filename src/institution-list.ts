/** Institutions with their credentials, and how old each is: for the operator, not for requests of institutions. */

// index of tokens: tokens_by_expiry, which reads live ones only
const LIST = `
  SELECT f.name, f.fi_reference_id, f.status, f.created_at, f.payments_token_seconds, f.accounts_token_seconds, c.client_id,
    coalesce(c.secret_made_at, c.created_at) AS secret_at,
    iif(c.old_secret_until > ?1, c.old_secret_until, NULL) AS old_secret_until,
    coalesce(live.tokens, 0) AS live_tokens
  FROM financial_institutions f
  LEFT JOIN credential_institutions i ON i.fi_id = f.id
  LEFT JOIN credentials c ON c.client_id = i.client_id
  LEFT JOIN (SELECT fi_id, count(*) AS tokens FROM tokens WHERE expires_at > ?1 AND revoked_at IS NULL GROUP BY fi_id) live
    ON live.fi_id = f.id
  ORDER BY f.fi_reference_id, c.client_id`;

interface Row {
  name: string;
  fi_reference_id: string;
  status: "active" | "disabled";
  created_at: number;
  payments_token_seconds: number | null;
  accounts_token_seconds: number | null;
  client_id: string | null;
  secret_at: number | null;
  old_secret_until: number | null;
  live_tokens: number;
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
  readonly live_tokens: number;
  /** Lifetimes of its access tokens; null: the deployment's. */
  readonly token_seconds: { readonly payments: number | null; readonly accounts: number | null };
  readonly credentials: readonly Credential[];
}

/** Ordered by reference. `now`: milliseconds since 1970. */
export async function listInstitutions(db: D1Database, now: number): Promise<Institution[]> {
  const { results } = await db.prepare(LIST).bind(now).all<Row>();
  return [...Map.groupBy(results, (row) => row.fi_reference_id).values()].map((rows) => {
    const credentials = rows.flatMap(({ client_id, secret_at, old_secret_until }) =>
      client_id === null || secret_at === null
        ? []
        : [
            {
              client_id,
              secret_made_at: iso(secret_at),
              old_secret_until: old_secret_until === null ? null : iso(old_secret_until),
            },
          ],
    );
    const [first] = rows as [Row];
    const { name, fi_reference_id, status, created_at, live_tokens } = first;
    const token_seconds = { payments: first.payments_token_seconds, accounts: first.accounts_token_seconds };
    const client_ids = credentials.map(({ client_id }) => client_id);
    return {
      name,
      fi_reference_id,
      status,
      client_ids,
      created_at: iso(created_at),
      live_tokens,
      token_seconds,
      credentials,
    };
  });
}

const iso = (time: number): string => new Date(time).toISOString();
