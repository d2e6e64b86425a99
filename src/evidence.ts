/** What a check's verdicts rest on, as it is kept with the check: little of it, and none of what the stores hold at large. */
import type { ServiceStatus } from "./eidas/trust.ts";
import type { ValidityCheck } from "./eidas/validity.ts";
import type { RevocationSource } from "./revocation/revocation-status.ts";
import { writeName } from "./x509/name-text.ts";

export interface AnchorEvidence {
  readonly source: string;
  readonly jurisdiction: string;
  readonly serviceName: string;
  /** Oldest first; `from` is an ISO instant. */
  readonly periods: readonly { readonly status: ServiceStatus; readonly from: string }[];
  /** Of the list; null for one that was imported before they were kept. */
  readonly listSequenceNumber: number | null;
  /** ISO instants. */
  readonly listIssuedAt: string | null;
  readonly listNextUpdate: string | null;
}

export interface RevocationProof {
  /** SHA-256 of the certificate that the answer speaks of, lower-case hex, as every digest here. */
  readonly certificate: string;
  readonly source: RevocationSource;
  /** Where the answer came from; null when that is not known any more. */
  readonly url: string | null;
  /** Milliseconds since 1970: an OCSP answer's producedAt, a CRL's thisUpdate. */
  readonly producedAt: number;
  readonly nextUpdate: number | null;
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
      periods: anchor.periods.map(({ status, from }) => ({ status, from })),
      listSequenceNumber: anchor.listSequenceNumber ?? null,
      listIssuedAt: anchor.listIssuedAt ?? null,
      listNextUpdate: anchor.listNextUpdate,
    },
    path: path.map(({ subject, fingerprint }) => ({ subject: writeName(subject), sha256: fingerprint })),
    // the statuses are those of the path's certificates, in its order
    revocation: revocation.flatMap(({ source, nextUpdate, proof }, i) => {
      const certificate = path[i]?.fingerprint;
      return source && proof && certificate !== undefined ? [{ certificate, source, nextUpdate, ...proof }] : [];
    }),
  };
}
