/** Which of several answers about one certificate counts, and how the result is told. Pure. */
import type { AnswerProof } from "./answer-proof.ts";
import type { CrlAnswer } from "./crl-check.ts";
import { validUntil } from "./freshness.ts";
import type { OcspAnswer } from "./ocsp.ts";

export type RevocationSource = "OCSP" | "CRL";

/** What one source gave: an answer, or the reason why it gave none. */
export interface RevocationEvidence {
  readonly source: RevocationSource;
  readonly url: string | null;
  readonly answer:
    | OcspAnswer
    | CrlAnswer
    /** Not for what it says: it was kept and cannot be read, or its source gave a newer one before. */
    | { readonly status: "unusable"; readonly reason: string; readonly message: string }
    | { readonly status: "unavailable"; readonly message: string };
  /** It says revoked and is no longer current: it counts until an answer with a later thisUpdate says otherwise. */
  readonly ended?: boolean;
  /** Of a definite answer. */
  readonly proof?: AnswerProof | null;
}

export interface RevocationStatus {
  readonly status: "good" | "revoked" | "unknown";
  /** Who said so; null when unknown. */
  readonly source: RevocationSource | null;
  /** Of the answer that counts; null when unknown. */
  readonly proof: AnswerProof | null;
  /** Milliseconds since 1970, of the answer that counts; null when unknown or not given. */
  readonly thisUpdate: number | null;
  readonly nextUpdate: number | null;
  /** Milliseconds since 1970: the last instant at which this status may be used. */
  readonly validUntil: number;
  readonly revokedAt: number | null;
  /** Name of the CRLReason; null when not revoked or not given. */
  readonly reason: string | null;
  /** For a warning: what happened, or why the status is unknown with one sentence per source tried. Empty when good. */
  readonly message: string;
}

export type Definite = Extract<OcspAnswer | CrlAnswer, { status: "good" | "revoked" }>;

/** An unknown status, or one by an answer that has ended, is not asked for again within this time. */
export const UNKNOWN_LASTS_MS = 30_000;

export const isDefinite = (answer: RevocationEvidence["answer"]): answer is Definite =>
  answer.status === "good" || answer.status === "revoked";

/** RFC 5280 section 5.3.1 lets only certificateHold end: any other revocation stays, whatever a newer answer says. */
export const isFinal = (answer: RevocationEvidence["answer"]): boolean =>
  answer.status === "revoked" && answer.reason !== "certificateHold";

/**
 * The answer that counts, or null when none is definite. A final revocation that is current wins over any "good",
 * whichever is newer. Of a hold, or a revocation that has ended, and a "good" the newer counts; of two of the same
 * instant, the revocation.
 */
export function chooseEvidence<Evidence extends RevocationEvidence>(evidence: readonly Evidence[]): Evidence | null {
  const rank = ({ answer, ended }: RevocationEvidence): [final: number, thisUpdate: number, revoked: number] => {
    if (!isDefinite(answer)) return [-1, 0, 0];
    return [isFinal(answer) && !ended ? 1 : 0, answer.thisUpdate, answer.status === "revoked" ? 1 : 0];
  };
  const [best] = evidence
    .filter(({ answer }) => isDefinite(answer))
    .toSorted((a, b) => {
      const [x, y] = [rank(a), rank(b)];
      return y[0] - x[0] || y[1] - x[1] || y[2] - x[2];
    });
  return best ?? null;
}

/** The same among the answers that have not ended. */
export const chooseCurrent = <Evidence extends RevocationEvidence>(evidence: readonly Evidence[]): Evidence | null =>
  chooseEvidence(evidence.filter(({ ended }) => !ended));

/** `subject`: the certificate's holder, for the message. */
export function describeStatus(
  subject: string,
  evidence: readonly RevocationEvidence[],
  now: number,
): RevocationStatus {
  const chosen = chooseEvidence(evidence);
  if (!chosen || !isDefinite(chosen.answer)) {
    const tried = evidence.map(describeFailure);
    const why = tried.length > 0 ? tried.join("; ") : "it names neither an OCSP responder nor a CRL";
    return {
      status: "unknown",
      source: null,
      proof: null,
      thisUpdate: null,
      nextUpdate: null,
      validUntil: now + UNKNOWN_LASTS_MS,
      revokedAt: null,
      reason: null,
      message: `the certificate of ${subject}: its status is unknown because ${why}`,
    };
  }
  const { source, answer, ended, proof = null } = chosen;
  const span = { thisUpdate: answer.thisUpdate, nextUpdate: answer.nextUpdate };
  const common = { source, proof, ...span, validUntil: ended ? now + UNKNOWN_LASTS_MS : validUntil(span) };
  if (answer.status === "good") return { status: "good", ...common, revokedAt: null, reason: null, message: "" };
  const { revokedAt, reason } = answer;
  const since = `${iso(revokedAt)}${reason ? ` (${reason})` : ""}`;
  const by = `its issuer's ${source === "OCSP" ? "OCSP responder" : "CRL"}`;
  const old = ended
    ? `; that answer, of ${iso(answer.thisUpdate)}, is no longer current, and there is no later one`
    : "";
  const message = `the certificate of ${subject} has been revoked since ${since}, says ${by}${old}`;
  return { status: "revoked", ...common, revokedAt, reason, message };
}

const iso = (time: number): string => new Date(time).toISOString();

function describeFailure({ source, url, answer }: RevocationEvidence): string {
  const at = url ? ` ${url}` : "";
  const [server, document] = source === "OCSP" ? ["OCSP responder", "OCSP answer"] : ["CRL server", "CRL"];
  if (answer.status === "unavailable") return `the ${server}${at} ${answer.message}`;
  if (answer.status === "unusable")
    return `the ${document}${url ? ` of ${url}` : ""} cannot be used: ${answer.message}`;
  return `the ${server}${at} does not know the certificate`;
}
