/**
 * The evidence for the verdicts of a check: names, times and digests. Times are ISO 8601 in UTC, digests are SHA-256 in
 * lower-case hex.
 */

import type { ValidityCheck } from "../eidas/validity.ts";
import type { Instant } from "../platform/instant.ts";
import type { RevocationSource } from "../revocation/revocation-status.ts";
import type { ListedAnchor, ServiceStatus } from "../trust/anchors.ts";
import { writeName } from "../x509/name.ts";

export interface AnchorEvidence {
  readonly source: string;
  readonly jurisdiction: string;
  readonly serviceName: string;
  /** Oldest first. */
  readonly periods: readonly { readonly status: ServiceStatus; readonly from: string }[];
  /** Of the list. This and `listIssuedAt` are null if the list was imported before these fields existed. */
  readonly listSequenceNumber: number | null;
  readonly listIssuedAt: string | null;
  readonly listNextUpdate: string | null;
}

export interface RevocationProof {
  /** Digest of the certificate whose status this is. */
  readonly certificate: string;
  readonly source: RevocationSource;
  /** The URL of the OCSP response or CRL; null if it is no longer known. */
  readonly url: string | null;
  /** producedAt of an OCSP response, thisUpdate of a CRL. */
  readonly producedAt: string;
  /** In decimal; null for an OCSP response. */
  readonly crlNumber: string | null;
  readonly thisUpdate: string;
  readonly nextUpdate: string | null;
  /** Of the DER of the OCSP response or CRL. */
  readonly sha256: string;
}

export interface Evidence {
  /** The listed service that is nearest to the leaf on the path; null if there is none. */
  readonly anchor: AnchorEvidence | null;
  /** Leaf first, anchor last; empty if no path leads to an anchor. */
  readonly path: readonly { readonly subject: string; readonly sha256: string }[];
  /** The deciding OCSP response or CRL for each certificate of the path whose status is known. */
  readonly revocation: readonly RevocationProof[];
  /** The certificates of the path, by digest, that are not known to be good. For people: the answer's sentences name them. */
  readonly doubts: readonly { readonly certificate: string; readonly status: "revoked" | "unknown" }[];
}

export function gatherEvidence({ anchor, path, revocation }: ValidityCheck): Evidence {
  return {
    anchor: anchor && describeAnchor(anchor),
    path: path.map(({ subject, fingerprint }) => ({ subject: writeName(subject), sha256: fingerprint })),
    // one status for each certificate of the path, in the same order
    revocation: revocation.flatMap(({ source, thisUpdate, nextUpdate, proof }, i): RevocationProof[] => {
      const certificate = path[i]?.fingerprint;
      if (!source || !proof || thisUpdate === null || certificate === undefined) return [];
      const { url, producedAt, crlNumber, sha256 } = proof;
      return [
        {
          ...{ certificate, source, url, producedAt: writeTime(producedAt), crlNumber },
          ...{
            thisUpdate: writeTime(thisUpdate),
            nextUpdate: nextUpdate === null ? null : writeTime(nextUpdate),
            sha256,
          },
        },
      ];
    }),
    doubts: revocation.flatMap(({ status }, i) => {
      const certificate = path[i]?.fingerprint;
      return status === "good" || certificate === undefined ? [] : [{ certificate, status }];
    }),
  };
}

function describeAnchor(anchor: ListedAnchor): AnchorEvidence {
  const { source, jurisdiction, serviceName, periods } = anchor;
  const { listSequenceNumber = null, listIssuedAt, listNextUpdate } = anchor;
  return {
    ...{ source, jurisdiction, serviceName, listSequenceNumber },
    periods: periods.map(({ status, from }) => ({ status, from: writeInstant(from) })),
    listIssuedAt: listIssuedAt === undefined ? null : writeInstant(listIssuedAt),
    listNextUpdate: listNextUpdate === null ? null : writeInstant(listNextUpdate),
  };
}

const writeTime = (time: Instant): string => new Date(time).toISOString();
/** Normalises a time: lists have times with and without fractions of a second. */
const writeInstant = (instant: string): string => writeTime(Date.parse(instant));
