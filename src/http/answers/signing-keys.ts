/** The public keys of signed answers (RFC 7517, RFC 8037). */
import * as z from "zod";
import { list, seconds } from "./field.ts";

export const signingKeys = z.object({
  keys: list(
    z.object({
      kty: z.literal("OKP"),
      crv: z.literal("Ed25519"),
      x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
      kid: z.string(),
      use: z.literal("sig"),
      alg: z.literal("Ed25519"),
      nbf: seconds,
      exp: seconds.optional(),
    }),
  ),
});
export type SigningKeys = z.output<typeof signingKeys>;
