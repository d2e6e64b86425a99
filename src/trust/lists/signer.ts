/**
 * Rules for the signer, which the signed reference selects and never KeyInfo. TS 119 615 trusts the named certificates
 * directly: there is no path and no revocation, a signer is removed by no longer being named.
 */
import type { Element } from "@xmldom/xmldom";
import { fromBase64, sameBytes } from "../../platform/encoding.ts";
import { createHash } from "../../platform/node-crypto.ts";
import { type Certificate, CertificateError, parseCertificate } from "../../x509/certificate.ts";
import { DerError } from "../../x509/der.ts";
import { readOid } from "../../x509/der-values.ts";
import { CURVES } from "../../x509/public-key.ts";
import { prepareByScheme } from "../../x509/signature.ts";
import { childrenNamed, findChild, ListRefused, Namespace, readInstant, textOf } from "./elements.ts";

const MIN_RSA_BITS = 2048;

/** Rule: the signed certificate reference is one of the permitted signers. */
export function permittedSigner(signedProperties: Element, permitted: readonly Uint8Array[]): Certificate {
  const { hash, digest } = signingCertificateDigest(signedProperties);
  const der = permitted.find((one) => sameBytes(digestOf(one, hash), digest));
  if (!der) throw new ListRefused("unknown signer", "the signer is not among those named for this list");
  try {
    return parseCertificate(der);
  } catch (error) {
    if (error instanceof CertificateError) throw new ListRefused("signer not valid", error.message);
    throw error;
  }
}

function signedSignatureProperties(signedProperties: Element): Element {
  const found = findChild(signedProperties, "SignedSignatureProperties", Namespace.xades);
  if (!found) throw new ListRefused("signature form", "no SignedSignatureProperties");
  return found;
}

function signingCertificateDigest(signedProperties: Element) {
  const properties = signedSignatureProperties(signedProperties);
  const [reference, ...more] = ["SigningCertificate", "SigningCertificateV2"].flatMap((name) =>
    childrenNamed(properties, name, Namespace.xades),
  );
  const certificate = reference && more.length === 0 ? childrenNamed(reference, "Cert", Namespace.xades)[0] : undefined;
  const digest = certificate && findChild(certificate, "CertDigest", Namespace.xades);
  const method = digest && findChild(digest, "DigestMethod", Namespace.signature);
  const value = digest && findChild(digest, "DigestValue", Namespace.signature);
  const bytes = value ? fromBase64(textOf(value)) : null;
  if (!bytes) throw new ListRefused("signature form", "no single signed reference to the signer's certificate");
  return { hash: digestAlgorithm(method?.getAttribute("Algorithm") ?? ""), digest: bytes };
}

/** Rule: valid at the signed signing time. It may expire before the list's next update, and some do. */
export function validAtSigning(signer: Certificate, signedProperties: Element): void {
  const element = findChild(signedSignatureProperties(signedProperties), "SigningTime", Namespace.xades);
  if (!element) throw new ListRefused("signature form", "no SigningTime");
  const time = Date.parse(readInstant(element));
  if (time < signer.notBefore || time > signer.notAfter)
    throw new ListRefused("signer not valid", "the signer's certificate was not valid when the list was signed");
}

/** Rule: the signature value verifies over the signed text with the signer's key, and the key is strong enough. */
export async function verifiesBy(
  signer: Certificate,
  algorithm: SignatureAlgorithm,
  signedText: string,
  signatureValue: Element,
): Promise<void> {
  const { family, hash } = algorithm;
  const data = new TextEncoder().encode(signedText);
  const signature = fromBase64(textOf(signatureValue)) ?? new Uint8Array(0);
  const ok =
    family === "RSA-PSS"
      ? await verifyPss(signer, algorithm, data, signature)
      : await crypto.subtle.verify({ name: family, hash }, await importKey(signer, algorithm), signature, data);
  if (!ok) throw new ListRefused("signature value", "the signature value does not verify");
}

// RFC 9231 section 2.3.10: the salt has the length of the hash
const HASH_BYTES = { "SHA-256": 32, "SHA-384": 48, "SHA-512": 64 } as const;

/** Web Crypto does not import a key for RSASSA-PSS only (RFC 4055 section 1.2), which Germany's signers have. */
async function verifyPss(
  { publicKey }: Certificate,
  { hash, name }: SignatureAlgorithm,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const scheme = { family: "rsa-pss", hash, saltLength: HASH_BYTES[hash] } as const;
  const prepared = prepareByScheme(scheme, { publicKey, data, signature });
  if (!prepared.ok)
    throw new ListRefused("signer not valid", `the signer's key cannot be used for ${name}: ${prepared.reason}`);
  return (await prepared.verify()).ok;
}

async function importKey(signer: Certificate, algorithm: SignatureAlgorithm): Promise<CryptoKey> {
  const parameters =
    algorithm.family === "ECDSA"
      ? { name: algorithm.family, namedCurve: curveOf(signer) }
      : { name: algorithm.family, hash: algorithm.hash };
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey("spki", signer.publicKey.spki, parameters, false, ["verify"]);
  } catch {
    throw new ListRefused("signer not valid", `the signer's key cannot be used for ${algorithm.name}`);
  }
  const bits = "modulusLength" in key.algorithm ? Number(key.algorithm.modulusLength) : null;
  if (bits !== null && bits < MIN_RSA_BITS) throw new ListRefused("signer not valid", `an RSA key of ${bits} bits`);
  return key;
}

function curveOf({ publicKey: { algorithm } }: Certificate): string {
  try {
    return CURVES[readOid(algorithm.parameters ?? undefined, "curve")]?.curve ?? "";
  } catch (error) {
    if (error instanceof DerError) return "";
    throw error;
  }
}

export type Hash = "SHA-256" | "SHA-384" | "SHA-512";

export interface SignatureAlgorithm {
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

export const digestAlgorithm = (uri: string): Hash => lookUp(DIGESTS, uri, "digest");

export const signatureAlgorithm = (uri: string): SignatureAlgorithm => ({
  name: uri.slice(uri.indexOf("#") + 1),
  ...lookUp(SIGNATURES, uri, "signature"),
});

/** The variants with comments are refused: the profile of TS 119 612 annex B excludes them. */
export const canonicalisation = (uri: string): Canonicalisation =>
  lookUp({ [EXCLUSIVE_C14N]: { exclusive: true }, [INCLUSIVE_C14N]: { exclusive: false } }, uri, "canonicalisation");

export const digestOf = (data: Uint8Array | string, hash: Hash): Uint8Array =>
  createHash(hash.replace("-", "").toLowerCase()).update(data).digest();
