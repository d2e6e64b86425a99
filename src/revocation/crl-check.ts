/** Evaluates a CRL for one certificate (RFC 5280 section 6.3.3): a complete one of the certificate's own issuer. */
import { Buffer } from "node:buffer";
import { type Certificate, CertificateError } from "../x509/certificate.ts";
import { DerError } from "../x509/der.ts";
import { sameName } from "../x509/name.ts";
import type { SignatureLimits } from "../x509/signature.ts";
import { type Crl, parseCrl } from "./crl.ts";
import { findEntry } from "./crl-entries.ts";
import { findDeltaProblem, findExtensionProblem, findNumberProblem, type ProfileProblem } from "./crl-profile.ts";
import { findSigner, type SignerProblem } from "./crl-signature.ts";
import { checkFreshness, type FreshnessProblem, type UpdateSpan } from "./freshness.ts";
import { findScopeProblem, type ScopeProblem } from "./issuing-distribution-point.ts";

interface CrlProblem {
  readonly reason:
    | "malformed"
    | "removed"
    | "revoked-signer"
    | "other-issuer"
    | SignerProblem["reason"]
    | FreshnessProblem["reason"]
    | ProfileProblem["reason"]
    | ScopeProblem["reason"];
  /** Completes the sentence "The CRL cannot be used: ...". */
  readonly message: string;
}

interface Signature extends UpdateSpan {
  /** Whose key signed it, if not the key of the certificate's issuer. */
  readonly signer?: Certificate;
}

export type CrlAnswer =
  | ({ readonly status: "good" } & Signature)
  | ({
      readonly status: "revoked";
      readonly revokedAt: number;
      /** Name of the CRLReason, or null when the CRL gives none. */
      readonly reason: string | null;
    } & Signature)
  | ({ readonly status: "unusable" } & CrlProblem);

export interface CrlCheck {
  readonly crl: Crl;
  readonly certificate: Certificate;
  /** The issuer of the certificate on its path. */
  readonly issuer: Certificate;
  /** Others of the issuer's name that may have signed. Each has a valid path to the same anchor. */
  readonly signers?: readonly Certificate[];
  readonly now: number;
  /** Relaxed only by conformance suites that use SHA-1 or short keys. */
  readonly limits?: SignatureLimits;
}

/** Never throws because of the contents of the CRL. */
export async function checkCrl(input: CrlCheck): Promise<CrlAnswer> {
  return await withoutThrowing(async () => {
    const number = findNumberProblem(input.crl);
    return number ? unusable(number) : await judge({ ...input, maxAgeSeconds: null });
  });
}

/** Checks a CRL without a certificate: that it is complete, current at `now` and signed by `issuer`. */
export async function checkCrlAlone(input: Omit<CrlCheck, "certificate">): Promise<CrlAnswer> {
  return await withoutThrowing(async () => {
    const problem = findNumberProblem(input.crl) ?? findDeltaProblem(input.crl);
    return problem ? unusable(problem) : await judge({ ...input, certificate: null, maxAgeSeconds: null });
  });
}

/**
 * For conformance suites: without a look at the CRL number. `maxAgeSeconds` bounds the age of a CRL without nextUpdate.
 */
export async function verifyCrlAuthenticity(
  input: Omit<CrlCheck, "crl" | "certificate"> & {
    /** DER. */
    readonly crl: Uint8Array;
    readonly certificate: Certificate | null;
    readonly maxAgeSeconds: number | null;
  },
): Promise<CrlAnswer> {
  return await withoutThrowing(async () => {
    const crl = parseCrl(input.crl);
    const delta = findDeltaProblem(crl);
    return delta ? unusable(delta) : await judge({ ...input, crl });
  });
}

async function judge(
  input: Omit<CrlCheck, "certificate"> & { certificate: Certificate | null; maxAgeSeconds: number | null },
): Promise<CrlAnswer> {
  const { crl, certificate, issuer, now, maxAgeSeconds } = input;
  if (!sameName(crl.issuer, issuer.subject) || (certificate && !sameName(crl.issuer, certificate.issuer)))
    return unusable({ reason: "other-issuer", message: "it has another issuer" });
  const fresh = checkFreshness(crl, now, maxAgeSeconds);
  if (!fresh.ok) return unusable(fresh);
  const extension = findExtensionProblem(crl);
  if (extension) return unusable(extension);
  const scope = findScopeProblem(crl, certificate);
  if (scope && scope.reason !== "some-reasons") return unusable(scope);
  const signer = await findSigner({ ...input, candidates: [issuer, ...(input.signers ?? [])] });
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

const unusable = ({ reason, message }: CrlProblem): CrlAnswer => ({ status: "unusable", reason, message });

async function withoutThrowing(check: () => Promise<CrlAnswer>): Promise<CrlAnswer> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof DerError || error instanceof CertificateError)
      return unusable({ reason: "malformed", message: `it cannot be read (${error.message})` });
    throw error;
  }
}
