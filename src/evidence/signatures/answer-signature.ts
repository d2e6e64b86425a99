/**
 * Signs an answer by an HTTP message signature (RFC 9421): its status, content and evidence id, and of its request what
 * the answer depends on, so that an answer cannot be shown as that to another request. Loaded by the first answer that
 * is to be signed.
 */
import { sign } from "node:crypto";
import { readAcceptSignature, SIGNATURE_TAG } from "./accept-signature.ts";
import { coverExchange, digestContent } from "./covered-components.ts";
import type { Exchange, Signing } from "./exchange.ts";
import { signMore } from "./more-components.ts";
import { importKey, type Signer } from "./private-key.ts";

export interface SignedHeaders {
  readonly "Content-Digest": string;
  readonly "Signature-Input": string;
  readonly Signature: string;
}

/** `now`: milliseconds since 1970. */
export function signAnswer(exchange: Exchange, key: Signer, now: number): SignedHeaders {
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
export function signCovered({ asked, covered, created, keyid, sign }: Signing) {
  const nonce = asked.nonce === undefined ? "" : `;nonce="${asked.nonce.replaceAll(/["\\]/g, "\\$&")}"`;
  const ids = covered.map(({ id }) => id).join(" ");
  const parameters = `(${ids});created=${created};keyid="${keyid}";tag="${SIGNATURE_TAG}"${nonce}`;
  const lines = covered.map(({ id, value }) => `${id}: ${value}\n`).join("");
  const signature = sign(Buffer.from(`${lines}"@signature-params": ${parameters}`));
  return {
    signatureInput: `${asked.label}=${parameters}`,
    signature: `${asked.label}=:${Buffer.from(signature).toString("base64")}:`,
  };
}
