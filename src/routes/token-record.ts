/** Token records of the core flow in the interface's spelling. */

import { writeAccessToken } from "../grants/token-texts.ts";
import { revokedInTime, type Token } from "../grants/tokens.ts";
import type { TokenRecord } from "../http/answers/token-record.ts";
import { toSeconds } from "../platform/clock.ts";
import type { Version } from "../platform/version.ts";
import { findTokenState, type HomeReads } from "./token-state.ts";

export const TOKEN_TYPE = "bearer";

/**
 * The records of tokens of one FI, as of `now` (milliseconds since 1970). With version `latest` an active token has a
 * `warning` if its PSP has lost the payment service (token-state.ts).
 */
export async function describeTokens(
  env: Env,
  tokens: readonly Token[],
  version: Version,
  now: number,
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
