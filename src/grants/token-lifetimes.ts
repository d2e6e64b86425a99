/**
 * How long an access token lives: as its institution has set for the scope, else as the deployment's variables say. The
 * statement that stores the token reads the institution's lifetime itself (new-token.ts). A token under an account
 * access consent also ends with the consent.
 */
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { SCOPES, type Scope } from "../registers/entitlement.ts";

/** An account-information PSP may work for 180 days on one authentication (RTS on SCA, article 10a). */
const TOKEN_SECONDS = { min: 60, max: 366 * 86_400 } as const;

/** Where a variable is not a lifetime. */
const FALLBACK_SECONDS = 3_600;

const VARIABLES = {
  payments: "ACCESS_TOKEN_SECONDS_PAYMENTS",
  accounts: "ACCESS_TOKEN_SECONDS_ACCOUNTS",
} as const satisfies Record<Scope, keyof Env>;

export type LifetimeEnv = Pick<Env, "ACCESS_TOKEN_SECONDS" | (typeof VARIABLES)[Scope]>;

/** The lifetimes that an institution has set; null: as the deployment says. */
export type TokenLifetimes = Readonly<Record<Scope, number | null>>;

export const isTokenLifetime = (seconds: number): boolean =>
  Number.isInteger(seconds) && seconds >= TOKEN_SECONDS.min && seconds <= TOKEN_SECONDS.max;

/** The deployment's lifetime of a scope's tokens: its own variable, or with 0 the one for both scopes. */
export function defaultTokenSeconds(env: LifetimeEnv, scope: Scope): number {
  const given = [env[VARIABLES[scope]], env.ACCESS_TOKEN_SECONDS].map(Number);
  return given.find(isTokenLifetime) ?? FALLBACK_SECONDS;
}

/** The lifetime of an institution's tokens of a scope, by the record that the isolate has of it. */
export const tokenSecondsOf = (env: LifetimeEnv, fi: { readonly tokenSeconds: TokenLifetimes }, scope: Scope): number =>
  fi.tokenSeconds[scope] ?? defaultTokenSeconds(env, scope);

/** Variables that are not lifetimes, as sentences for `status`. */
export function lifetimeWarnings(env: LifetimeEnv): string[] {
  const bounds = `from ${TOKEN_SECONDS.min} to ${TOKEN_SECONDS.max}`;
  const both = isTokenLifetime(Number(env.ACCESS_TOKEN_SECONDS))
    ? []
    : [`ACCESS_TOKEN_SECONDS must be a number ${bounds}; it counts as ${FALLBACK_SECONDS} until then`];
  const faulty = SCOPES.filter((scope) => {
    // may be absent in a wrangler.toml
    const seconds = Number(env[VARIABLES[scope]] ?? 0);
    return seconds !== 0 && !isTokenLifetime(seconds);
  });
  const own = faulty.map((scope) => `${VARIABLES[scope]} must be 0 or a number ${bounds}; it counts as 0 until then`);
  return [...both, ...own];
}

export const TOKEN_LIFETIME_STATEMENTS = {
  // null is a value of a lifetime
  set: `
    UPDATE financial_institutions SET
      payments_token_seconds = iif(:setPayments, :payments, payments_token_seconds),
      accounts_token_seconds = iif(:setAccounts, :accounts, accounts_token_seconds)
    WHERE fi_reference_id = :reference`,
} as const;

export type LifetimesSet =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: "unknown institution" }
  | { readonly ok: false; readonly reason: "not a lifetime"; readonly scope: Scope };

/**
 * Sets the lifetimes of tokens that are issued from now on, in seconds; null: as the deployment says. A scope that is
 * left out keeps what it has. Tokens that were issued before keep their expiry.
 */
export async function setTokenLifetimes(
  db: D1Database,
  fiReferenceId: string,
  lifetimes: Partial<TokenLifetimes>,
): Promise<LifetimesSet> {
  const { payments, accounts } = lifetimes;
  const faulty = SCOPES.find((scope) => !isTokenLifetime(lifetimes[scope] ?? TOKEN_SECONDS.min));
  if (faulty !== undefined) return { ok: false, reason: "not a lifetime", scope: faulty };
  const update = bindNamed(db, TOKEN_LIFETIME_STATEMENTS.set, {
    reference: fiReferenceId,
    ...{ setPayments: payments === undefined ? 0 : 1, payments: payments ?? null },
    ...{ setAccounts: accounts === undefined ? 0 : 1, accounts: accounts ?? null },
  });
  const { meta } = await callStore("D1", () => update.run());
  return meta.changes > 0 ? { ok: true } : { ok: false, reason: "unknown institution" };
}
