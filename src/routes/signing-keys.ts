/** GET /.well-known/jwks.json (RFC 7517): the public keys of signed answers, with those that sign no more. */
import type { Context } from "hono";
import { readSigningKeys } from "../evidence/signatures/signing-keys.ts";
import type * as answers from "../http/answers/signing-keys.ts";
import type { AppEnv } from "../http/context.ts";

/** A new key signs at once: a verifier that does not know its id reads the keys again. */
const CACHE_SECONDS = 300;

export const answerSigningKeys = (c: Context<AppEnv>): Response => {
  const keys: answers.SigningKeys = { keys: [...readSigningKeys(c.env).published] };
  return c.json(keys, 200, {
    "Cache-Control": `public, max-age=${CACHE_SECONDS}`,
    "Access-Control-Allow-Origin": "*",
  });
};
