/** Asks one source over the network, and judges what it answers against what is known of it already. */
import { createHash } from "node:crypto";
import type { KeyValueStore } from "../key-value-store.ts";
import { proveAnswer } from "./answer-proof.ts";
import { keep } from "./kept-answers.ts";
import type { Source } from "./revocation-sources.ts";
import { isDefinite, type RevocationEvidence } from "./revocation-status.ts";
import { fetchOnce, findBackOff, recordFailure, recordSuccess, type Waiting } from "./source-attempts.ts";
import { listNewest, type VerifiedAnswer } from "./verified-answer.ts";

/** What a source gave, judged. */
export interface JudgedSource extends RevocationEvidence {
  /** The KV key under which its answers are kept. */
  readonly key: string;
}

/**
 * A verified answer held against the certificate. A revocation counts beyond the answer's end, and beyond that of its
 * responder's certificate. `url`: for the message where it cannot be used; null for none.
 */
export async function judgeVerified(
  source: Source,
  { der, signedAt }: VerifiedAnswer,
  url: string | null,
  now: number,
): Promise<JudgedSource> {
  const { kind, slot, check, keptFrom } = source;
  const answer = await check(der, now);
  const judged = { source: kind, url, key: slot.key };
  if (answer.status !== "unusable") return { ...judged, answer, proof: proveAnswer(keptFrom, der, answer) };
  const last = await check(der, signedAt);
  if (last.status !== "revoked") return { ...judged, answer };
  return { ...judged, answer: last, ended: true, proof: proveAnswer(keptFrom, der, last) };
}

/** The request that asks. */
export interface Asking extends Waiting {
  readonly kv: Pick<KeyValueStore, "get" | "put">;
}

/** Asks one source. `known`: the answers of its slot that were judged already, which this isolate may since have outdone. */
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
    if (isDefinite(judged.answer) && !judged.ended) return judged;
  }
  const unavailable = (message: string): JudgedSource => ({
    ...{ source: kind, url, key: slot.key },
    answer: { status: "unavailable", message },
  });
  // an answer may be of no use for this issuer or certificate, and the source sound for others
  const question = `${slot.key} ${url}`;
  const message = findBackOff(question, now);
  if (message !== null) return unavailable(message);
  const request = source.makeRequest();
  const body = createHash("sha256")
    .update(request.body ?? "")
    .digest("hex");
  const fetched = await fetchOnce(`${body} ${url}`, { ...request, url }, asking, async (bytes) => {
    const { answer } = await takeIn(source, bytes, known, asking);
    if (answer.status === "unusable") recordFailure(question, `sent what cannot be used: ${answer.message}`, now);
    else recordSuccess(question);
  });
  return fetched.ok ? await takeIn(source, fetched.bytes, known, asking) : unavailable(fetched.message);
}

/** Judges what the network sent. It is kept only when it verified, and is newer than every other answer of its line. */
async function takeIn(
  source: Source,
  der: Uint8Array,
  known: readonly VerifiedAnswer[],
  { kv, ctx, now }: Asking,
): Promise<JudgedSource> {
  const { kind, url, slot } = source;
  const answer = await source.check(der, now);
  const judged: JudgedSource = { source: kind, url, key: slot.key, answer };
  if (!isDefinite(answer)) return judged;
  const proof = proveAnswer(url, der, answer);
  const verified = source.toVerified(der, answer);
  const newest = listNewest([...known, ...slot.memory.list(slot.key), verified], now);
  if (newest.includes(verified)) {
    slot.memory.remember(slot.key, [verified], now);
    ctx.waitUntil(keep(kv, slot, [verified], now));
  }
  const newer = newest.find(({ line }) => line === verified.line) ?? verified;
  if (newer === verified) return { ...judged, proof };
  const instead = await judgeVerified(source, newer, url, now);
  if (isDefinite(instead.answer) && !instead.ended) return instead;
  const [is, than] = [verified, newer].map(({ thisUpdate }) => new Date(thisUpdate).toISOString());
  const message = `it is of ${is}, older than the one of ${than} that was received before`;
  return { ...judged, answer: { status: "unusable", reason: "superseded", message } };
}
