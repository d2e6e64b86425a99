/** Evaluates an OCSP response for one certificate (RFC 6960 section 3.2). */
import { sameBytes } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import type { Certificate } from "../x509/certificate.ts";
import { expect, readDer, Tag } from "../x509/der.ts";
import type { SignatureLimits } from "../x509/signature.ts";
import { isIdOf, OCSP_NONCE } from "./ocsp-request.ts";
import { findResponder, isToBeChecked } from "./ocsp-responder.ts";
import type { SingleResponse } from "./ocsp-response.ts";
import { type BasicOcspResponse, parseOcspResponse } from "./ocsp-response.ts";
import {
  findAgeProblem,
  MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS,
  MAX_CLOCK_SKEW_MS,
  type Revoked,
  type Unusable,
  type UpdateSpan,
  unreadable,
  unusable,
} from "./verified-answer.ts";

/** RFC 6962 section 3.3. They do not affect revocation and are sometimes marked critical. */
const SIGNED_CERTIFICATE_TIMESTAMPS = "1.3.6.1.4.1.11129.2.4.5";
const KNOWN_EXTENSIONS = [OCSP_NONCE, SIGNED_CERTIFICATE_TIMESTAMPS];

interface Production extends UpdateSpan {
  readonly producedAt: Instant;
  /** The certificate of the responder that signed it, where its revocation is to be checked. */
  readonly delegate?: Certificate;
}

export type OcspAnswer = ({ readonly status: "good" | "unknown" } & Production) | (Revoked & Production) | Unusable;

export interface OcspCheck {
  readonly response: Uint8Array;
  /** Null accepts any certificate of this issuer that the response is about. */
  readonly certificate: Certificate | null;
  readonly issuer: Certificate;
  readonly now: Instant;
  /** Of the request. A response without one is accepted (RFC 9654 section 2.1), another nonce is refused. */
  readonly nonce?: Uint8Array;
  /** Of thisUpdate, in seconds. Null allows any age up to nextUpdate, or one hour without one. */
  readonly maxAgeSeconds?: number | null;
  /** Judges at its signing, if that is before `now`, whatever its nextUpdate: a responder may be behind with its CRLs. */
  readonly ended?: boolean;
  /** Relaxed only by conformance suites that use SHA-1 or short keys. */
  readonly limits?: SignatureLimits;
}

/** Never throws because of the contents of the response. */
export const checkOcspResponse = (check: OcspCheck): Promise<OcspAnswer> => withoutThrowing(check, !check.ended);

/** For conformance suites: with `maxAgeSeconds` null the response may be past its nextUpdate. */
export const verifyOcspAuthenticity = (check: OcspCheck & { readonly maxAgeSeconds: number | null }) =>
  withoutThrowing(check, check.maxAgeSeconds !== null);

async function withoutThrowing(check: OcspCheck, judgeAge: boolean): Promise<OcspAnswer> {
  try {
    return await judge(check, judgeAge);
  } catch (error) {
    return await unreadable(check.response, "OCSP", error);
  }
}

async function judge(check: OcspCheck, judgeAge: boolean): Promise<OcspAnswer> {
  const { certificate, issuer, limits, maxAgeSeconds = null } = check;
  const response = parseOcspResponse(check.response);
  if (response.status === "refused")
    return unusable({ reason: "refused", message: `the responder answered ${response.responseStatus}` });
  const { basic } = response;
  const now = check.ended ? Math.min(basic.producedAt, check.now) : check.now;
  const matching = basic.responses.filter(({ id }) => isIdOf(id, certificate, issuer));
  if (matching.length === 0)
    return unusable({ reason: "other-certificate", message: "it is not about this certificate of this issuer" });
  const problem = findExtensionProblem(basic, matching, check.nonce) ?? findProductionProblem(basic, certificate, now);
  if (problem) return problem;
  // All entries about this certificate must be fresh; if they disagree, the strictest status is used.
  for (const single of matching) {
    const ageless = single.nextUpdate === null ? MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS : null;
    const age = findAgeProblem(single, now, maxAgeSeconds ?? ageless);
    if (age && (judgeAge || age.reason === "not-yet-valid")) return unusable(age);
  }
  const responder = await findResponder({ basic, issuer, now, ...(limits && { limits }) });
  if ("reason" in responder) return unusable(responder);
  const delegate = isToBeChecked(responder, issuer) && { delegate: responder };
  return strictest(matching, { producedAt: basic.producedAt, ...delegate });
}

function findExtensionProblem(
  basic: BasicOcspResponse,
  matching: readonly SingleResponse[],
  nonce: Uint8Array | undefined,
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

/** A response produced in the future, or outside the certificate's validity period, is not about this certificate. */
function findProductionProblem(
  { producedAt }: BasicOcspResponse,
  certificate: Certificate | null,
  now: Instant,
): OcspAnswer | null {
  if (producedAt > now + MAX_CLOCK_SKEW_MS)
    return unusable({ reason: "not-yet-valid", message: "it was produced in the future" });
  if (certificate && (producedAt < certificate.notBefore || producedAt > certificate.notAfter))
    return unusable({
      reason: "produced-outside-validity",
      message: "it was produced outside the certificate's period of validity",
    });
  return null;
}

function strictest(
  singles: readonly SingleResponse[],
  production: Pick<Production, "producedAt" | "delegate">,
): OcspAnswer {
  const find = (status: string) => singles.find((single) => single.certificateStatus.status === status);
  const single = find("revoked") ?? find("unknown") ?? find("good");
  if (!single) return unusable({ reason: "malformed", message: "it has no status" });
  return { ...single.certificateStatus, ...production, thisUpdate: single.thisUpdate, nextUpdate: single.nextUpdate };
}
