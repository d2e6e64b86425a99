/** Verifies a saved answer: offline, from the saved bytes and the service's public keys. */
import { createHash } from "node:crypto";
import { componentIdentity, isSignatureError, verifySignature, webcrypto } from "http-message-sig";
import { SIGNATURE_TAG } from "./accept-signature.ts";
import type { SavedExchange } from "./saved-exchange.ts";
import type { PublicSigningKey } from "./signing-keys.ts";

export type Verdict =
  | {
      readonly ok: true;
      readonly kid: string;
      /** When the answer was signed, in milliseconds since 1970. */
      readonly signedAt: number;
      readonly evidenceId: string | null;
      readonly nonce: string | null;
    }
  | { readonly ok: false; readonly reason: string };

/** Headers of the request that decide the answer: one that is in the saved request must have been signed. */
const DECIDING = ["fi_reference_id", "eidas", "ccg_token", "version"];
const ofTheRequest = (name: string) => ({ name, parameters: { req: true } });

/** Between the clock of the service and that of who verifies. */
const CLOCK_SKEW_MS = 300_000;

/** `now`: milliseconds since 1970. */
export async function verifyExchange(
  { request, answer }: SavedExchange,
  keys: readonly PublicSigningKey[],
  now: number,
): Promise<Verdict> {
  const refuse = (reason: string): Verdict => ({ ok: false, reason });
  const field = (name: string) => answer.headers.find((each) => each.name === name)?.value;
  if (field("signature") === undefined) return refuse("the answer has no header Signature: it is not signed");
  const digest = `sha-256=:${createHash("sha256").update(answer.content).digest("base64")}:`;
  if (field("content-digest") !== digest)
    return refuse(
      `the content is not what was signed: its digest is ${digest}, the header says ${field("content-digest") ?? "nothing"}`,
    );
  const sent = DECIDING.filter((name) => request.headers.some((each) => each.name === name));
  const required = [
    ...["@status", "content-digest", ...(field("x-evidence-id") === undefined ? [] : ["x-evidence-id"])],
    ...["@method", "@path", "@query", ...sent].map(ofTheRequest),
  ];
  let untrusted = "no key";
  try {
    const { parameters } = await verifySignature(
      {
        ...{ kind: "response", status: answer.status, fields: answer.headers },
        request: { kind: "request", method: request.method, targetUri: request.url, fields: request.headers },
      },
      {
        policy: {
          algorithms: ["ed25519"],
          requiredComponents: required,
          requiredParameters: ["created", "keyid", "tag"],
          // judged below, by the key's own time
          now: Number.MAX_SAFE_INTEGER,
          validate: (signature) => signature.parameters.tag === SIGNATURE_TAG,
        },
        resolveVerifier: async ({ parameters: { keyid = "" } }) => {
          untrusted = keyid;
          const key = keys.find(({ kid }) => kid === keyid);
          if (!key) throw new Error("unknown key");
          const { kty, crv, x } = key;
          return webcrypto.verifier(
            await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]),
          );
        },
      },
    );
    const { created = 0, nonce = null } = parameters;
    const key = keys.find(({ kid }) => kid === untrusted);
    if (!key || created < key.nbf || created > (key.exp ?? Number.POSITIVE_INFINITY))
      return refuse(`the key ${untrusted} did not sign at ${iso(created)}`);
    if (created * 1000 > now + CLOCK_SKEW_MS) return refuse(`it was signed at ${iso(created)}, which is still to come`);
    return { ok: true, kid: untrusted, signedAt: created * 1000, evidenceId: field("x-evidence-id") ?? null, nonce };
  } catch (error) {
    if (!isSignatureError(error)) throw error;
    return refuse(explain(error, untrusted, required.map(componentIdentity)));
  }
}

function explain(error: Error & { code: string }, kid: string, required: readonly string[]): string {
  switch (error.code) {
    case "ResolverFailed":
      return `the key ${kid} is not among the given keys`;
    case "VerificationFailed":
      return "the signature is not that of this request and this answer: one of them was changed";
    case "PolicyViolation":
      return `the signature does not cover what it must (${required.join(" ")}), or is no signature of this service`;
    default:
      return `the signature cannot be checked: ${error.message}`;
  }
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
