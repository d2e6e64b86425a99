/** The stored OCSP response for one certificate. */
import type { Certificate } from "../x509/certificate.ts";
import { DerError } from "../x509/der.ts";
import { ocspMemory } from "./answer-memory.ts";
import { type CacheSlot, isSameAnswer, LONGEST_SPAN_MS, type SlotReading } from "./cache-slot.ts";
import { validUntil } from "./freshness.ts";
import { checkOcspResponse, type OcspAnswer, verifyOcspAuthenticity } from "./ocsp.ts";
import { parseOcspResponse } from "./ocsp-response.ts";
import { type Definite, isDefinite } from "./revocation-status.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

export const ocspKey = ({ fingerprint }: Certificate): string => `revocation/ocsp/${fingerprint}`;

interface Issued {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
}

export const ocspSlot = (issued: Issued): CacheSlot => ({
  key: ocspKey(issued.certificate),
  memory: ocspMemory,
  crlUrl: null,
  read: (value, held, now) => readResponse(value, held, issued, now),
  encode: ([answer]) => answer?.der ?? new Uint8Array(0),
  // After its end only a revocation is kept: it protects against the replay of an older "good".
  keptUntil: (answer) =>
    answer.revocations > 0 ? Math.max(validUntil(answer), answer.thisUpdate + LONGEST_SPAN_MS) : validUntil(answer),
});

/** Converts the response that `answer` was read from. `der` must be a copy that shares memory with nothing else. */
export const toVerifiedOcsp = (der: Uint8Array, answer: Definite): VerifiedAnswer => ({
  // a certificate has one issuer key, whichever responder signed, so there is one line
  line: "ocsp",
  der,
  issuer: null,
  thisUpdate: answer.thisUpdate,
  nextUpdate: answer.nextUpdate,
  crlNumber: null,
  revocations: answer.status === "revoked" ? 1 : 0,
});

async function readResponse(
  value: Uint8Array,
  held: readonly VerifiedAnswer[],
  issued: Issued,
  now: number,
): Promise<SlotReading> {
  const known = held.find(({ der }) => isSameAnswer(der, value));
  if (known) return { answers: [known], problem: null };
  const answer = await checkOcspResponse({ response: value, ...issued, now, nonce: null, maxAgeSeconds: null });
  // A response that expired, or whose responder's certificate did, was verified when it was stored.
  const verified = answer.status === "unusable" ? await checkEndedOcsp(value, issued, now) : answer;
  if (isDefinite(verified)) return { answers: [toVerifiedOcsp(value, verified)], problem: null };
  if (answer.status === "unusable") return { answers: [], problem: answer };
  return { answers: [], problem: { reason: "unknown", message: "it does not know the certificate" } };
}

/**
 * Evaluates a response as of its signing, or of `now` (milliseconds since 1970) if that was earlier. Its nextUpdate is not
 * asked: a responder that reads CRLs and is behind with them signs answers today whose nextUpdate is of yesterday.
 */
export const checkEndedOcsp = (response: Uint8Array, issued: Issued, now: number): Promise<OcspAnswer> =>
  verifyOcspAuthenticity({
    ...{ response, ...issued, maxAgeSeconds: null },
    now: Math.min(readProducedAt(response) ?? now, now),
  });

/** Returns when the responder signed, in milliseconds since 1970; null when it is not an OCSP response. */
function readProducedAt(der: Uint8Array): number | null {
  try {
    const response = parseOcspResponse(der);
    return response.status === "successful" ? response.basic.producedAt : null;
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}
