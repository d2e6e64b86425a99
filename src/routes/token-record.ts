/** Token records as the interface spells them. */
import { toSeconds } from "../clock.ts";
import { writeAccessToken } from "../grants/access-token.ts";
import { readTokenKeys } from "../grants/token-keys.ts";
import { isActive, type Token } from "../grants/tokens.ts";
import { checkEntitlement, explainRefusal, SERVICE_OF_SCOPE } from "../registers/entitlement.ts";
import { readHomeRegister } from "../registers/home-register.ts";

export const TOKEN_TYPE = "bearer";

/** Of tokens of one FI, as of `now` (milliseconds): each home register is read once, all in one parallel round. */
export async function describeTokens(env: Env, tokens: readonly Token[], now: number) {
  const keys = readTokenKeys(env);
  return Promise.all(
    tokens.map(async (token) => {
      const text = writeAccessToken(keys, token);
      const active = text !== null && isActive(token, now);
      const warning = active ? await findWarning(env, token, now) : null;
      return {
        // no text without the key: what is left names the token, and is none
        token: text ?? `${token.kid}.${token.id}`,
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

/**
 * What the FI should know of an active token's PSP: that its home register gives it the token's service no longer.
 * The token stays what it is (design.md section 6). Null when all is well.
 */
export async function findWarning(env: Env, { pspId, scope }: Token, now: number): Promise<string | null> {
  const reading = await readHomeRegister(env.KV, pspId, now);
  // the certificate's roles were checked when the token was issued
  const entitlement = checkEntitlement({ reading, scope, services: [SERVICE_OF_SCOPE[scope]], now });
  return entitlement.ok ? null : explainRefusal(entitlement.reason, pspId, scope);
}
