/** The OCSP responses for one certificate: the newest definite one, and an "unknown" that no later good ended. */
import { Buffer } from "node:buffer";
import type { Instant } from "../platform/instant.ts";
import type { Certificate } from "../x509/certificate.ts";
import { DerError, readDerAt } from "../x509/der.ts";
import { ocspMemory } from "./answer-memory.ts";
import { type CacheSlot, isSameAnswer, LONGEST_SPAN_MS, type SlotReading } from "./kept-answers.ts";
import { checkOcspResponse } from "./ocsp.ts";
import type { Signed } from "./revocation-status.ts";
import { outlivesItsEnd, type Problem, type VerifiedAnswer, validUntil } from "./verified-answer.ts";

export const ocspKey = ({ fingerprint }: Certificate): string => `revocation/ocsp/${fingerprint}`;

interface Issued {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
}

export const ocspSlot = (issued: Issued): CacheSlot => ({
  key: ocspKey(issued.certificate),
  memory: ocspMemory,
  crlUrl: null,
  read: (value, held, now) => readResponses(value, held, issued, now),
  encode: (answers) =>
    answers.length === 1 && answers[0] ? answers[0].der : new Uint8Array(Buffer.concat(answers.map(({ der }) => der))),
  // After its end only what protects against the replay of an older "good" is kept.
  keptUntil: (answer) =>
    outlivesItsEnd(answer) ? Math.max(validUntil(answer), answer.thisUpdate + LONGEST_SPAN_MS) : validUntil(answer),
});

/** Converts the response that `answer` was read from. `der` must be a copy that shares memory with nothing else. */
export const toVerifiedOcsp = (der: Uint8Array, answer: Signed): VerifiedAnswer => ({
  // a certificate has one issuer key, whichever responder signed, so there is one line
  line: "ocsp",
  der,
  issuer: null,
  thisUpdate: answer.thisUpdate,
  nextUpdate: answer.nextUpdate,
  crlNumber: null,
  revocations: answer.status === "revoked" ? 1 : 0,
  ...(answer.status === "unknown" && { isUnknown: true }),
});

async function readResponses(
  value: Uint8Array,
  held: readonly VerifiedAnswer[],
  issued: Issued,
  now: Instant,
): Promise<SlotReading> {
  const answers: VerifiedAnswer[] = [];
  let problem: Problem | null = null;
  for (const der of splitResponses(value)) {
    const read = await readResponse(der, held, issued, now);
    if ("line" in read) answers.push(read);
    else problem = read;
  }
  return { answers, problem };
}

/** Two at most: what is not DER, or more than one after the first, is refused as one. Copies, so that none keeps the other in memory. */
function splitResponses(value: Uint8Array): Uint8Array[] {
  try {
    const first = readDerAt(value, 0, "kept OCSP answers").raw.length;
    return first === value.length ? [value] : [value.slice(0, first), value.slice(first)];
  } catch (error) {
    if (error instanceof DerError) return [value];
    throw error;
  }
}

async function readResponse(
  response: Uint8Array,
  held: readonly VerifiedAnswer[],
  issued: Issued,
  now: Instant,
): Promise<VerifiedAnswer | Problem> {
  const known = held.find(({ der }) => isSameAnswer(der, response));
  if (known) return known;
  const answer = await checkOcspResponse({ response, ...issued, now });
  if (answer.status !== "unusable") return toVerifiedOcsp(response, answer);
  // A response that expired, or whose responder's certificate did, was verified when it was stored.
  const last = await checkOcspResponse({ response, ...issued, now, ended: true });
  return last.status === "unusable" ? answer : toVerifiedOcsp(response, last);
}
