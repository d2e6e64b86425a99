/** Token records of the core flow in the interface's spelling. */

import type { Context } from "hono";
import { readTokenKeys, type TokenKey } from "../grants/token-keys.ts";
import { readAccessToken, writeAccessToken } from "../grants/token-texts.ts";
import { isActive, revokedInTime, type Token } from "../grants/tokens.ts";
import type { AppEnv } from "../http/context.ts";
import { ApiError } from "../http/errors/errors.ts";
import { toSeconds } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import type { Version } from "../platform/version.ts";
import { AT_HOME, decide } from "../psp-check/decision.ts";
import { findHomeRegisterIfReadable, type RegisterReading } from "../registers/lookup.ts";
import type { TokenRecord } from "./oauth2/tokens.answer.ts";

export const TOKEN_TYPE = "bearer";

/**
 * The records of tokens of one FI, as of `now`. With version `latest` an active token has a `warning` if its PSP has lost
 * the payment service.
 */
export async function describeTokens(
  env: Env,
  tokens: readonly Token[],
  version: Version,
  now: Instant,
): Promise<TokenRecord[]> {
  const homes: HomeReads = new Map();
  return Promise.all(
    tokens.map(async (token) => {
      const { key, active, warning } = await findTokenState(env, token, version, now, homes);
      const revokedAt = revokedInTime(token);
      return {
        // without its key the token's text cannot be computed and the token does not work: this only identifies it
        token: key ? writeAccessToken(key, token.fiId, token.id) : `${token.kid}.${token.id}`,
        active,
        psp_id: token.pspId,
        account_id: token.accountId,
        scope: token.scope,
        exp: toSeconds(token.expiresAt),
        iat: toSeconds(token.issuedAt),
        revoked_at: revokedAt === null ? null : toSeconds(revokedAt),
        ...(warning !== null && { warning }),
      };
    }),
  );
}

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
 * The state of a token at `now`. For tokens of one answer pass the same `homes`: the register of each PSP is read once, all
 * in parallel. For PSPs beyond the first {@link MAX_REGISTERS} the warning says that it was not read.
 */
export async function findTokenState(
  env: Env,
  token: Token,
  version: Version,
  now: Instant,
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
function findWarning({ pspId, scope }: Token, home: RegisterReading | null, now: Instant): string | null {
  // the certificate and its roles were checked when the token was issued
  const decision = decide({ verdicts: null, services: null, pspId, home, ...AT_HOME, now });
  return decision[scope].reasons[0]?.message ?? null;
}

/** The token's id. Throws 404, without a read, if the text is not a token of this FI. */
export function requireTokenId(c: Context<AppEnv>): string {
  const id = readAccessToken(readTokenKeys(c.env), c.get("fi").id, c.req.param("token") ?? "");
  if (id === null) throw new ApiError({ code: "token_not_found" });
  return id;
}
