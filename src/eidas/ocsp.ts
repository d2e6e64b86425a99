/** Judges an OCSP answer for one certificate (RFC 6960 section 3.2). */
import { sameBytes, toHex } from "../encoding.ts";
import { type Certificate, CertificateError } from "./certificate.ts";
import { DerError, expect, readDer, Tag } from "./der.ts";
import {
  checkFreshness,
  MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS,
  MAX_CLOCK_SKEW_MS,
  type UpdateSpan,
} from "./freshness.ts";
import { sameName } from "./names.ts";
import { digest, OCSP_NONCE } from "./ocsp-request.ts";
import { findResponderProblem } from "./ocsp-responder.ts";
import { type BasicOcspResponse, type CertificateId, parseOcspResponse, type SingleResponse } from "./ocsp-response.ts";
import type { SignatureLimits } from "./signature.ts";

/** Signed certificate timestamps (RFC 6962 section 3.3): say nothing of revocation, at times marked critical. */
const SIGNED_CERTIFICATE_TIMESTAMPS = "1.3.6.1.4.1.11129.2.4.5";
const KNOWN_EXTENSIONS = [OCSP_NONCE, SIGNED_CERTIFICATE_TIMESTAMPS];

/** The digests by which a responder may name the issuer. SHA-1 here is a name, no proof: the signature proves. */
const ID_DIGESTS: Readonly<Record<string, "sha1" | "sha256" | "sha384" | "sha512">> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

export type OcspProblem =
  | "malformed"
  | "refused"
  | "other-certificate"
  | "unauthorised-responder"
  | "signature"
  | "not-yet-valid"
  | "stale"
  | "no-next-update"
  | "produced-outside-validity"
  | "critical-extension"
  | "nonce";

export type OcspAnswer =
  | ({ readonly status: "good" | "unknown" } & UpdateSpan)
  | ({
      readonly status: "revoked";
      /** Milliseconds since 1970. */
      readonly revokedAt: number;
      /** Name of the CRLReason, or null when the responder gives none. */
      readonly reason: string | null;
    } & UpdateSpan)
  /** `message` completes the sentence "The OCSP answer cannot be used: ...". */
  | { readonly status: "unusable"; readonly reason: OcspProblem; readonly message: string };

export interface OcspCheck {
  /** DER of an OCSPResponse. */
  readonly response: Uint8Array;
  /** Null: whatever certificate of this issuer the answer speaks of. */
  readonly certificate: Certificate | null;
  /** The certificate's issuer on its path. */
  readonly issuer: Certificate;
  /** Milliseconds since 1970. */
  readonly now: number;
  /**
   * The nonce of the request, or null when it had none. A different nonce in the answer is refused; an answer without
   * one is taken, as RFC 9654 section 2.1 leaves to the client: answers produced beforehand cannot have it, and their
   * freshness is judged by their span either way.
   */
  readonly nonce: Uint8Array | null;
  /** How old thisUpdate may be; null: as old as nextUpdate allows, and an hour where there is none. */
  readonly maxAgeSeconds: number | null;
  /** Only conformance suites of another age set them: SHA-1, short keys. */
  readonly limits?: SignatureLimits;
}

/** Whether the answer says good, revoked or unknown of the certificate, or why it says nothing. Never throws on what the bytes say. */
export const checkOcspResponse = (check: OcspCheck): Promise<OcspAnswer> => withoutThrowing(check, true);

/**
 * For conformance suites: is the answer authentic for that issuer at `now`? As `checkOcspResponse`, but with
 * `maxAgeSeconds` null an answer may be past its nextUpdate, or have none; with a number both its age and its nextUpdate
 * are judged. "unusable" is not authentic, every other status is.
 */
export const verifyOcspAuthenticity = (check: Omit<OcspCheck, "nonce">): Promise<OcspAnswer> =>
  withoutThrowing({ ...check, nonce: null }, check.maxAgeSeconds !== null);

