/**
 * Signs an answer by an HTTP message signature (RFC 9421): its status, content and evidence id, and of its request what
 * the answer depends on, so that an answer cannot be shown as that to another request. Loaded by the first answer that
 * is to be signed.
 */
import { sign } from "node:crypto";
import {
  componentIdentity,
  createSignatureSync,
  isSignatureError,
  type SignatureComponent,
  type SignatureFields,
} from "http-message-sig";
import { isInnerList, parseDictionary } from "structured-headers";
import { toBase64 } from "../../platform/encoding.ts";
import type { Instant } from "../../platform/instant.ts";
import {
  type Covered,
  coverExchange,
  digestContent,
  type Exchange,
  isSignable,
  SIGNATURE_TAG,
} from "./covered-components.ts";
import { importKey, type Signer } from "./signing-keys.ts";

interface Signing {
  readonly asked: SignatureRequest;
  readonly covered: readonly Covered[];
  /** Seconds since 1970. */
  readonly created: number;
  readonly keyid: string;
  readonly sign: (base: Uint8Array) => Uint8Array;
}

export interface SignedHeaders {
  readonly "Content-Digest": string;
  readonly "Signature-Input": string;
  readonly Signature: string;
}

export function signAnswer(exchange: Exchange, key: Signer, now: Instant): SignedHeaders {
  const digest = digestContent(exchange.content);
  const asked = readAcceptSignature(exchange.request.headers.get("Accept-Signature") ?? "");
  const privateKey = importKey(key);
  const signing: Signing = {
    asked,
    covered: coverExchange(exchange, digest),
    created: Math.floor(now / 1000),
    keyid: key.kid,
    sign: (base) => sign(null, base, privateKey),
  };
  const made = signMore(exchange, digest, signing) ?? signCovered(signing);
  return { "Content-Digest": digest, "Signature-Input": made.signatureInput, Signature: made.signature };
}

/**
 * RFC 9421 sections 2.5 and 3.1, for our own components: what the library writes, without its checks. A test holds
 * both equal.
 */
function signCovered({ asked, covered, created, keyid, sign }: Signing) {
  const nonce = asked.nonce === undefined ? "" : `;nonce="${asked.nonce.replaceAll(/["\\]/g, "\\$&")}"`;
  const ids = covered.map(({ id }) => id).join(" ");
  const parameters = `(${ids});created=${created};keyid="${keyid}";tag="${SIGNATURE_TAG}"${nonce}`;
  const lines = covered.map(({ id, value }) => `${id}: ${value}\n`).join("");
  const signature = sign(Buffer.from(`${lines}"@signature-params": ${parameters}`));
  return {
    signatureInput: `${asked.label}=${parameters}`,
    signature: `${asked.label}=:${toBase64(signature)}:`,
  };
}

/** Null if nothing more is asked for, or if that cannot be covered: RFC 9421 section 5.2 leaves it to the signer. */
function signMore(exchange: Exchange, digest: string, signing: Signing): SignatureFields | null {
  const { asked, covered } = signing;
  if (asked.components.length === 0) return null;
  const ids = new Set(covered.map(({ id }) => id));
  try {
    const more = asked.components.filter((component) => !ids.has(componentIdentity(component)));
    return more.length === 0 ? null : signByLibrary(exchange, digest, signing, more);
  } catch (error) {
    if (!isSignatureError(error)) throw error;
    return null;
  }
}

function signByLibrary(
  { request, sent, status, headers }: Exchange,
  digest: string,
  { asked, covered, created, keyid, sign }: Signing,
  more: SignatureRequest["components"],
): SignatureFields {
  // the library refuses all headers if one of them cannot be signed
  const read = (fields: Headers) =>
    [...fields].map(([name, value]) => ({ name, value })).filter(({ value }) => isSignable(value));
  const message = {
    kind: "response",
    status,
    fields: [...read(headers), { name: "content-digest", value: digest }],
    request: {
      ...{ kind: "request" as const, method: request.method, targetUri: request.url },
      fields: read(request.headers).filter(({ name, value }) => !OF_A_DIGEST.test(name) || isDigestOf(value, sent)),
    },
  } as const;
  const own = covered.map(({ name, ofTheRequest }) => (ofTheRequest ? { name, parameters: { req: true } } : name));
  return createSignatureSync(message, {
    label: asked.label,
    components: [...own, ...more],
    parameters: { created, keyid, tag: SIGNATURE_TAG, ...(asked.nonce !== undefined && { nonce: asked.nonce }) },
    signer: { algorithm: "ed25519", sign },
  });
}

/** RFC 9530, and RFC 3230 before it. */
const OF_A_DIGEST = /^(?:content-|repr-)?digest$/;

/** What was sent under a digest is for the caller to say: that of another content would make the answer one to that. */
const isDigestOf = (value: string, sent: Uint8Array | undefined): boolean =>
  sent !== undefined && value === digestContent(sent);

interface SignatureRequest {
  readonly label: string;
  /** Covered in addition to what is always covered. */
  readonly components: readonly SignatureComponent[];
  /** Comes back in the signature, so that the caller knows that it was made for this request. */
  readonly nonce: string | undefined;
}

const MAX_NONCE_CHARACTERS = 128;
const MAX_COMPONENTS = 32;

/** What is given to a caller who names nothing that can be done. Its own parameters say what was signed, and how. */
const PLAIN: SignatureRequest = { label: SIGNATURE_TAG, components: [], nonce: undefined };

/** Accept-Signature (RFC 9421 section 5.1): the first member that can be satisfied. One that cannot be read asks for a signature alone. */
function readAcceptSignature(header: string): SignatureRequest {
  let members: ReturnType<typeof parseDictionary>;
  try {
    members = parseDictionary(header);
  } catch {
    return PLAIN;
  }
  for (const [label, member] of members) {
    if (!isInnerList(member)) continue;
    const [items, parameters] = member;
    const [alg, tag, nonce] = ["alg", "tag", "nonce"].map((name) => parameters.get(name));
    if ((alg ?? "ed25519") !== "ed25519" || (tag ?? SIGNATURE_TAG) !== SIGNATURE_TAG) continue;
    const components = items.slice(0, MAX_COMPONENTS).flatMap(([name, named]) => {
      if (typeof name !== "string") return [];
      return [{ name, parameters: Object.fromEntries(named) as Record<string, string | boolean> }];
    });
    const isNonce = typeof nonce === "string" && nonce.length <= MAX_NONCE_CHARACTERS;
    return { label, components, nonce: isNonce ? nonce : undefined };
  }
  return PLAIN;
}
