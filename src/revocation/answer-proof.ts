/** What identifies a definite answer, for whoever has to show later on what a status rests. */
import { createHash } from "node:crypto";
import type { CrlAnswer } from "./crl-check.ts";
import type { OcspAnswer } from "./ocsp.ts";

export interface AnswerProof {
  /** Where the answer came from; null when that is not known any more. */
  readonly url: string | null;
  /** Milliseconds since 1970: an OCSP response's producedAt, a CRL's thisUpdate. */
  readonly producedAt: number;
  /** Of the answer's DER, lower-case hex. */
  readonly sha256: string;
}

/** Null for an answer that is not definite. `der` is what the answer was read from. */
export function proveAnswer(url: string | null, der: Uint8Array, answer: OcspAnswer | CrlAnswer): AnswerProof | null {
  if (answer.status !== "good" && answer.status !== "revoked") return null;
  const producedAt = "producedAt" in answer ? answer.producedAt : answer.thisUpdate;
  return { url, producedAt, sha256: digestOnce(der) };
}

/** A CRL may be megabytes long, and is asked often: its digest stays with its bytes. */
const digests = new WeakMap<Uint8Array, string>();

function digestOnce(der: Uint8Array): string {
  const digest = digests.get(der) ?? createHash("sha256").update(der).digest("hex");
  digests.set(der, digest);
  return digest;
}
