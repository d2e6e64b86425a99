/** The XML-DSig algorithms accepted for the signature of a list. All others (SHA-1, HMAC, DSA, ...) are refused. */
import { createHash } from "../../platform/node-crypto.ts";
import { ListRefused } from "./refusal.ts";

/** Names as used by Web Crypto. */
export type Hash = "SHA-256" | "SHA-384" | "SHA-512";

export interface SignatureAlgorithm {
  /** The fragment of the algorithm's URI, for example "rsa-sha512". */
  readonly name: string;
  readonly family: "RSASSA-PKCS1-v1_5" | "RSA-PSS" | "ECDSA";
  readonly hash: Hash;
}

export interface Canonicalisation {
  readonly exclusive: boolean;
}

/** Digest URIs from RFC 9231 section 2.1 and XML Encryption. */
const DIGESTS: Readonly<Record<string, Hash>> = {
  "http://www.w3.org/2001/04/xmlenc#sha256": "SHA-256",
  "http://www.w3.org/2001/04/xmldsig-more#sha384": "SHA-384",
  "http://www.w3.org/2001/04/xmlenc#sha512": "SHA-512",
};

const MORE = "http://www.w3.org/2001/04/xmldsig-more#";
const MORE_2007 = "http://www.w3.org/2007/05/xmldsig-more#";

/** RFC 9231 sections 2.3.2 to 2.3.10. RSA-PSS with explicit parameters is left out because no list uses it. */
const SIGNATURES: Readonly<Record<string, Omit<SignatureAlgorithm, "name">>> = {
  [`${MORE}rsa-sha256`]: { family: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  [`${MORE}rsa-sha384`]: { family: "RSASSA-PKCS1-v1_5", hash: "SHA-384" },
  [`${MORE}rsa-sha512`]: { family: "RSASSA-PKCS1-v1_5", hash: "SHA-512" },
  [`${MORE_2007}sha256-rsa-MGF1`]: { family: "RSA-PSS", hash: "SHA-256" },
  [`${MORE_2007}sha384-rsa-MGF1`]: { family: "RSA-PSS", hash: "SHA-384" },
  [`${MORE_2007}sha512-rsa-MGF1`]: { family: "RSA-PSS", hash: "SHA-512" },
  [`${MORE}ecdsa-sha256`]: { family: "ECDSA", hash: "SHA-256" },
  [`${MORE}ecdsa-sha384`]: { family: "ECDSA", hash: "SHA-384" },
  [`${MORE}ecdsa-sha512`]: { family: "ECDSA", hash: "SHA-512" },
};

const EXCLUSIVE_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#";
export const INCLUSIVE_C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";

function lookUp<T>(table: Readonly<Record<string, T>>, uri: string, what: string): T {
  const found = Object.hasOwn(table, uri) ? table[uri] : undefined;
  if (found === undefined) throw new ListRefused("algorithm", `${what} not allowed: ${uri.slice(0, 100) || "none"}`);
  return found;
}

/** Maps a digest URI to the hash name used by Web Crypto. Throws {@link ListRefused}. */
export const digestAlgorithm = (uri: string): Hash => lookUp(DIGESTS, uri, "digest");

export const signatureAlgorithm = (uri: string): SignatureAlgorithm => ({
  name: uri.slice(uri.indexOf("#") + 1),
  ...lookUp(SIGNATURES, uri, "signature"),
});

/** The variants with comments are refused: the profile of TS 119 612 annex B excludes them. */
export const canonicalisation = (uri: string): Canonicalisation =>
  lookUp({ [EXCLUSIVE_C14N]: { exclusive: true }, [INCLUSIVE_C14N]: { exclusive: false } }, uri, "canonicalisation");

/** Hashes bytes, or a text encoded as UTF-8. */
export const digestOf = (data: Uint8Array | string, hash: Hash): Uint8Array =>
  createHash(hash.replace("-", "").toLowerCase()).update(data).digest();
