/** Lists the revocation sources that a certificate names, how to ask each one, and how to check its answers. */

import type { LimitedRequest } from "../fetch-limited.ts";
import type { Certificate } from "../x509/certificate.ts";
import { DerError } from "../x509/der.ts";
import type { CacheSlot } from "./cache-slot.ts";
import { MAX_CRL_BYTES } from "./crl.ts";
import { type CrlAnswer, checkCrl } from "./crl-check.ts";
import { crlSlot } from "./crl-slot.ts";
import { listCrlUrls, listOcspUrls } from "./distribution-points.ts";
import { checkOcspResponse, type OcspAnswer } from "./ocsp.ts";
import { encodeOcspRequest, OCSP_REQUEST_TYPE } from "./ocsp-request.ts";
import { MAX_OCSP_BYTES } from "./ocsp-response.ts";
import { checkEndedOcsp, ocspSlot, toVerifiedOcsp } from "./ocsp-slot.ts";
import type { Definite, RevocationSource } from "./revocation-status.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";
import { isSignedBy, readCrl, toVerifiedCrl } from "./verified-crl.ts";

/** A certificate on a path and its issuer. */
export interface Issued {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
}

/** The certificate at this place of a path, leaf first, and its issuer. */
export function issuedAt(path: readonly Certificate[], place: number): Issued {
  const [certificate, issuer] = [path[place], path[place + 1] ?? path[place]];
  if (!certificate || !issuer) throw new RangeError(`a path of ${path.length} has no certificate ${place}`);
  return { certificate, issuer };
}

/** An OCSP responder or a CRL URL that can answer for a certificate. */
export interface Source {
  readonly kind: RevocationSource;
  readonly url: string;
  /**
   * Where a stored answer came from. Null when the certificate names several responders, because they share one slot.
   */
  readonly keptFrom: string | null;
  readonly slot: CacheSlot;
  readonly makeRequest: () => Omit<LimitedRequest, "url" | "timeoutMs" | "signal">;
  /**
   * Evaluates an answer for the certificate at `now` (milliseconds since 1970). Never throws because of the contents of
   * the answer.
   */
  readonly check: (der: Uint8Array, now: number) => Promise<OcspAnswer | CrlAnswer>;
  /**
   * Evaluates an answer as of its signing, or of `now` if that was earlier, whatever it says of its end: that it has
   * ended is known. Of what it says only a revocation counts.
   */
  readonly checkEnded: (der: Uint8Array, now: number) => Promise<OcspAnswer | CrlAnswer>;
  readonly toVerified: (der: Uint8Array, answer: Definite) => VerifiedAnswer;
  /** Whether a stored answer can be about the certificate at all. */
  readonly concerns: (answer: VerifiedAnswer) => boolean;
}

/**
 * Returns the certificate's OCSP responders in its order. No nonce is sent: answers are stored and shared, so only
 * their period proves their age, and many QTSPs offer only responses produced in advance (for which RFC 5019 section
 * 2.1.1 forbids a nonce).
 */
export function listOcspSources(issued: Issued): Source[] {
  const slot = ocspSlot(issued);
  const urls = listOcspUrls(issued.certificate);
  return urls.map((url) => ({
    kind: "OCSP",
    url,
    keptFrom: urls.length === 1 ? url : null,
    slot,
    makeRequest: () => ({
      method: "POST",
      body: encodeOcspRequest({ ...issued, nonce: null }),
      contentType: OCSP_REQUEST_TYPE,
      maxBytes: MAX_OCSP_BYTES,
    }),
    check: checkAnswer("OCSP", issued),
    checkEnded: checkEndedAnswer("OCSP", issued),
    toVerified: toVerifiedOcsp,
    concerns: () => true,
  }));
}

/** Returns the certificate's CRLs in its order. */
export const listCrlSources = (issued: Issued): Source[] =>
  listCrlUrls(issued.certificate).map((url) => ({
    kind: "CRL",
    url,
    keptFrom: url,
    slot: crlSlot(url, issued.certificate.issuer),
    makeRequest: () => ({ method: "GET", maxBytes: MAX_CRL_BYTES }),
    check: checkAnswer("CRL", issued),
    checkEnded: checkEndedAnswer("CRL", issued),
    toVerified: (der) => toVerifiedCrl(der, issued.issuer),
    concerns: (answer) => isSignedBy(answer, issued.issuer),
  }));

/** See {@link Source.check}. */
export const checkAnswer = (kind: RevocationSource, issued: Issued): Source["check"] =>
  kind === "CRL"
    ? (der, now) => checkCrlBytes(der, issued, now)
    : (response, now) => checkOcspResponse({ response, ...issued, now, nonce: null, maxAgeSeconds: null });

/** See {@link Source.checkEnded}. */
export const checkEndedAnswer = (kind: RevocationSource, issued: Issued): Source["checkEnded"] =>
  kind === "CRL" ? (der, now) => checkCrlBytes(der, issued, now, true) : (der, now) => checkEndedOcsp(der, issued, now);

async function checkCrlBytes(der: Uint8Array, issued: Issued, now: number, isEnded = false): Promise<CrlAnswer> {
  try {
    const crl = readCrl(der);
    return await checkCrl({ crl, ...issued, now: isEnded ? Math.min(crl.thisUpdate, now) : now });
  } catch (error) {
    if (error instanceof DerError)
      return { status: "unusable", reason: "malformed", message: `it cannot be read (${error.message})` };
    throw error;
  }
}
