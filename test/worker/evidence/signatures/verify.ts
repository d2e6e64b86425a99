/** Verifies an answer by a library that the service does not use, from what a caller has of it: its own request, and the answer. */
import { createHash, createPublicKey, verify } from "node:crypto";
import { httpbis } from "http-message-signatures";
import type { PublicSigningKey } from "../../../../src/evidence/signatures/signing-keys.ts";

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly content: Uint8Array;
}

const asRecord = (headers: Headers): Record<string, string> => Object.fromEntries(headers);

/** True, or why not. */
export async function verifyAnswer(
  request: Pick<Request, "method" | "url" | "headers">,
  answer: Received,
  keys: readonly PublicSigningKey[],
): Promise<true | string> {
  const digest = `sha-256=:${createHash("sha256").update(answer.content).digest("base64")}:`;
  if (answer.headers.get("Content-Digest") !== digest) return "the content is not what was signed";
  const verified = await httpbis
    .verifyMessage(
      {
        requiredParams: ["created", "keyid", "tag"],
        requiredFields: ["@status", "content-digest", "@method", "@path", "@query"],
        keyLookup: async ({ keyid }) => {
          const jwk = keys.find(({ kid }) => kid === keyid);
          if (!jwk) return null;
          const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: "jwk" });
          return {
            id: jwk.kid,
            algs: ["ed25519"],
            verify: async (data, signature) => verify(null, data, key, signature),
          };
        },
      },
      { status: answer.status, headers: asRecord(answer.headers) },
      { method: request.method, url: request.url, headers: asRecord(request.headers) },
    )
    .catch((error: unknown) => `${error}`);
  return verified === null ? "there is no signature" : verified === false ? "the signature is another one" : verified;
}
