/** Judges a CRL for one certificate (RFC 5280 section 6.3.3, complete CRLs by the certificate's own issuer only). */
import { Buffer } from "node:buffer";
import { type Certificate, CertificateError, findExtension } from "./certificate.ts";
import { type Crl, parseCrl } from "./crl.ts";
import { findEntry } from "./crl-entries.ts";
import { AUTHORITY_KEY_IDENTIFIER, findSignerProblem } from "./crl-signature.ts";
import { DerError, readDer, readInteger } from "./der.ts";
import { checkFreshness, type UpdateSpan } from "./freshness.ts";
import { findScopeProblem, ISSUING_DISTRIBUTION_POINT } from "./issuing-distribution-point.ts";
import { sameName } from "./names.ts";
import type { SignatureLimits } from "./signature.ts";

const CRL_NUMBER = "2.5.29.20";
const DELTA_CRL_INDICATOR = "2.5.29.27";
const KNOWN_EXTENSIONS = [CRL_NUMBER, ISSUING_DISTRIBUTION_POINT, AUTHORITY_KEY_IDENTIFIER, DELTA_CRL_INDICATOR];
/** RFC 5280 section 5.2.3. */
const MAX_CRL_NUMBER_BYTES = 20;

export type CrlProblem =
  | "malformed"
  | "other-issuer"
  | "signature"
  | "issuer-may-not-sign"
  | "not-yet-valid"
  | "stale"
  | "no-next-update"
  | "delta"
  | "indirect"
  | "some-reasons"
  | "other-certificates"
  | "other-distribution-point"
  | "critical-extension"
  | "crl-number"
  | "removed";

export type CrlAnswer =
  | ({ readonly status: "good" } & UpdateSpan)
  | ({
      readonly status: "revoked";
      /** Milliseconds since 1970. */
      readonly revokedAt: number;
      /** Name of the CRLReason, or null when the CRL gives none. */
      readonly reason: string | null;
    } & UpdateSpan)
  /** `message` completes the sentence "The CRL cannot be used: ...". */
  | { readonly status: "unusable"; readonly reason: CrlProblem; readonly message: string };

export interface CrlCheck {
  readonly crl: Crl;
  readonly certificate: Certificate;
  /** The certificate's issuer on its path. */
  readonly issuer: Certificate;
  /**
   * Further certificates of the same issuer name that may have signed the CRL (a key of its own for CRLs, or a
   * key before or after a rollover). The caller has validated a path for each to the same anchor.
   */
  readonly signers?: readonly Certificate[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Only conformance suites of another age set them: SHA-1, short keys. */
  readonly limits?: SignatureLimits;
}

/** Whether the CRL says that the certificate is good or revoked, or why it says neither. Never throws on what the bytes say. */
export async function checkCrl(input: CrlCheck): Promise<CrlAnswer> {
  return await withoutThrowing(async () => {
    const number = findNumberProblem(input.crl);
    return number ?? (await judge({ ...input, maxAgeSeconds: null }));
  });
}

/**
 * For conformance suites: is the CRL authentic for that issuer at `now`, and, when the certificate is given, what
 * does it say? Unlike `checkCrl` it takes a CRL without nextUpdate when `maxAgeSeconds` bounds its age, and does
 * not ask for a CRL number (RFC 5280 section 5.2.3 asks that of issuers; section 6.3.3 does not ask it of us). A delta CRL is
 * always refused.
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
    return isDelta(crl) ? unusable(DELTA.reason, DELTA.message) : await judge({ ...input, crl });
  });
}

async function judge(
  input: Omit<CrlCheck, "certificate"> & { certificate: Certificate | null; maxAgeSeconds: number | null },
): Promise<CrlAnswer> {
  const { crl, certificate, issuer, now, maxAgeSeconds } = input;
  if (!sameName(crl.issuer, issuer.subject) || (certificate && !sameName(crl.issuer, certificate.issuer)))
    return unusable("other-issuer", "it is by another issuer");
  const fresh = checkFreshness(crl, now, maxAgeSeconds);
  if (!fresh.ok) return unusable(fresh.reason, fresh.message);
  const extension = findExtensionProblem(crl);
  if (extension) return extension;
  const scope = findScopeProblem(crl, certificate);
  if (scope && scope.reason !== "some-reasons") return unusable(scope.reason, scope.message);
  const partial = isDelta(crl) ? DELTA : scope;
  const signer = await findSignerProblem({ ...input, candidates: [issuer, ...(input.signers ?? [])] });
  if (signer) return unusable(signer.reason, signer.message);
  const span = { thisUpdate: crl.thisUpdate, nextUpdate: crl.nextUpdate };
  const entry = certificate && findEntry(crl.entries, Buffer.from(certificate.serialNumber, "hex"));
  const removed = entry?.reason === "removeFromCRL";
  if (removed && !partial) return unusable("removed", "it is complete, but removes an entry, as only a delta CRL may");
  if (entry && !removed) return { status: "revoked", revokedAt: entry.revokedAt, reason: entry.reason, ...span };
  // a delta CRL, or one for some reasons, can revoke a certificate, but not clear it
  if (partial) return unusable(partial.reason, partial.message);
  return { status: "good", ...span };
}

const DELTA = { reason: "delta", message: "it is a delta CRL, which is not supported" } as const;
const isDelta = (crl: Crl): boolean => findExtension(crl, DELTA_CRL_INDICATOR) !== null;

function findExtensionProblem(crl: Crl): CrlAnswer | null {
  if (crl.scan.namesOtherIssuer) return unusable("indirect", "it is an indirect CRL, which is not supported");
  const unknown = crl.extensions.find(({ oid, critical }) => critical && !KNOWN_EXTENSIONS.includes(oid));
  if (unknown) return unusable("critical-extension", `its critical extension ${unknown.oid} is not known`);
  if (crl.scan.unknownCritical)
    return unusable(
      "critical-extension",
      `the critical extension ${crl.scan.unknownCritical} of an entry is not known`,
    );
  return null;
}

/** RFC 5280 5.2.3: every version 2 CRL has a number, not critical, of at most 20 bytes, not negative. */
function findNumberProblem(crl: Crl): CrlAnswer | null {
  if (crl.version === 1) return null;
  const extension = findExtension(crl, CRL_NUMBER);
  if (!extension) return unusable("crl-number", "it has no CRL number");
  if (extension.critical) return unusable("crl-number", "its CRL number is marked critical");
  const number = readInteger(readDer(extension.value, "cRLNumber"), "cRLNumber");
  if ((number[0] ?? 0) >= 0x80 || number.length > MAX_CRL_NUMBER_BYTES)
    return unusable("crl-number", "its CRL number is negative or longer than 20 bytes");
  return null;
}

const unusable = (reason: CrlProblem, message: string): CrlAnswer => ({ status: "unusable", reason, message });

async function withoutThrowing(check: () => Promise<CrlAnswer>): Promise<CrlAnswer> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof DerError || error instanceof CertificateError)
      return unusable("malformed", `it cannot be read (${error.message})`);
    throw error;
  }
}
