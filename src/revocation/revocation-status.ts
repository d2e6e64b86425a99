/** Chooses the answer that decides a certificate's revocation status, and describes the result. */

import type { Instant } from "../platform/instant.ts";
import { hashBytes } from "../platform/node-crypto.ts";
import type { CrlAnswer } from "./crl-check.ts";
import type { OcspAnswer } from "./ocsp.ts";
import { type VerifiedAnswer, validUntil } from "./verified-answer.ts";

export type RevocationSource = "OCSP" | "CRL";

export interface RevocationEvidence {
  readonly source: RevocationSource;
  readonly url: string | null;
  readonly answer: OcspAnswer | CrlAnswer | { readonly status: "unavailable"; readonly message: string };
  /** Says revoked or unknown, and is expired or of a revoked responder. It counts until a later answer replaces it. */
  readonly ended?: boolean;
  /** The status of the certificate of the responder that signed it, where that was to be checked. */
  readonly responder?: RevocationStatus;
  readonly proof?: AnswerProof | null;
  readonly der?: Uint8Array;
}

export interface RevocationStatus {
  readonly status: "good" | "revoked" | "unknown";
  readonly source: RevocationSource | null;
  readonly proof: AnswerProof | null;
  readonly thisUpdate: Instant | null;
  readonly nextUpdate: Instant | null;
  /** The last instant at which this status may be used. */
  readonly validUntil: Instant;
  readonly revokedAt: Instant | null;
  readonly reason: string | null;
  readonly message: string;
  /** Text for a warning on a status that is good: what could not be looked at. */
  readonly caution?: string | undefined;
  /** All that this status was chosen from, in the order in which it was asked. */
  readonly said: readonly RevocationEvidence[];
}

export type Definite = Extract<OcspAnswer | CrlAnswer, { status: "good" | "revoked" }>;

/** After so long the sources are asked again for an unknown status, or one by an expired answer. */
export const UNKNOWN_LASTS_MS = 30_000;

/** What a source signed about the certificate. */
export type Signed = Extract<OcspAnswer | CrlAnswer, { status: "good" | "revoked" | "unknown" }>;

export const isDefinite = (answer: RevocationEvidence["answer"]): answer is Definite =>
  answer.status === "good" || answer.status === "revoked";

/** RFC 5280 section 5.3.1: only certificateHold can be lifted, whatever a newer answer says. */
export const isFinal = (answer: RevocationEvidence["answer"]): boolean =>
  answer.status === "revoked" && answer.reason !== "certificateHold";

/**
 * Null when none is definite. A current final revocation overrides any "good", even a newer one. Else the newer
 * decides, of one thisUpdate the revocation. A CRL by another key of the issuer clears only what nothing else revokes.
 */
export function chooseEvidence<Evidence extends RevocationEvidence>(evidence: readonly Evidence[]): Evidence | null {
  const rank = ({ answer, ended }: RevocationEvidence): [final: number, thisUpdate: Instant, revoked: number] => {
    if (!isDefinite(answer)) return [-1, 0, 0];
    const isOfOtherKey = answer.status === "good" && "signer" in answer;
    return [
      isFinal(answer) && !ended ? 1 : 0,
      isOfOtherKey ? 0 : answer.thisUpdate,
      answer.status === "revoked" ? 1 : 0,
    ];
  };
  const [best] = evidence
    .filter(({ answer }) => isDefinite(answer))
    .toSorted((a, b) => {
      const [x, y] = [rank(a), rank(b)];
      return y[0] - x[0] || y[1] - x[1] || y[2] - x[2];
    });
  return best ?? null;
}

export const chooseCurrent = <Evidence extends RevocationEvidence>(evidence: readonly Evidence[]): Evidence | null =>
  chooseEvidence(evidence.filter(({ ended }) => !ended));

/**
 * Whether a responder does not know the certificate, and none has said good of it since: no CRL clears it then, since a
 * CRL does not say that it was issued (CA/Browser Forum Baseline Requirements 4.9.10). CRLs may still revoke it (RFC
 * 6960 section 2.2). Of one thisUpdate the "unknown" counts.
 */
