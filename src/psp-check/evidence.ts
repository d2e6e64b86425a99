/**
 * What a check's verdicts rest on, as it is kept with the check: names, times and digests. Times are ISO 8601 in UTC,
 * digests SHA-256 in lower-case hex.
 */

import type { ValidityCheck } from "../eidas/validity.ts";
import type { RevocationSource } from "../revocation/revocation-status.ts";
import type { ServiceStatus } from "../trust/anchors.ts";
import { writeName } from "../x509/name-text.ts";

export interface AnchorEvidence {
  readonly source: string;
  readonly jurisdiction: string;
  readonly serviceName: string;
  /** Oldest first. */
  readonly periods: readonly { readonly status: ServiceStatus; readonly from: string }[];
  /** Of the list; null for one that was imported before they were kept. */
  readonly listSequenceNumber: number | null;
  readonly listIssuedAt: string | null;
  readonly listNextUpdate: string | null;
}

export interface RevocationProof {
  /** Digest of the certificate that the answer speaks of. */
  readonly certificate: string;
  readonly source: RevocationSource;
  /** Where the answer came from; null when that is not known any more. */
  readonly url: string | null;
  /** An OCSP answer's producedAt, a CRL's thisUpdate. */
  readonly producedAt: string;
  readonly nextUpdate: string | null;
  /** Of the answer's DER. */
  readonly sha256: string;
}

export interface Evidence {
  /** The listed service that the path ends at; null when there is none. */
  readonly anchor: AnchorEvidence | null;
  /** Leaf first, anchor last; empty when no path leads to an anchor. */
  readonly path: readonly { readonly subject: string; readonly sha256: string }[];
  /** The answer that counts for each certificate of the path of which the status is known. */
  readonly revocation: readonly RevocationProof[];
}

export function gatherEvidence({ anchor, path, revocation }: ValidityCheck): Evidence {
  return {
    anchor: anchor && {
      source: anchor.source,
      jurisdiction: anchor.jurisdiction,
      serviceName: anchor.serviceName,
      periods: anchor.periods.map(({ status, from }) => ({ status, from: writeInstant(from) })),
      listSequenceNumber: anchor.listSequenceNumber ?? null,
      listIssuedAt: anchor.listIssuedAt === undefined ? null : writeInstant(anchor.listIssuedAt),
      listNextUpdate: anchor.listNextUpdate === null ? null : writeInstant(anchor.listNextUpdate),
    },
    path: path.map(({ subject, fingerprint }) => ({ subject: writeName(subject), sha256: fingerprint })),
    // the statuses are those of the path's certificates, in its order
    revocation: revocation.flatMap(({ source, nextUpdate, proof }, i) => {
      const certificate = path[i]?.fingerprint;
      if (!source || !proof || certificate === undefined) return [];
      const producedAt = writeTime(proof.producedAt);
      const end = nextUpdate === null ? null : writeTime(nextUpdate);
      return [{ certificate, source, url: proof.url, producedAt, nextUpdate: end, sha256: proof.sha256 }];
    }),
  };
}

const writeTime = (time: number): string => new Date(time).toISOString();
/** Lists write instants with or without a fraction. */
const writeInstant = (instant: string): string => writeTime(Date.parse(instant));
