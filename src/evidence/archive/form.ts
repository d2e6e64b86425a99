/** What archives have in common: the names and forms of their files, and what their READMEs say of checking them. */
import { sameBytes } from "../../platform/encoding.ts";
import type { PublicSigningKey } from "../signatures/signing-keys.ts";

export const README = "README.txt";
export const RECORDS = "records.jsonl";
export const HEADS = "heads.jsonl";
/** In the place of {@link HEADS} where each record is proven by itself: a line for each of {@link RECORDS}, in the same order. */
export const PROOFS = "proofs.jsonl";
export const KEYS = "keys.json";
export const DOCUMENTS = "documents/";

const utf8 = new TextEncoder();

/** Each ends with a line feed. */
export const writeLines = (texts: readonly string[]): Uint8Array =>
  utf8.encode(texts.map((text) => `${text}\n`).join(""));

/** Of {@link writeLines}; null for other bytes: what is not read here, another program might read. */
export function readLines(bytes: Uint8Array = new Uint8Array()): string[] | null {
  const lines = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes).split("\n").slice(0, -1);
  return sameBytes(writeLines(lines), bytes) ? lines : null;
}

export const notOfLines = (name: string): string =>
  `${name} is not of lines in UTF-8, each of which ends with a line feed`;

/** The content of {@link KEYS}. */
export const writeKeys = (keys: readonly PublicSigningKey[]): Uint8Array =>
  utf8.encode(JSON.stringify({ keys }, null, 1));

export const KEYS_BY_HAND = `All at once, with psp-gate's sources and without the service:
  npm run admin -- evidence verify ARCHIVE --keys KEYS
KEYS are the service's public keys, best saved or asked for elsewhere (/.well-known/jwks.json): the keys.json in here
proves only that the archive agrees with itself.
`;

/** Of the last line of heads.jsonl. */
export const SIGNATURE_BY_HAND = `   The signature, by OpenSSL 3; X is "x" of the key, made a public key by its fixed beginning (RFC 8410):
     (printf '302a300506032b6570032100' | xxd -r -p; printf '%s=' "$X" | tr -- '-_' '+/' | base64 -d) > key.der
     tail -n 1 heads.jsonl | cut -d. -f1,2 | tr -d '\\n' > signed.txt
     (tail -n 1 heads.jsonl | cut -d. -f3 | tr -d '\\n'; printf '==') | tr -- '-_' '+/' | base64 -d > signature.bin
     openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in signed.txt -sigfile signature.bin`;

export const BASIS_BY_HAND = `What a record is based on. "answer" is the answer that was given, without what belongs to the request alone (id, time,
   ages). "checks[].basis" is a JSON document that names the rest by SHA-256: "chain" the certificates (DER, as presented),
   "anchors" the services of trusted lists (JSON), "revocation" the OCSP responses and CRLs (DER) or why there was none,
   "home" and "host" the entries of the registers (JSON).
     openssl x509 -inform DER -in documents/<SHA-256> -noout -text
     openssl ocsp -respin documents/<SHA-256> -resp_text -noverify
     openssl crl -inform DER -in documents/<SHA-256> -noout -text`;
