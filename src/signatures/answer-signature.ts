/**
 * Signs an answer by an HTTP message signature (RFC 9421): its status, content and evidence id, and of its request what
 * the answer depends on, so that an answer cannot be shown as that to another request. Loaded by the first answer that
 * is to be signed.
 */
import { createHash, createPrivateKey, sign } from "node:crypto";
import {
  componentIdentity,
  createSignatureSync,
  isSignatureError,
  type SignatureComponent,
  type SignatureFields,
  type SignerSync,
} from "http-message-sig";
import { readAcceptSignature, SIGNATURE_TAG } from "./accept-signature.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** Of the request, in the order in which they are signed. Absent headers are not covered. */
const OF_THE_REQUEST = ["@method", "@path", "@query", "fi_reference_id", "eidas", "ccg_token", "version"] as const;
const OF_THE_ANSWER = ["@status", "content-type", "content-digest", "x-evidence-id"] as const;

/** Of a header a signature can cover. RFC 9421 section 2.1: a value that is not ASCII cannot be. */
const SIGNABLE = /^[\t\x20-\x7e]*$/;

export interface SignedHeaders {
  readonly "Content-Digest": string;
  readonly "Signature-Input": string;
  readonly Signature: string;
}

type Signer = NonNullable<SigningKeys["signer"]>;

export interface Exchange {
  readonly request: Request;
  readonly status: number;
  /** Of the answer, without those that the signature adds. */
  readonly headers: Headers;
  /** The whole content of the answer; empty if it has none. */
  readonly content: Uint8Array;
}

/** `now`: milliseconds since 1970. */
export function signAnswer(exchange: Exchange, key: Signer, now: number): SignedHeaders {
  const { request } = exchange;
  const digest = `sha-256=:${createHash("sha256").update(exchange.content).digest("base64")}:`;
  const asked = readAcceptSignature(request.headers.get("Accept-Signature") ?? "");
  const own = coveredComponents(exchange);
  // the library checks each character of each field that it is given
  const names = new Set(
    [...own, ...asked.components].map((component) => (typeof component === "string" ? component : component.name)),
  );
  const fields = [...readFields(exchange.headers, names), { name: "content-digest", value: digest }];
  const message = {
    kind: "response",
    status: exchange.status,
    fields,
    request: {
      kind: "request",
      method: request.method,
      targetUri: request.url,
      fields: readFields(request.headers, names),
    },
  } as const;
  const parameters = {
    created: Math.floor(now / 1000),
    keyid: key.kid,
    tag: SIGNATURE_TAG,
    ...(asked.nonce !== undefined && { nonce: asked.nonce }),
  };
  const signer = importSigner(key);
  const signOver = (components: readonly SignatureComponent[]) =>
    createSignatureSync(message, { label: asked.label, components, parameters, signer });
  let made: SignatureFields;
  try {
    made = signOver(withAsked(own, asked.components));
  } catch (error) {
    // what was asked for in addition cannot be covered: RFC 9421 section 5.2 leaves it to the signer
    if (!isSignatureError(error)) throw error;
    made = signOver(own);
  }
  return { "Content-Digest": digest, "Signature-Input": made.signatureInput, Signature: made.signature };
}

function coveredComponents({ request, headers }: Exchange): SignatureComponent[] {
  const isThere = (fields: Headers, name: string) =>
    name.startsWith("@") || name === "content-digest" || SIGNABLE.test(fields.get(name) ?? "\0");
  return [
    ...OF_THE_ANSWER.filter((name) => isThere(headers, name)),
    ...OF_THE_REQUEST.filter((name) => isThere(request.headers, name)).map((name) => ({
      name,
      parameters: { req: true },
    })),
  ];
}

function withAsked(own: readonly SignatureComponent[], asked: readonly SignatureComponent[]): SignatureComponent[] {
  const covered = new Set(own.map(componentIdentity));
  return [...own, ...asked.filter((component) => !covered.has(componentIdentity(component)))];
}

/** Those that a signature can cover. */
const readFields = (headers: Headers, names: ReadonlySet<string>) =>
  [...names].flatMap((name) => {
    const value = name.startsWith("@") ? null : headers.get(name);
    return value !== null && SIGNABLE.test(value) ? [{ name, value }] : [];
  });

const signers = new WeakMap<Signer, SignerSync>();

function importSigner(key: Signer): SignerSync {
  const known = signers.get(key);
  if (known) return known;
  const { d, x } = key;
  const privateKey = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" });
  const signer = { algorithm: "ed25519", sign: (data: Uint8Array) => sign(null, data, privateKey) };
  signers.set(key, signer);
  return signer;
}
