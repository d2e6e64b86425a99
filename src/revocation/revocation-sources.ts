/** The sources that a certificate names: what each is asked, and how its answers are held against the certificate. */

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
import { ocspSlot, toVerifiedOcsp } from "./ocsp-slot.ts";
import type { Definite, RevocationSource } from "./revocation-status.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";
import { isSignedBy, readCrl, toVerifiedCrl } from "./verified-crl.ts";

/** A certificate on a path, and the one that issued it. */
export interface Issued {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
}

/** One place where an answer about a certificate is found: an OCSP responder or a CRL. */
export interface Source {
  readonly kind: RevocationSource;
  readonly url: string;
  /** Where a kept answer came from; null where the certificate names several responders, which share one slot. */
  readonly keptFrom: string | null;
  readonly slot: CacheSlot;
  readonly makeRequest: () => Omit<LimitedRequest, "url" | "timeoutMs" | "signal">;
  /** Holds an answer against the certificate as of an instant. Never throws because of what the bytes say. */
  readonly check: (der: Uint8Array, now: number) => Promise<OcspAnswer | CrlAnswer>;
  readonly toVerified: (der: Uint8Array, answer: Definite) => VerifiedAnswer;
  /** Whether a kept answer can be about the certificate at all. */
  readonly concerns: (answer: VerifiedAnswer) => boolean;
}

/**
 * The OCSP responders of a certificate, in its order. No nonce is sent: the answer is kept and shared, so it proves its
 * age by its span alone, and many QTSPs only have answers produced beforehand (RFC 5019 section 2.1.1 forbids it for those).
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
    check: (response, now) => checkOcspResponse({ response, ...issued, now, nonce: null, maxAgeSeconds: null }),
    toVerified: toVerifiedOcsp,
    concerns: () => true,
  }));
}

/** The CRLs of a certificate, in its order. */
export const listCrlSources = (issued: Issued): Source[] =>
  listCrlUrls(issued.certificate).map((url) => ({
    kind: "CRL",
    url,
    keptFrom: url,
    slot: crlSlot(url, issued.certificate.issuer),
    makeRequest: () => ({ method: "GET", maxBytes: MAX_CRL_BYTES }),
    check: (der, now) => checkCrlBytes(der, issued, now),
    toVerified: (der) => toVerifiedCrl(der, issued.issuer),
    concerns: (answer) => isSignedBy(answer, issued.issuer),
  }));

async function checkCrlBytes(der: Uint8Array, issued: Issued, now: number): Promise<CrlAnswer> {
  try {
    return await checkCrl({ crl: readCrl(der), ...issued, now });
  } catch (error) {
    if (error instanceof DerError)
      return { status: "unusable", reason: "malformed", message: `it cannot be read (${error.message})` };
    throw error;
  }
}
