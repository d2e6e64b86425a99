/** Requests an answer from one source over the network, and checks it against the answers already known. */

import type { KeyValueStore } from "../key-value-store.ts";
import { createHash } from "../node-crypto.ts";
import { proveAnswer } from "./answer-proof.ts";
import { isSameAnswer } from "./cache-slot.ts";
import type { CrlAnswer } from "./crl-check.ts";
import { keep } from "./kept-answers.ts";
import type { OcspAnswer } from "./ocsp.ts";
import type { Source } from "./revocation-sources.ts";
import { isDefinite, type RevocationEvidence } from "./revocation-status.ts";
import { fetchOnce, findBackOff, recordFailure, recordSuccess, type Waiting } from "./source-attempts.ts";
import { listNewest, type VerifiedAnswer } from "./verified-answer.ts";

/** The result of one source. */
export interface JudgedSource extends RevocationEvidence {
  /** The KV key of the source's answers. */
  readonly key: string;
}

/**
 * Evaluates a verified answer for the certificate. `url` is used in the message if the answer is unusable; null omits it.
 * `now` is in milliseconds since 1970.
 */
export async function judgeVerified(
  source: Pick<Source, "kind" | "check" | "checkEnded" | "keptFrom"> & { readonly slot: Pick<Source["slot"], "key"> },
  verified: Pick<VerifiedAnswer, "der" | "crlNumber">,
  url: string | null,
  now: number,
): Promise<JudgedSource> {
  const { kind, slot, keptFrom } = source;
  const { der } = verified;
  const said = await evaluate(source, der, now);
  const judged = { source: kind, url, key: slot.key, ...said };
  return said.answer.status === "unusable"
    ? judged
    : { ...judged, der, proof: proveAnswer(keptFrom, verified, said.answer) };
}

/**
 * A revocation still counts after the answer, or the certificate of its responder, has expired: whether it was kept or
 * comes from a source that is behind, it must not be cleared by an older answer that has not.
 */
async function evaluate(
  { check, checkEnded }: Pick<Source, "check" | "checkEnded">,
  der: Uint8Array,
  now: number,
): Promise<{ readonly answer: OcspAnswer | CrlAnswer; readonly ended?: true }> {
  const answer = await check(der, now);
  const last = answer.status === "unusable" ? await checkEnded(der, now) : null;
  return last?.status === "revoked" ? { answer: last, ended: true } : { answer };
}

/** The request on whose behalf the source is asked. */
export interface Asking extends Waiting {
  readonly kv: Pick<KeyValueStore, "get" | "put">;
}

/**
 * Asks one source. `known` are the answers of its slot that were already evaluated. Answers that this isolate received
 * since then are evaluated first.
 */
export async function askSource(
  source: Source,
  known: readonly VerifiedAnswer[],
  asking: Asking,
): Promise<JudgedSource> {
  const { kind, url, slot } = source;
  const { now } = asking;
  const brought = slot.memory.list(slot.key).filter((answer) => !known.includes(answer) && source.concerns(answer));
  for (const answer of brought) {
    const judged = await judgeVerified(source, answer, url, now);
    if (isDefinite(judged.answer)) return judged;
  }
  const unavailable = (message: string): JudgedSource => ({
    ...{ source: kind, url, key: slot.key },
    answer: { status: "unavailable", message },
  });
  // back-off per slot and URL: an answer can be unusable for this issuer or certificate and usable for others
  const question = `${slot.key} ${url}`;
  const message = findBackOff(question, now);
  if (message !== null) return unavailable(message);
  const request = source.makeRequest();
  const body = createHash("sha256")
    .update(request.body ?? "")
    .digest("hex");
  const fetched = await fetchOnce(`${body} ${url}`, { ...request, url }, asking, async (bytes) => {
    const { answer, ended } = await acceptAnswer(source, bytes, known, asking);
    if (ended) recordFailure(question, "sent what is no longer current", now);
    else if (answer.status === "unusable") recordFailure(question, `sent what cannot be used: ${answer.message}`, now);
    else recordSuccess(question);
  });
  return fetched.ok ? await acceptAnswer(source, fetched.bytes, known, asking) : unavailable(fetched.message);
}

/** Evaluates a fetched answer. It is stored only if it verifies and is newer than all known answers of its line. */
async function acceptAnswer(
  source: Source,
  der: Uint8Array,
  known: readonly VerifiedAnswer[],
  { kv, ctx, now }: Asking,
): Promise<JudgedSource> {
  const { kind, url, slot } = source;
  const said = await evaluate(source, der, now);
  const { answer } = said;
  const judged: JudgedSource = { source: kind, url, key: slot.key, ...said };
  if (!isDefinite(answer)) return answer.status === "unknown" ? { ...judged, der } : judged;
  const verified = source.toVerified(der, answer);
  const proof = proveAnswer(url, verified, answer);
  const newest = listNewest([...known, ...slot.memory.list(slot.key), verified], now);
  if (newest.includes(verified)) {
    slot.memory.add(slot.key, [verified], now);
    ctx.waitUntil(keep(kv, slot, [verified], now));
  }
  const newer = newest.find(({ line }) => line === verified.line) ?? verified;
  // the same bytes, where the attempt that fetched them stored them already
  if (isSameAnswer(newer.der, der)) return { ...judged, der, proof };
  const instead = await judgeVerified(source, newer, url, now);
  // one that has ended and was known before is among the evidence already
  if (isDefinite(instead.answer) && !(instead.ended && known.includes(newer))) return instead;
  const [is, than] = [verified, newer].map(({ thisUpdate }) => new Date(thisUpdate).toISOString());
  const message = `it is of ${is}, and one of ${than} was received before`;
  return { source: kind, url, key: slot.key, answer: { status: "unusable", reason: "superseded", message } };
}
