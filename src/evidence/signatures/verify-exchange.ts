/** Verifies a saved answer: offline, from the saved bytes and the service's public keys. */
import { componentIdentity, isSignatureError, verifySignature, webcrypto } from "http-message-sig";
import { SIGNATURE_TAG } from "./accept-signature.ts";
import { decodeContent, listCodings } from "./content-coding.ts";
import { DECIDING, DECIDING_IN_1_6, digestContent, isSignable, splitUrl } from "./covered-components.ts";
import type { Field, SavedExchange } from "./saved-exchange.ts";
import type { PublicSigningKey } from "./signing-keys.ts";
import { didSign } from "./signing-period.ts";

export type Verdict =
  | {
      readonly ok: true;
      readonly kid: string;
      /** Path and query as they were signed; the host is not. */
      readonly target: string;
      /** When the answer was signed, in milliseconds since 1970. */
      readonly signedAt: number;
      readonly evidenceId: string | null;
      readonly nonce: string | null;
    }
  | { readonly ok: false; readonly reason: string };

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
  const signed = field("content-digest") ?? "nothing";
  const altered = findAlteration(answer, signed);
  if (altered !== null) return refuse(`the content is not what was signed: ${altered}, the header says ${signed}`);
  // a deciding one that is in the saved request must have been signed
  const listRequired = (targetUri: string, headers: readonly Field[]) => {
    const sent = listDeciding(targetUri).filter((name) => headers.some((each) => each.name === name));
    return [
      ...["@status", "content-digest", ...(field("x-evidence-id") === undefined ? [] : ["x-evidence-id"])],
      ...["@method", "@path", "@query", ...sent].map(ofTheRequest),
    ];
  };
  let untrusted = "no key";
  const verifyAs = (targetUri: string, headers: readonly Field[]) =>
    verifySignature(
      {
        ...{ kind: "response", status: answer.status, fields: leaveOutUnsigned(answer.headers) },
        request: { kind: "request", method: request.method, targetUri, fields: leaveOutUnsigned(headers) },
      },
      {
        policy: {
          algorithms: ["ed25519"],
          requiredComponents: listRequired(targetUri, headers),
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
  let refused: (Error & { code: string }) | null = null;
  // what sent the request, or a proxy on the way, may have normalised its target, or not
  const targets = [...new Set([new URL(request.url).href, request.url])];
  const older = answer.status < 400 && isOf1_6(request.url) ? targets : [];
  const attempts = [
    ...targets.map((targetUri) => [targetUri, request.headers] as const),
    ...older.map((targetUri) => [targetUri, renameAsBefore0_7(request.headers)] as const),
  ];
  for (const [targetUri, headers] of attempts) {
    try {
      const { created = 0, nonce = null } = (await verifyAs(targetUri, headers)).parameters;
      const key = keys.find(({ kid }) => kid === untrusted);
      if (!key || !didSign(key, created * 1000)) return refuse(`the key ${untrusted} did not sign at ${iso(created)}`);
      if (created * 1000 > now + CLOCK_SKEW_MS)
        return refuse(`it was signed at ${iso(created)}, which is still to come`);
      const { path, query } = splitUrl(targetUri);
      return {
        ...{ ok: true, kid: untrusted, target: query === "?" ? path : `${path}${query}`, signedAt: created * 1000 },
        ...{ evidenceId: field("x-evidence-id") ?? null, nonce },
      };
    } catch (error) {
      if (!isSignatureError(error)) throw error;
      refused ??= error;
    }
  }
  return refuse(
    refused
      ? explain(refused, untrusted, listRequired(request.url, request.headers).map(componentIdentity))
      : "nothing was signed",
  );
}

/**
 * Null if the digest is that of the content, as it was saved or before it was compressed on its way: what saves it may have decoded it,
 * and left the header. Else in what it differs.
 */
function findAlteration({ headers, content }: SavedExchange["answer"], signed: string): string | null {
  const digest = digestContent(content);
  if (digest === signed) return null;
  const codings = listCodings(headers);
  if (codings.length === 0) return `its digest is ${digest}`;
  const decoded = decodeContent(content, codings);
  if (!decoded.ok) return `its digest is ${digest}, and ${decoded.reason}`;
  const before = digestContent(decoded.content);
  return before === signed ? null : `its digest is ${digest}, decoded by its Content-Encoding ${before}`;
}

/** The paths of version 1.6 (endpoints.ts). */
const OF_1_6 = /^\/v1\/(?:tpp\/eidas|obie\/(?:ccg_token|authorization_code|token)(?:\/[^/]+)?)$/;

const isOf1_6 = (url: string): boolean => OF_1_6.test(splitUrl(url).path);

/** The older form reads other names; elsewhere what has such a name decides nothing. */
const listDeciding = (url: string): readonly string[] => (isOf1_6(url) ? [...DECIDING, ...DECIDING_IN_1_6] : DECIDING);

/**
 * Until 0.6.1 the service signed a request of version 1.6 under the names that it gave its headers. Only an answer that
 * is no error is taken so: since then a request with these names, which nobody read, is signed in the same way.
 */
function renameAsBefore0_7(headers: readonly Field[]): Field[] {
  const others = headers.filter(({ name }) => !["eidas", "ccg_token", "version"].includes(name));
  const renamed = others.map(({ name, value }) => ({
    name: name.replace("x-eidas", "eidas").replace("x-ccg-token", "ccg_token"),
    value,
  }));
  return [...renamed, { name: "version", value: "1" }];
}

/** What no signature can cover, by RFC 9421 section 2.1: the library refuses a message that has such a line anywhere. */
function leaveOutUnsigned(fields: readonly Field[]): Field[] {
  const unsigned = new Set(fields.flatMap(({ name, value }) => (isSignable(value) ? [] : [name])));
  return fields.filter(({ name }) => !unsigned.has(name));
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
