/** Requests an answer from one source over the network, and checks it against the answers already known. */
import { createHash } from "../platform/node-crypto.ts";
import type { KeyValueStore } from "../platform/stores.ts";
import { type CheckDelegate, evaluate, findDelegate, type JudgedSource, judgeVerified } from "./judge-source.ts";
import { isSameAnswer, keep } from "./kept-answers.ts";
import type { Source } from "./revocation-sources.ts";
import { proveAnswer } from "./revocation-status.ts";
import { fetchOnce, findBackOff, recordFailure, recordSuccess, type Waiting } from "./source-attempts.ts";
import { findStandIn, listNewest, type VerifiedAnswer } from "./verified-answer.ts";

const STRICTEST_FIRST = ["revoked", "unknown", "good"] as const;

export interface Asking extends Waiting {
  readonly kv: Pick<KeyValueStore, "get" | "put">;
  readonly checkDelegate: CheckDelegate | null;
}

/** `known`: the answers of its slot that were evaluated. What this isolate received since then is evaluated first. */
export async function askSource(
  source: Source,
  known: readonly VerifiedAnswer[],
  asking: Asking,
): Promise<JudgedSource> {
  const { kind, url, slot } = source;
  const { now, checkDelegate } = asking;
  const newest = listNewest([...known, ...slot.memory.list(slot.key)], now);
  const brought = newest.filter((answer) => !known.includes(answer) && source.concerns(answer));
  const candidates = await Promise.all(brought.map((answer) => judgeVerified(source, answer, url, now, checkDelegate)));
  const [strictest] = STRICTEST_FIRST.flatMap((status) => candidates.filter(({ answer }) => answer.status === status));
  // a good beside an "unknown" is not later than that, and another responder's may be
  if (strictest && !(strictest.answer.status === "good" && newest.some(({ isUnknown }) => isUnknown))) return strictest;
  const unavailable = (message: string): JudgedSource => ({
    ...{ source: kind, url, key: slot.key },
    answer: { status: "unavailable", message },
  });
  // back-off per slot, URL and signers: an answer can be unusable for this issuer or certificate and usable for others
  const question = `${slot.key} ${url} ${source.signers}`;
  const message = findBackOff(question, now);
  if (message !== null) return unavailable(message);
  const request = source.makeRequest();
  const body = createHash("sha256")
    .update(request.body ?? "")
    .digest("hex");
  const fetched = await fetchOnce(`${body} ${url}`, { ...request, url }, asking, async (bytes) => {
    // a responder is checked by each request for itself: this one must not wait for another source in its turn
    const { answer, ended } = await acceptAnswer(source, bytes, known, { ...asking, checkDelegate: null });
    if (ended) recordFailure(question, "sent what is no longer current", now);
    else if (answer.status === "unusable") recordFailure(question, `sent what cannot be used: ${answer.message}`, now);
    else recordSuccess(question);
  });
  if (!fetched.ok) return unavailable(fetched.message);
  const accepted = await acceptAnswer(source, fetched.bytes, known, asking);
  const { answer } = accepted;
  if (answer.status === "unusable" && answer.reason === "revoked-responder" && findBackOff(question, now) === null)
    recordFailure(question, `sent what cannot be used: ${answer.message}`, now);
  return accepted;
}

/** A fetched answer is stored only if it verifies, its responder was looked at, and it is the newest of its line. */
async function acceptAnswer(
  source: Source,
  der: Uint8Array,
  known: readonly VerifiedAnswer[],
  { kv, ctx, now, checkDelegate }: Asking,
): Promise<JudgedSource> {
  const { kind, url, slot } = source;
  const said = await evaluate(source, der, now, checkDelegate);
  const { answer } = said;
  const fetched: JudgedSource = { source: kind, url, key: slot.key, ...said };
  if (answer.status === "unusable" || (findDelegate(answer) && !said.responder)) return fetched;
  const verified = source.toVerified(der, answer);
  const proof = proveAnswer(url, verified, answer);
  const newest = listNewest([...known, ...slot.memory.list(slot.key), verified], now);
  if (newest.includes(verified)) {
    slot.memory.add(slot.key, [verified], now);
    ctx.waitUntil(keep(kv, slot, [verified], now));
  }
  const newer = findStandIn(newest, verified);
  // the same bytes, where the attempt that fetched them stored them already
  if (isSameAnswer(newer.der, der)) return { ...fetched, der, proof };
  const instead = await judgeVerified(source, newer, url, now, checkDelegate);
  // one that has ended and was known before is among the evidence already
  if (instead.der && !(instead.ended && known.includes(newer))) return instead;
  const [is, than] = [verified, newer].map(({ thisUpdate }) => new Date(thisUpdate).toISOString());
  const message = `it is of ${is}, and one of ${than} was received before`;
  return { source: kind, url, key: slot.key, answer: { status: "unusable", reason: "superseded", message } };
}
