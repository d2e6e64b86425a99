/** A signature that also covers what its caller asked for, of any kind that the library knows. */
import { componentIdentity, createSignatureSync, isSignatureError, type SignatureFields } from "http-message-sig";
import { SIGNATURE_TAG, type SignatureRequest } from "./accept-signature.ts";
import { digestContent, isSignable } from "./covered-components.ts";
import type { Exchange, Signing } from "./exchange.ts";

/** Null if nothing more is asked for, or if that cannot be covered: RFC 9421 section 5.2 leaves it to the signer. */
export function signMore(exchange: Exchange, digest: string, signing: Signing): SignatureFields | null {
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

/** Exported for the test that compares it with our own. */
export function signByLibrary(
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
