/** Identifies the answer on which a status is based, so that the status can be justified later. */
import { createHash } from "../platform/node-crypto.ts";
import type { CrlAnswer } from "./crl-check.ts";
import type { OcspAnswer } from "./ocsp.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

export interface AnswerProof {
  /** The URL that the answer came from; null when it is no longer known. */
  readonly url: string | null;
  /** Milliseconds since 1970: the producedAt of an OCSP response, the thisUpdate of a CRL. */
  readonly producedAt: number;
  /** Of a CRL, in decimal: it may have 20 octets (RFC 5280 section 5.2.3). Null for an OCSP response. */
  readonly crlNumber: string | null;
  /** SHA-256 of the answer's DER in lower-case hex. */
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
  const digest = digests.get(der) ?? createHash("sha256").update(der).digest("hex");
  digests.set(der, digest);
  return digest;
}