export function isDisowned(evidence: readonly RevocationEvidence[]): boolean {
  const latest = (status: "good" | "unknown") =>
    Math.max(
      ...evidence.flatMap(({ source, answer }) =>
        source === "OCSP" && answer.status === status ? answer.thisUpdate : [],
      ),
    );
  const unknown = latest("unknown");
  return unknown > Number.NEGATIVE_INFINITY && unknown >= latest("good");
}

/** `subject`: the holder. `silence` completes "its status is unknown because ..." if nothing could be asked. */
export function describeStatus(
  subject: string,
  evidence: readonly RevocationEvidence[],
  now: Instant,
  silence = () => "it names neither an OCSP responder nor a CRL",
): RevocationStatus {
  const chosen = chooseEvidence(evidence);
  if (!chosen || !isDefinite(chosen.answer) || (chosen.answer.status === "good" && isDisowned(evidence))) {
    // once what was kept says and is said again
    const tried = new Set(evidence.filter(({ answer }) => !isDefinite(answer)).map(describeFailure));
    const why = tried.size > 0 ? [...tried].join("; ") : silence();
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
      said: evidence,
    };
  }
  const { source, answer, ended, proof = null, responder } = chosen;
  const span = { thisUpdate: answer.thisUpdate, nextUpdate: answer.nextUpdate };
  const end = ended ? now + UNKNOWN_LASTS_MS : validUntil(span);
  const common = { source, proof, ...span, validUntil: end, said: evidence };
  const caution =
    answer.status === "good" && responder?.status === "unknown"
      ? `the certificate of ${subject} is cleared by an OCSP responder whose own revocation could not be checked: ${responder.message}`
      : undefined;
  if (answer.status === "good")
    return { status: "good", ...common, revokedAt: null, reason: null, message: "", caution };
  const { revokedAt, reason } = answer;
  const since = `${iso(revokedAt)}${reason ? ` (${reason})` : ""}`;
  const by = `its issuer's ${source === "OCSP" ? "OCSP responder" : "CRL"}`;
  const old = ended
    ? `; that answer, of ${iso(answer.thisUpdate)}, is no longer current, and there is no later one`
    : "";
  const message = `the certificate of ${subject} has been revoked since ${since}, says ${by}${old}`;
  return { status: "revoked", ...common, revokedAt, reason, message };
}

const iso = (time: Instant): string => new Date(time).toISOString();

function describeFailure({ source, url, answer, ended }: RevocationEvidence): string {
  const at = url ? ` ${url}` : "";
  const [server, document] = source === "OCSP" ? ["OCSP responder", "OCSP answer"] : ["CRL server", "CRL"];
  if (answer.status === "unavailable") return `the ${server}${at} ${answer.message}`;
  if (answer.status === "unusable")
    return `the ${document}${url ? ` of ${url}` : ""} cannot be used: ${answer.message}`;
  if (ended && "thisUpdate" in answer)
    return `the ${server}${at} did not know the certificate in its last answer, of ${iso(answer.thisUpdate)}`;
  return `the ${server}${at} does not know the certificate`;
}

export interface AnswerProof {
  readonly url: string | null;
  /** The producedAt of an OCSP response, the thisUpdate of a CRL. */
  readonly producedAt: Instant;
  /** Of a CRL, in decimal: it may have 20 octets (RFC 5280 section 5.2.3). Null for an OCSP response. */
  readonly crlNumber: string | null;
  readonly sha256: string;
}

/** Returns null unless the answer is good or revoked. `der` and `crlNumber` are those of the answer. */
export function proveAnswer(
  url: string | null,
  { der, crlNumber }: Pick<VerifiedAnswer, "der" | "crlNumber">,
  answer: OcspAnswer | CrlAnswer,
): AnswerProof | null {
  if (answer.status !== "good" && answer.status !== "revoked") return null;
  const producedAt = "producedAt" in answer ? answer.producedAt : answer.thisUpdate;
  return { url, producedAt, crlNumber: crlNumber?.toString() ?? null, sha256: digestOnce(der) };
}

const digests = new WeakMap<Uint8Array, string>();

/** SHA-256 in lower-case hex. A CRL can be megabytes long and is used many times, so it is cached per byte array. */
export function digestOnce(der: Uint8Array): string {
  const digest = digests.get(der) ?? hashBytes("sha256", der);
  digests.set(der, digest);
  return digest;
}
