/** Identifies the answer on which a status is based, so that the status can be justified later. */
import { createHash } from "../node-crypto.ts";
import type { CrlAnswer } from "./crl-check.ts";
import type { OcspAnswer } from "./ocsp.ts";

export interface AnswerProof {
  /** The URL that the answer came from; null when it is no longer known. */
  readonly url: string | null;
  /** Milliseconds since 1970: the producedAt of an OCSP response, the thisUpdate of a CRL. */
  readonly producedAt: number;
  /** SHA-256 of the answer's DER in lower-case hex. */
  readonly sha256: string;
}

/** Returns null unless the answer is good or revoked. `der` is the encoded answer. */
export function proveAnswer(url: string | null, der: Uint8Array, answer: OcspAnswer | CrlAnswer): AnswerProof | null {
  if (answer.status !== "good" && answer.status !== "revoked") return null;
  const producedAt = "producedAt" in answer ? answer.producedAt : answer.thisUpdate;
  return { url, producedAt, sha256: digestOnce(der) };
}

/** A CRL can be megabytes long and is used many times, so its digest is cached per byte array. */
const digests = new WeakMap<Uint8Array, string>();

function digestOnce(der: Uint8Array): string {
  const digest = digests.get(der) ?? createHash("sha256").update(der).digest("hex");
  digests.set(der, digest);
  return digest;
}
