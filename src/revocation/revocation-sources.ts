/** Asks the sources that a certificate names, over the network, and judges what they answer. */
import { createHash } from "node:crypto";
import { heapBytes } from "../heap-bytes.ts";
import { Memory, memoryKey } from "../memory.ts";
import { MEMORY_SHARES } from "../memory-shares.ts";
import type { Certificate } from "../x509/certificate.ts";
import { DerError } from "../x509/der.ts";
import { type Crl, MAX_CRL_BYTES } from "./crl.ts";
import { type CrlAnswer, checkCrl } from "./crl-check.ts";
import { parseCrlOnce } from "./crl-memory.ts";
import { fetchLimited, type LimitedAnswer, type LimitedRequest } from "./fetch-limited.ts";
import { checkOcspResponse, type OcspAnswer } from "./ocsp.ts";
import { encodeOcspRequest, OCSP_REQUEST_TYPE } from "./ocsp-request.ts";
import { MAX_OCSP_BYTES } from "./ocsp-response.ts";
import { type AnswerProof, isDefinite, type RevocationEvidence, type RevocationSource } from "./revocation-status.ts";
import { crlKey, listOcspUrls, ocspKey, type RevocationWrite } from "./revocation-store.ts";

/** For one exchange with one source. */
export const SOURCE_TIMEOUT_MS = 3_000;

/** A certificate on a path, and the one that issued it. */
export interface Issued {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
}

/** What a source gave, judged; `keep` is the answer to be kept when it is definite, else null. */
export interface JudgedSource extends RevocationEvidence {
  readonly keep: RevocationWrite | null;
}

/** How long a source that failed is left alone by this isolate, so that not every certificate waits for it. */
const FAILURE_LASTS_MS = 60_000;
/** By URL. Exported for the test that fills it. */
export const failures = new Memory<string>(MEMORY_SHARES.revocationFailures, heapBytes);

/**
 * Asks one OCSP responder. No nonce is sent: the answer is kept and shared, so it proves its age by its span alone, and
 * many QTSPs only have answers produced beforehand (RFC 5019 section 2.1.1 forbids it for those).
 */
export async function askOcsp(url: string, issued: Issued, now: number, signal: AbortSignal): Promise<JudgedSource> {
  const body = encodeOcspRequest({ ...issued, nonce: null });
  const request = { method: "POST", body, contentType: OCSP_REQUEST_TYPE, maxBytes: MAX_OCSP_BYTES } as const;
  const fetched = await fetchUnlessFailing({ ...request, url, signal }, now);
  return fetched.ok ? judgeOcsp(url, fetched.bytes, issued, now) : unavailable("OCSP", url, fetched.message);
}

/** Fetches one CRL. */
export async function askCrl(url: string, issued: Issued, now: number, signal: AbortSignal): Promise<JudgedSource> {
  const fetched = await fetchUnlessFailing({ method: "GET", maxBytes: MAX_CRL_BYTES, url, signal }, now);
  return fetched.ok ? judgeCrl(url, fetched.bytes, issued, now) : unavailable("CRL", url, fetched.message);
}

/** An OCSP answer held against the certificate. `url`: where it was fetched just now, or null when it was kept. */
export async function judgeOcsp(
  url: string | null,
  response: Uint8Array,
  issued: Issued,
  now: number,
): Promise<JudgedSource> {
  const answer = await checkOcspResponse({ response, ...issued, now, nonce: null, maxAgeSeconds: null });
  const keep = toWrite(ocspKey(issued.certificate), response, answer);
  return { source: "OCSP", url, answer, keep, proof: proveOcsp(url, response, issued.certificate, answer) };
}

/** A CRL, kept or new, held against the certificate. */
export async function judgeCrl(url: string, der: Uint8Array, issued: Issued, now: number): Promise<JudgedSource> {
  try {
    const crl = parseCrlOnce(url, der, now);
    const answer = await checkCrl({ crl, ...issued, now });
    const proof = isDefinite(answer) ? { url, producedAt: crl.thisUpdate, sha256: digestOnce(crl, der) } : null;
    return { source: "CRL", url, answer, keep: toWrite(crlKey(url), der, answer, url), proof };
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    const answer = {
      status: "unusable",
      reason: "malformed",
      message: `it cannot be read (${error.message})`,
    } as const;
    return { source: "CRL", url, answer, keep: null };
  }
}

/** A kept answer of a certificate with one responder came from that one; with several it is not known from which. */
function proveOcsp(
  url: string | null,
  response: Uint8Array,
  certificate: Certificate,
  answer: OcspAnswer,
): AnswerProof | null {
  if (answer.status !== "good" && answer.status !== "revoked") return null;
  const [only = null, ...others] = listOcspUrls(certificate);
  const { producedAt } = answer;
  return { url: url ?? (others.length === 0 ? only : null), producedAt, sha256: digest(response) };
}

const digest = (der: Uint8Array): string => createHash("sha256").update(der).digest("hex");

/** A CRL may be megabytes long, and is asked often: its digest stays with what was parsed of the same bytes. */
const digests = new WeakMap<Crl, string>();

function digestOnce(crl: Crl, der: Uint8Array): string {
  const known = digests.get(crl) ?? digest(der);
  digests.set(crl, known);
  return known;
}

async function fetchUnlessFailing(
  request: Omit<LimitedRequest, "timeoutMs"> & { signal: AbortSignal },
  now: number,
): Promise<LimitedAnswer> {
  const key = memoryKey(request.url);
  const failed = failures.get(key, now);
  if (failed) return { ok: false, message: failed };
  const fetched = await fetchLimited({ ...request, timeoutMs: SOURCE_TIMEOUT_MS });
  // when the whole check ran out of time, the fault may be another source's
  if (!fetched.ok && !request.signal.aborted) failures.set(key, fetched.message, now + FAILURE_LASTS_MS, now);
  return fetched;
}

const unavailable = (source: RevocationSource, url: string, message: string): JudgedSource => ({
  source,
  url,
  answer: { status: "unavailable", message },
  keep: null,
});

function toWrite(
  key: string,
  der: Uint8Array,
  answer: OcspAnswer | CrlAnswer,
  crlUrl?: string,
): RevocationWrite | null {
  if (answer.status !== "good" && answer.status !== "revoked") return null;
  const span = { thisUpdate: answer.thisUpdate, nextUpdate: answer.nextUpdate };
  return { key, der, span, ...(crlUrl !== undefined && { crlUrl }) };
}
