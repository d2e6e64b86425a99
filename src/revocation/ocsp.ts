/** Judges an OCSP answer for one certificate (RFC 6960 section 3.2). */
import { sameBytes } from "../encoding.ts";
import { type Certificate, CertificateError } from "../x509/certificate.ts";
import { DerError, expect, readDer, Tag } from "../x509/der.ts";
import type { SignatureLimits } from "../x509/signature.ts";
import {
  checkFreshness,
  type FreshnessProblem,
  MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS,
  MAX_CLOCK_SKEW_MS,
  type UpdateSpan,
} from "./freshness.ts";
import { isIdOf } from "./ocsp-certificate-id.ts";
import { OCSP_NONCE } from "./ocsp-request.ts";
import { findResponderProblem, type ResponderProblem } from "./ocsp-responder.ts";
import { type BasicOcspResponse, parseOcspResponse } from "./ocsp-response.ts";
import type { SingleResponse } from "./ocsp-single-response.ts";

/** Signed certificate timestamps (RFC 6962 section 3.3): say nothing of revocation, at times marked critical. */
const SIGNED_CERTIFICATE_TIMESTAMPS = "1.3.6.1.4.1.11129.2.4.5";
const KNOWN_EXTENSIONS = [OCSP_NONCE, SIGNED_CERTIFICATE_TIMESTAMPS];

export interface OcspProblem {
  readonly reason:
    | "malformed"
    | "refused"
    | "other-certificate"
    | "produced-outside-validity"
    | "critical-extension"
    | "nonce"
    | ResponderProblem["reason"]
    | FreshnessProblem["reason"];
  /** Completes the sentence "The OCSP answer cannot be used: ...". */
  readonly message: string;
}

interface Production extends UpdateSpan {
  /** When the responder signed it; milliseconds since 1970. */
  readonly producedAt: number;
}

export type OcspAnswer =
  | ({ readonly status: "good" | "unknown" } & Production)
  | ({
      readonly status: "revoked";
      /** Milliseconds since 1970. */
      readonly revokedAt: number;
      /** Name of the CRLReason, or null when the responder gives none. */
      readonly reason: string | null;
    } & Production)
  | ({ readonly status: "unusable" } & OcspProblem);

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
      return unusable({ reason: "malformed", message: `it cannot be read (${error.message})` });
    throw error;
  }
}

async function judge(check: OcspCheck, judgeAge: boolean): Promise<OcspAnswer> {
  const { certificate, issuer, now, maxAgeSeconds } = check;
  const response = parseOcspResponse(check.response);
  if (response.status === "refused")
    return unusable({ reason: "refused", message: `the responder answered ${response.responseStatus}` });
  const { basic } = response;
  const matching = basic.responses.filter(({ id }) => isIdOf(id, certificate, issuer));
  if (matching.length === 0)
    return unusable({ reason: "other-certificate", message: "it is not about this certificate of this issuer" });
  const problem = findExtensionProblem(basic, matching, check.nonce) ?? findProductionProblem(basic, check);
  if (problem) return problem;
  // several answers about one certificate: each must be fresh, and the strictest counts
  for (const single of matching) {
    const ageless = single.nextUpdate === null ? MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS : null;
    const fresh = checkFreshness(single, now, maxAgeSeconds ?? ageless);
    if (!fresh.ok && (judgeAge || fresh.reason === "not-yet-valid")) return unusable(fresh);
  }
  const responder = await findResponderProblem({ ...check, basic });
  return responder ? unusable(responder) : strictest(matching, basic);
}

function findExtensionProblem(
  basic: BasicOcspResponse,
  matching: readonly SingleResponse[],
  nonce: Uint8Array | null,
): OcspAnswer | null {
  const extensions = [...basic.extensions, ...matching.flatMap((single) => single.extensions)];
  const unknown = extensions.find(({ oid, critical }) => critical && !KNOWN_EXTENSIONS.includes(oid));
  if (unknown)
    return unusable({ reason: "critical-extension", message: `its critical extension ${unknown.oid} is not known` });
  const answered = basic.extensions.find(({ oid }) => oid === OCSP_NONCE);
  if (!nonce || !answered) return null;
  const value = expect(readDer(answered.value, "nonce"), Tag.octetString, "nonce").content;
  return sameBytes(value, nonce)
    ? null
    : unusable({ reason: "nonce", message: "its nonce is not the one that was sent" });
}

/** Produced in the future, or when there was no such certificate, it is no answer about this one. */
function findProductionProblem({ producedAt }: BasicOcspResponse, { certificate, now }: OcspCheck): OcspAnswer | null {
  if (producedAt > now + MAX_CLOCK_SKEW_MS)
    return unusable({ reason: "not-yet-valid", message: "it was produced in the future" });
  if (certificate && (producedAt < certificate.notBefore || producedAt > certificate.notAfter))
    return unusable({
      reason: "produced-outside-validity",
      message: "it was produced outside the certificate's period of validity",
    });
  return null;
}

function strictest(singles: readonly SingleResponse[], { producedAt }: BasicOcspResponse): OcspAnswer {
  const find = (status: string) => singles.find((single) => single.certificateStatus.status === status);
  const single = find("revoked") ?? find("unknown") ?? find("good");
  if (!single) return unusable({ reason: "malformed", message: "it has no status" });
  return { ...single.certificateStatus, producedAt, thisUpdate: single.thisUpdate, nextUpdate: single.nextUpdate };
}

const unusable = ({ reason, message }: OcspProblem): OcspAnswer => ({ status: "unusable", reason, message });
