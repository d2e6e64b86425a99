import { sameBytes, toHex } from "../platform/encoding.ts";
import { type Certificate, findExtension } from "../x509/certificate.ts";
import { children, context, expect, readDer, Tag } from "../x509/der.ts";
import { allowsKeyUsage, KeyUsage, Oid } from "../x509/extensions.ts";
import { sameName } from "../x509/name.ts";
import { CURRENT_LIMITS, type SignatureCheck, type SignatureLimits, verifySignature } from "../x509/signature.ts";
import type { Crl } from "./crl.ts";

export interface SignerProblem {
  readonly reason: "other-issuer" | "issuer-may-not-sign" | "signature";
  readonly message: string;
}

/** Returns the first of the candidates that was allowed to sign the CRL and did, otherwise why none. Throws DerError. */
export async function findSigner(input: {
  readonly crl: Crl;
  readonly candidates: readonly Certificate[];
  readonly limits?: SignatureLimits;
}): Promise<Certificate | SignerProblem> {
  const { crl, candidates, limits } = input;
  // RFC 5280 section 5.1.1.2: both fields must be equal
  if (!sameBytes(crl.tbsSignatureAlgorithm.der, crl.signatureAlgorithm.der))
    return { reason: "signature", message: "its two signature algorithms differ" };
  const named = candidates.filter((signer) => sameName(signer.subject, crl.issuer) && isNamedKey(crl, signer));
  if (named.length === 0) return { reason: "other-issuer", message: "it is signed with another key of its issuer" };
  const allowed = named.filter((signer) => allowsKeyUsage(signer, KeyUsage.cRLSign));
  if (allowed.length === 0)
    return { reason: "issuer-may-not-sign", message: "its issuer's key usage does not allow signing CRLs" };
  let message = "";
  for (const signer of allowed) {
    const result = await (limits ? verify(crl, signer, limits) : verifyOnce(crl, signer));
    if (result.ok) return signer;
    message = `its signature does not verify: ${result.reason}`;
  }
  return { reason: "signature", message };
}

/** By CRL and key, since a CRL is used many times. Not the promise: that of a cancelled request never settles. */
const verified = new WeakMap<Crl, Map<string, SignatureCheck>>();

async function verifyOnce(crl: Crl, signer: Certificate): Promise<SignatureCheck> {
  const results = verified.get(crl) ?? new Map<string, SignatureCheck>();
  verified.set(crl, results);
  const key = toHex(signer.publicKey.spki);
  const result = results.get(key) ?? (await verify(crl, signer, CURRENT_LIMITS));
  results.set(key, result);
  return result;
}

const verify = (crl: Crl, { publicKey }: Certificate, limits: SignatureLimits): Promise<SignatureCheck> =>
  verifySignature({ algorithm: crl.signatureAlgorithm, publicKey, data: crl.tbs, signature: crl.signature }, limits);

/** False when the CRL's authority key identifier differs from the signer's subject key identifier. */
function isNamedKey(crl: Crl, signer: Certificate): boolean {
  const subject = findExtension(signer, Oid.subjectKeyIdentifier);
  const authority = findExtension(crl, Oid.authorityKeyIdentifier);
  if (!authority || !subject) return true;
  const what = "authorityKeyIdentifier";
  const [keyIdentifier] = children(expect(readDer(authority.value, what), Tag.sequence, what), what);
  if (keyIdentifier?.tag !== context(0, false)) return true;
  const own = expect(readDer(subject.value, "subjectKeyIdentifier"), Tag.octetString, "subjectKeyIdentifier");
  return sameBytes(keyIdentifier.content, own.content);
}
