/** Judges one answer of a revocation source, and the responder that it names. Asks no source. */
import type { Instant } from "../platform/instant.ts";
import type { Certificate } from "../x509/certificate.ts";
import type { CrlAnswer } from "./crl-check.ts";
import type { OcspAnswer } from "./ocsp.ts";
import type { Source } from "./revocation-sources.ts";
import { proveAnswer, type RevocationEvidence, type RevocationStatus } from "./revocation-status.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

/** Finds the status of a delegated OCSP responder's certificate by CRLs. Throws StoreError. */
export type CheckDelegate = (delegate: Certificate) => Promise<RevocationStatus>;

export interface JudgedSource extends RevocationEvidence {
  /** The KV key of the source's answers. */
  readonly key: string;
}

/** Evaluates a verified answer. `url` is for the message. `checkDelegate` null: the responder is not looked at. */
export async function judgeVerified(
  source: Pick<Source, "kind" | "check" | "keptFrom"> & { readonly slot: Pick<Source["slot"], "key"> },
  verified: Pick<VerifiedAnswer, "der" | "crlNumber">,
  url: string | null,
  now: Instant,
  checkDelegate: CheckDelegate | null,
): Promise<JudgedSource> {
  const { kind, slot, keptFrom } = source;
  const { der } = verified;
  const said = await evaluate(source, der, now, checkDelegate);
  const answered = { source: kind, url, key: slot.key, ...said };
  if (said.answer.status === "unusable") return answered;
  // the sentence on an "unknown" names whom it is of, since nothing proves it
  const from = said.answer.status === "unknown" ? (url ?? keptFrom) : url;
  return { ...answered, url: from, der, proof: proveAnswer(keptFrom, verified, said.answer) };
}

interface Evaluated {
  readonly answer: OcspAnswer | CrlAnswer;
  readonly ended?: true;
  readonly responder?: RevocationStatus;
}

/** A revocation or an "unknown" counts after its end, too: an older answer that has not ended must not clear it. */
export async function evaluate(
  { check }: Pick<Source, "check">,
  der: Uint8Array,
  now: Instant,
  checkDelegate: CheckDelegate | null,
): Promise<Evaluated> {
  const answer = await check(der, now);
  const last = answer.status === "unusable" ? await check(der, now, true) : answer;
  const isLast = last !== answer && (last.status === "revoked" || last.status === "unknown");
  const said: Evaluated = isLast ? { answer: last, ended: true } : { answer };
  const delegate = findDelegate(said.answer);
  if (!delegate || !checkDelegate) return said;
  const responder = await checkDelegate(delegate);
  if (responder.status !== "revoked") return { ...said, responder };
  // whoever has its key may sign what he likes: that revokes until a later answer of another, and clears nobody
  if (said.answer.status !== "good") return { ...said, responder, ended: true };
  const message = `its responder is revoked: ${responder.message}`;
  return { answer: { status: "unusable", reason: "revoked-responder", message } };
}

export const findDelegate = (answer: OcspAnswer | CrlAnswer): Certificate | undefined =>
  "delegate" in answer ? answer.delegate : undefined;

/** At six calls each, these stay within what the budget leaves of the platform's thousand. */
const MAX_WITH_OTHER_CRLS = 10;

const requests = new WeakMap<object, Map<string, Promise<RevocationStatus>>>();

/** Once in a request for each `subject`: a responder and an instant. `mayAsk` is false beyond the limit. */
export function onceForRequest(
  request: object,
  subject: string,
  find: (mayAsk: boolean) => Promise<RevocationStatus>,
): Promise<RevocationStatus> {
  const mine = requests.get(request) ?? new Map<string, Promise<RevocationStatus>>();
  requests.set(request, mine);
  const known = mine.get(subject);
  if (known) return known;
  if (mine.size >= MAX_WITH_OTHER_CRLS) return find(false);
  const status = find(true);
  mine.set(subject, status);
  return status;
}
