/** The OCSP response that is kept on one certificate. */
import type { Certificate } from "../x509/certificate.ts";
import { DerError } from "../x509/der.ts";
import { ocspMemory } from "./answer-memory.ts";
import { type CacheSlot, isSameAnswer, LONGEST_SPAN_MS, type SlotReading } from "./cache-slot.ts";
import { validUntil } from "./freshness.ts";
import { checkOcspResponse } from "./ocsp.ts";
import { isIdOf } from "./ocsp-certificate-id.ts";
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
  // one that has ended is judged as of its end
  const at = Math.min(now, findEnd(value, issued) ?? now);
  const answer = await checkOcspResponse({ response: value, ...issued, now: at, nonce: null, maxAgeSeconds: null });
  if (isDefinite(answer)) return { answers: [toVerifiedOcsp(value, answer)], problem: null };
  if (answer.status === "unusable") return { answers: [], problem: answer };
  return { answers: [], problem: { reason: "unknown", message: "it does not know the certificate" } };
}

/** When the response ends that speaks of this certificate; null where there is none. */
function findEnd(value: Uint8Array, { certificate, issuer }: Issued): number | null {
  try {
    const response = parseOcspResponse(value);
    if (response.status === "refused") return null;
    const ends = response.basic.responses.filter(({ id }) => isIdOf(id, certificate, issuer)).map(validUntil);
    return ends.length > 0 ? Math.min(...ends) : null;
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}
