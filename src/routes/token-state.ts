/** Whether a token is active, and the warning for the FI if its PSP has lost the payment service. */

import { readTokenKeys, type TokenKey } from "../grants/token-keys.ts";
import { isActive, type Token } from "../grants/tokens.ts";
import type { Version } from "../platform/version.ts";
import { decide } from "../psp-check/decision.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import { findHomeRegisterIfReadable } from "../registers/lookup.ts";

/**
 * Registers that are read for one answer. A request may make 1,000 calls to KV, six at a time; more reads would only
 * delay the answer.
 */
const MAX_REGISTERS = 50;

/** The home registers whose reads were started for one answer, by PSP. Null: the register cannot be read. */
export type HomeReads = Map<string, Promise<RegisterReading | null>>;

export interface TokenState {
  /** The key of the token's text; undefined if it was removed, and then the token does not work. */
  readonly key: TokenKey | undefined;
  readonly active: boolean;
  /** Null with version 1, for a token that is not active, and if the PSP is still entitled to the service. */
  readonly warning: string | null;
}

/**
 * The state of a token at `now` (milliseconds since 1970). For tokens of one answer pass the same `homes`: the register
 * of each PSP is read once, all in parallel. For PSPs beyond the first {@link MAX_REGISTERS} the warning says that it
 * was not read.
 */
export async function findTokenState(
  env: Env,
  token: Token,
  version: Version,
  now: number,
  homes: HomeReads = new Map(),
): Promise<TokenState> {
  const key = readTokenKeys(env).byKid.get(token.kid);
  const active = key !== undefined && isActive(token, now);
  if (!active || version !== "latest") return { key, active, warning: null };
  // whether a token is active does not depend on the register
  const home =
    homes.get(token.pspId) ??
    (homes.size < MAX_REGISTERS ? findHomeRegisterIfReadable(env.KV, token.pspId, now) : null);
  if (home === null) return { key, active, warning: explainUnread(token.pspId) };
  homes.set(token.pspId, home);
  return { key, active, warning: findWarning(token, await home, now) };
}

const explainUnread = (pspId: string): string =>
  `the home register of PSP ${pspId} was not read: more than ${MAX_REGISTERS} PSPs have active tokens on this page`;

/**
 * A warning for the FI if the home register of an active token's PSP no longer gives it the token's service; else null.
 * The token stays active: an entitlement that is lost later does not revoke it.
 */
function findWarning({ pspId, scope }: Token, home: RegisterReading | null, now: number): string | null {
  // the certificate and its roles were checked when the token was issued
  const decision = decide({ verdicts: null, services: null, pspId, home, jurisdiction: null, now });
  return decision[scope].reasons[0]?.message ?? null;
}
