/** The OCSP response that is kept on one certificate. */
import type { Certificate } from "../x509/certificate.ts";
import { DerError } from "../x509/der.ts";
import { ocspMemory } from "./answer-memory.ts";
import { type CacheSlot, isSameAnswer, LONGEST_SPAN_MS, type SlotReading } from "./cache-slot.ts";
import { validUntil } from "./freshness.ts";
import { checkOcspResponse } from "./ocsp.ts";
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
  // beyond its end only a revocation is of use: against an older "good" that is replayed
  keptUntil: (answer) =>
    answer.revocations > 0 ? Math.max(validUntil(answer), answer.thisUpdate + LONGEST_SPAN_MS) : validUntil(answer),
});

/** An OCSP response that `answer` was read from. `der` must be a copy of its own. */
export const toVerifiedOcsp = (der: Uint8Array, answer: Definite): VerifiedAnswer => ({
  // one certificate has one issuer's key, whoever of its responders signed
  line: "ocsp",
  der,
  issuer: null,
  signedAt: readProducedAt(der) ?? answer.thisUpdate,
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
  const check = (at: number) =>
    checkOcspResponse({ response: value, ...issued, now: at, nonce: null, maxAgeSeconds: null });
  const answer = await check(now);
  // one that has ended, or whose responder's certificate has, was judged when it was put
  const signedAt = isDefinite(answer) ? null : readProducedAt(value);
  const verified = signedAt !== null && signedAt < now ? await check(signedAt) : answer;
  if (isDefinite(verified)) return { answers: [toVerifiedOcsp(value, verified)], problem: null };
  if (answer.status === "unusable") return { answers: [], problem: answer };
  return { answers: [], problem: { reason: "unknown", message: "it does not know the certificate" } };
}

/** When the responder signed; null for what is no response. */
function readProducedAt(der: Uint8Array): number | null {
  try {
    const response = parseOcspResponse(der);
    return response.status === "successful" ? response.basic.producedAt : null;
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}
