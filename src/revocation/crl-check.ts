/** Evaluates a CRL for one certificate (RFC 5280 section 6.3.3): a complete one of the certificate's own issuer. */
import { Buffer } from "node:buffer";
import { sameBytes, toHex } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { type Certificate, findExtension } from "../x509/certificate.ts";
import { children, context, expect, readDer, Tag } from "../x509/der.ts";
import { allowsKeyUsage, KeyUsage, Oid } from "../x509/extensions.ts";
import { sameName } from "../x509/name.ts";
import { CURRENT_LIMITS, type SignatureCheck, type SignatureLimits, verifySignature } from "../x509/signature.ts";
import { type Crl, findEntry, parseCrl } from "./crl.ts";
import { findDeltaProblem, findExtensionProblem, findNumberProblem, findScopeProblem } from "./crl-profile.ts";
import {
  findAgeProblem,
  type Problem,
  type Revoked,
  type Unusable,
  type UpdateSpan,
  unreadable,
  unusable,
} from "./verified-answer.ts";

interface Signature extends UpdateSpan {
  readonly signer?: Certificate;
}

export type CrlAnswer = ({ readonly status: "good" } & Signature) | (Revoked & Signature) | Unusable;

export interface CrlCheck {
  readonly crl: Uint8Array;
  /** Null: only whether the CRL is complete, current and signed by `issuer`. */
  readonly certificate: Certificate | null;
  readonly issuer: Certificate;
  /** Others of the issuer's name that may have signed. Each has a valid path to the same anchor. */
  readonly signers?: readonly Certificate[];
  readonly now: Instant;
  /** Judges at thisUpdate, if that is before `now`. */
  readonly ended?: boolean;
  /** Relaxed only by conformance suites that use SHA-1 or short keys. */
  readonly limits?: SignatureLimits;
}

/** Never throws because of the contents of the CRL. */
export const checkCrl = (input: CrlCheck): Promise<CrlAnswer> =>
  judge(input, null, (crl) => findNumberProblem(crl) ?? (input.certificate ? null : findDeltaProblem(crl)));

/** For conformance suites: without a look at the CRL number. `maxAgeSeconds` bounds the age without nextUpdate. */
export const verifyCrlAuthenticity = (input: CrlCheck & { readonly maxAgeSeconds: number | null }) =>
  judge(input, input.maxAgeSeconds, findDeltaProblem);

async function judge(
  input: CrlCheck,
  maxAgeSeconds: number | null,
  findProblem: (crl: Crl) => Problem | null,
): Promise<CrlAnswer> {
  try {
    const crl = parseCrl(input.crl);
    const problem = findProblem(crl);
    return problem ? unusable(problem) : await judgeParsed(crl, input, maxAgeSeconds);
  } catch (error) {
    return await unreadable(input.crl, "CRL", error);
  }
}

async function judgeParsed(crl: Crl, input: CrlCheck, maxAgeSeconds: number | null): Promise<CrlAnswer> {
  const { certificate, issuer, signers = [], limits } = input;
  const now = input.ended ? Math.min(crl.thisUpdate, input.now) : input.now;
  if (!sameName(crl.issuer, issuer.subject) || (certificate && !sameName(crl.issuer, certificate.issuer)))
    return unusable({ reason: "other-issuer", message: "it has another issuer" });
  const age = findAgeProblem(crl, now, maxAgeSeconds);
  if (age) return unusable(age);
  const extension = findExtensionProblem(crl);
  if (extension) return unusable(extension);
  const scope = findScopeProblem(crl, certificate);
  if (scope && scope.reason !== "some-reasons") return unusable(scope);
  const signer = await findSigner(crl, [issuer, ...signers], limits);
  if ("reason" in signer) return unusable(signer);
  const serialOf = ({ serialNumber }: Certificate) => Buffer.from(serialNumber, "hex");
  // the path to another signer has to hold, which what it signed itself denies
  if (signer !== issuer && sameName(signer.issuer, crl.issuer) && findEntry(crl.entries, serialOf(signer)))
    return unusable({ reason: "revoked-signer", message: "it revokes the certificate of the key that signed it" });
  // A delta CRL, or one limited to some reasons, can show that a certificate is revoked but not that it is good.
  const partial = findDeltaProblem(crl) ?? scope;
  const span = { thisUpdate: crl.thisUpdate, nextUpdate: crl.nextUpdate, ...(signer !== issuer && { signer }) };
  const entry = certificate && findEntry(crl.entries, serialOf(certificate));
  if (entry && entry.reason !== "removeFromCRL")
    return { status: "revoked", revokedAt: entry.revokedAt ?? crl.thisUpdate, reason: entry.reason, ...span };
  if (partial) return unusable(partial);
  if (entry)
    return unusable({ reason: "removed", message: "it is complete, but removes an entry as a delta CRL does" });
  return { status: "good", ...span };
}

/** Returns the first of the candidates that was allowed to sign the CRL and did, otherwise why none. Throws DerError. */
export async function findSigner(
  crl: Crl,
  candidates: readonly Certificate[],
  limits?: SignatureLimits,
): Promise<Certificate | Problem> {
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
