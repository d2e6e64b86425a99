/**
 * Judges kept revocation answers once more, as of any instant: from the answers alone, without what an isolate or KV
 * remembers, and without the network. Signatures are verified again.
 */
import { DerError } from "../x509/der.ts";
import { judgeVerified } from "./ask-source.ts";
import { readProducedAt } from "./ocsp-slot.ts";
import { holderOf } from "./revocation.ts";
import { type Issued, listCrlSources, listOcspSources, type Source } from "./revocation-sources.ts";
import {
  describeStatus,
  type RevocationEvidence,
  type RevocationSource,
  type RevocationStatus,
} from "./revocation-status.ts";
import { readCrl } from "./verified-crl.ts";

/** What one source said, as it was kept: the DER of its answer, or why there was none. */
export type KeptAnswer = {
  readonly source: RevocationSource;
  /** Where the answer came from; null if that is no longer known. */
  readonly url: string | null;
} & ({ readonly der: Uint8Array } | { readonly answer: Extract<RevocationEvidence["answer"], { message: string }> });

/** The status of a certificate by these answers. `at`: milliseconds since 1970. */
export async function judgeAgain(
  issued: Issued,
  answers: readonly KeptAnswer[],
  at: number,
): Promise<RevocationStatus> {
  const judged = await Promise.all(answers.map((answer) => judgeOne(issued, answer, at)));
  return describeStatus(holderOf(issued.certificate), judged, at);
}

async function judgeOne(issued: Issued, kept: KeptAnswer, at: number): Promise<RevocationEvidence> {
  const { source: kind, url } = kept;
  if ("answer" in kept) return { source: kind, url, answer: kept.answer };
  const { der } = kept;
  const source = findSource(issued, kind, url);
  // a status that is not definite has no other part of a verified answer than its time
  const signedAt = source && readSignedAt(kind, der);
  if (!source || signedAt === null)
    return { source: kind, url, answer: { status: "unusable", reason: "other-source", message: NO_SUCH_SOURCE } };
  const judged = await judgeVerified(source, { der, signedAt }, url, at);
  return { ...judged, ...(judged.proof && { proof: { ...judged.proof, url } }) };
}

const NO_SUCH_SOURCE = "the certificate names no source that it could come from";

/** The source of the certificate. All its OCSP responders are asked alike. */
const findSource = (issued: Issued, kind: RevocationSource, url: string | null): Source | null =>
  kind === "OCSP"
    ? (listOcspSources(issued)[0] ?? null)
    : (listCrlSources(issued).find((source) => source.url === url) ?? null);

/** When the answer was current, according to itself, in milliseconds since 1970; null if it cannot be read. */
function readSignedAt(kind: RevocationSource, der: Uint8Array): number | null {
  if (kind === "OCSP") return readProducedAt(der);
  try {
    return readCrl(der).thisUpdate;
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}
