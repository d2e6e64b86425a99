/** Token records in the interface's spelling. */
import { toSeconds } from "../clock.ts";
import type { Version } from "../context.ts";
import { writeAccessToken } from "../grants/access-token.ts";
import { readTokenKeys } from "../grants/token-keys.ts";
import { isActive, type Token } from "../grants/tokens.ts";
import { checkEntitlement, explainRefusal, SERVICE_OF_SCOPE } from "../registers/entitlement.ts";
import { findHomeRegister, type RegisterReading } from "../registers/lookup.ts";

export const TOKEN_TYPE = "bearer";

/**
 * Registers that are read for one answer. A request may make 1,000 calls to KV, six at a time; more reads would only
 * delay the answer.
 */
const MAX_REGISTERS = 50;

/**
 * The records of tokens of one FI, as of `now` (milliseconds since 1970). With version `latest` an active token has a
 * `warning` if its PSP has lost the payment service. The register of each PSP is read once, all in parallel; for PSPs
 * beyond the first {@link MAX_REGISTERS} the warning says that it was not read.
 */
export async function describeTokens(env: Env, tokens: readonly Token[], version: Version, now: number) {
  const keys = readTokenKeys(env);
  const homes = new Map<string, Promise<RegisterReading | null>>();
  return Promise.all(
    tokens.map(async (token) => {
      const key = keys.byKid.get(token.kid);
      const active = key !== undefined && isActive(token, now);
      const asked = active && version === "latest";
      const remembered = homes.get(token.pspId);
      const unread = asked && !remembered && homes.size >= MAX_REGISTERS;
      const home = asked && !unread ? (remembered ?? readHome(env, token.pspId, now)) : null;
      if (home) homes.set(token.pspId, home);
      const warning = unread ? explainUnread(token.pspId) : home && findWarning(token, await home, now);
      return {
        // without its key the token's text cannot be computed and the token does not work: this only identifies it
        token: key ? writeAccessToken(key, token.fiId, token.id) : `${token.kid}.${token.id}`,
        active,
        psp_id: token.pspId,
        account_id: token.accountId,
        scope: token.scope,
        exp: toSeconds(token.expiresAt),
        iat: toSeconds(token.issuedAt),
        revoked_at: token.revokedAt === null ? null : toSeconds(token.revokedAt),
        ...(warning !== null && { warning }),
      };
    }),
  );
}

const explainUnread = (pspId: string): string =>
  `the home register of PSP ${pspId} was not read: more than ${MAX_REGISTERS} PSPs have active tokens on this page`;

/** Null if the register cannot be read: whether a token is active does not depend on it. */
export const readHome = (env: Env, pspId: string, now: number): Promise<RegisterReading | null> =>
  findHomeRegister(env.KV, pspId, now).catch(() => null);

/**
 * A warning for the FI if the home register of an active token's PSP no longer gives it the token's service; else null.
 * The token stays active: an entitlement that is lost later does not revoke it.
 */
export function findWarning({ pspId, scope }: Token, home: RegisterReading | null, now: number): string | null {
  if (home === null) return `the home register of PSP ${pspId} could not be read`;
  // the certificate's roles were checked when the token was issued
  const services = [SERVICE_OF_SCOPE[scope]];
  const entitlement = checkEntitlement({ reading: home, scope, services, now });
  return entitlement.ok ? null : explainRefusal(entitlement.reason, pspId, scope);
}
