/** Verifies a saved answer: offline, from the saved bytes and the service's public keys. */
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { componentIdentity, isSignatureError, verifySignature, webcrypto } from "http-message-sig";
import { boundedInstant, type Instant } from "../../platform/instant.ts";
import { digestContent, isSignable, listDeciding, SIGNATURE_TAG, splitUrl } from "./covered-components.ts";
import type { Field, SavedExchange } from "./saved-exchange.ts";
import { didSign, type PublicSigningKey } from "./signing-keys.ts";

export type Verdict =
  | {
      readonly ok: true;
      readonly kid: string;
      /** Path and query as they were signed; the host is not. */
      readonly target: string;
      /** When the answer was signed. */
      readonly signedAt: Instant;
      readonly evidenceId: string | null;
      readonly nonce: string | null;
    }
  | { readonly ok: false; readonly reason: string };

const ofTheRequest = (name: string) => ({ name, parameters: { req: true } });

/** Between the clock of the service and that of who verifies. */
const CLOCK_SKEW_MS = 300_000;

export async function verifyExchange(
  { request, answer }: SavedExchange,
  keys: readonly PublicSigningKey[],
  now: Instant,
): Promise<Verdict> {
  const refuse = (reason: string): Verdict => ({ ok: false, reason });
  const field = (name: string) => answer.headers.find((each) => each.name === name)?.value;
  if (field("signature") === undefined) return refuse("the answer has no header Signature: it is not signed");
  const signed = field("content-digest") ?? "nothing";
  const altered = findAlteration(answer, signed);
  if (altered !== null) return refuse(`the content is not what was signed: ${altered}, the header says ${signed}`);
  // a deciding one that is in the saved request must have been signed
  const listRequired = (targetUri: string) => {
    const sent = listDeciding(splitUrl(targetUri).path).filter((name) =>
      request.headers.some((each) => each.name === name),
    );
    return [
      ...["@status", "content-digest", ...(field("x-evidence-id") === undefined ? [] : ["x-evidence-id"])],
      ...["@method", "@path", "@query", ...sent].map(ofTheRequest),
    ];
  };
  let untrusted = "no key";
  const verifyAs = (targetUri: string) =>
    verifySignature(
      {
        ...{ kind: "response", status: answer.status, fields: leaveOutUnsigned(answer.headers) },
        request: { kind: "request", method: request.method, targetUri, fields: leaveOutUnsigned(request.headers) },
      },
      {
        policy: {
          algorithms: ["ed25519"],
          requiredComponents: listRequired(targetUri),
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
  for (const targetUri of targets) {
    try {
      const { created = 0, nonce = null } = (await verifyAs(targetUri)).parameters;
      const key = keys.find(({ kid }) => kid === untrusted);
      if (boundedInstant(created * 1000) === null) return refuse(`it was signed at ${created} s, which no date has`);
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
    refused ? explain(refused, untrusted, listRequired(request.url).map(componentIdentity)) : "nothing was signed",
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

/** No answer of the service is as large: a few bytes must not become gigabytes. */
const MAX_BYTES = 64 * 1024 ** 2;
const LIMIT = { maxOutputLength: MAX_BYTES };

const DECODERS: Readonly<Record<string, (content: Uint8Array) => Uint8Array>> = {
  gzip: (content) => gunzipSync(content, LIMIT),
  deflate: (content) => inflateSync(content, LIMIT),
  br: (content) => brotliDecompressSync(content, LIMIT),
  zstd: (content) => zstdDecompressSync(content, LIMIT),
  identity: (content) => content,
};

/** As the header names them, in the order in which they were applied. */
const listCodings = (headers: readonly Field[]): string[] =>
  headers
    .filter(({ name }) => name === "content-encoding")
    .flatMap(({ value }) => value.split(","))
    .map((coding) => coding.trim().toLowerCase().replace(/^x-/, ""))
    .filter((coding) => coding !== "");

type Decoded = { readonly ok: true; readonly content: Uint8Array } | { readonly ok: false; readonly reason: string };

/** Takes back what a proxy did on the way (RFC 9110 section 8.4). */
function decodeContent(content: Uint8Array, codings: readonly string[]): Decoded {
  let decoded = content;
  for (const coding of codings.toReversed()) {
    const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    if (!decode) return { ok: false, reason: `its Content-Encoding ${coding} is not known here` };
    try {
      decoded = decode(decoded);
    } catch (error) {
      return { ok: false, reason: `it is not in its Content-Encoding ${coding} (${(error as Error).message})` };
    }
  }
  return { ok: true, content: decoded };
}