async function withoutThrowing(check: OcspCheck, judgeAge: boolean): Promise<OcspAnswer> {
  try {
    return await judge(check, judgeAge);
  } catch (error) {
    if (error instanceof DerError || error instanceof CertificateError)
      return unusable("malformed", `it cannot be read (${error.message})`);
    throw error;
  }
}

async function judge(check: OcspCheck, judgeAge: boolean): Promise<OcspAnswer> {
  const { certificate, issuer, now, maxAgeSeconds } = check;
  const response = parseOcspResponse(check.response);
  if (response.status === "refused") return unusable("refused", `the responder answered ${response.responseStatus}`);
  const { basic } = response;
  const matching = basic.responses.filter(({ id }) => isIdOf(id, certificate, issuer));
  if (matching.length === 0) return unusable("other-certificate", "it is not about this certificate of this issuer");
  const problem = findExtensionProblem(basic, matching, check.nonce) ?? findProductionProblem(basic, check);
  if (problem) return problem;
  // several answers about one certificate: each must be fresh, and the strictest counts
  for (const single of matching) {
    const ageless = single.nextUpdate === null ? MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS : null;
    const fresh = checkFreshness(single, now, maxAgeSeconds ?? ageless);
    if (!fresh.ok && (judgeAge || fresh.reason === "not-yet-valid")) return unusable(fresh.reason, fresh.message);
  }
  const responder = await findResponderProblem({ ...check, basic });
  return responder ? unusable(responder.reason, responder.message) : strictest(matching);
}

/** RFC 6960 4.1.1: digests of the issuer's name as the certificate spells it, of the issuer's key, and the serial number. */
function isIdOf(id: CertificateId, certificate: Certificate | null, issuer: Certificate): boolean {
  const algorithm = ID_DIGESTS[id.algorithm];
  if (!algorithm) return false;
  if (certificate) {
    if (!sameName(certificate.issuer, issuer.subject) || toHex(id.serialNumber) !== certificate.serialNumber)
      return false;
  }
  const { der: name } = certificate?.issuer ?? issuer.subject;
  return (
    sameBytes(id.issuerNameHash, digest(algorithm, name)) &&
    sameBytes(id.issuerKeyHash, digest(algorithm, issuer.publicKey.bits))
  );
}

function findExtensionProblem(
  basic: BasicOcspResponse,
  matching: readonly SingleResponse[],
  nonce: Uint8Array | null,
): OcspAnswer | null {
  const extensions = [...basic.extensions, ...matching.flatMap((single) => single.extensions)];
  const unknown = extensions.find(({ oid, critical }) => critical && !KNOWN_EXTENSIONS.includes(oid));
  if (unknown) return unusable("critical-extension", `its critical extension ${unknown.oid} is not known`);
  const answered = basic.extensions.find(({ oid }) => oid === OCSP_NONCE);
  if (!nonce || !answered) return null;
  const value = expect(readDer(answered.value, "nonce"), Tag.octetString, "nonce").content;
  return sameBytes(value, nonce) ? null : unusable("nonce", "its nonce is not the one that was sent");
}

/** Produced in the future, or when there was no such certificate, it is no answer about this one. */
function findProductionProblem({ producedAt }: BasicOcspResponse, { certificate, now }: OcspCheck): OcspAnswer | null {
  if (producedAt > now + MAX_CLOCK_SKEW_MS) return unusable("not-yet-valid", "it was produced in the future");
  if (certificate && (producedAt < certificate.notBefore || producedAt > certificate.notAfter))
    return unusable("produced-outside-validity", "it was produced outside the certificate's period of validity");
  return null;
}

function strictest(singles: readonly SingleResponse[]): OcspAnswer {
  const find = (status: string) => singles.find((single) => single.certificateStatus.status === status);
  const single = find("revoked") ?? find("unknown") ?? find("good");
  if (!single) return unusable("malformed", "it has no status");
  return { ...single.certificateStatus, thisUpdate: single.thisUpdate, nextUpdate: single.nextUpdate };
}

const unusable = (reason: OcspProblem, message: string): OcspAnswer => ({ status: "unusable", reason, message });
