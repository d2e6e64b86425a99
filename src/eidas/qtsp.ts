/** Decides validQTSP: whether a listed service issued the certificate and was, and is, entitled to do so. */
import type { Instant } from "../platform/instant.ts";
import { countsUntil, type KnownAnchor, type ListedAnchor } from "../trust/anchors.ts";
import { findStatusFault } from "../trust/service-status.ts";
import type { Certificate } from "../x509/certificate.ts";
import { isCa, sameAuthority } from "../x509/chain-order.ts";
import type { PathResult } from "../x509/path.ts";
import type { QcClaims } from "./qc-statements.ts";
import { isOfTrustedList, judgeServices } from "./qualified-service.ts";
import { claimedUses, type PspUse } from "./qualified-use.ts";
import { describeFailure, nameOf } from "./sought-issuers.ts";

export interface QtspQuestion {
  readonly leaf: Certificate;
  readonly claims: QcClaims;
  readonly built: PathResult;
  /** See sought-issuers.ts. */
  readonly missing?: string | null;
  readonly anchors: readonly KnownAnchor[];
  readonly now: Instant;
}

/** Several listed services may have the same name and key. One that was and is entitled to issue is enough. */
export function judgeQtsp({ leaf, claims, built, missing, anchors, now }: QtspQuestion): {
  fault: string | null;
  anchor: ListedAnchor | null;
  /** What the certificate is qualified for; empty if there is a fault. */
  uses: readonly PspUse[];
  /** Only lists have the service that count no longer, as the list of lists that names them ended too long ago. */
  unvouched?: true;
} {
  const listed = findServices(built, anchors);
  if (isCa(leaf)) return { fault: describeCa(leaf), anchor: listed[0] ?? null, uses: [] };
  const services = listed.filter((anchor) => !isUnvouched(anchor, now));
  const [unvouched] = listed;
  if (unvouched && services.length === 0)
    return { fault: describeUnvouched(unvouched), anchor: unvouched, uses: [], unvouched: true };
  const [qualifying, ...moreQualifying] = services.filter(isOfTrustedList);
  const judgements = [
    ...(qualifying ? [judgeServices({ services: [qualifying, ...moreQualifying], leaf, claims, now })] : []),
    ...services
      .filter((anchor) => !isOfTrustedList(anchor))
      .map((anchor) => ({ fault: findOwnFault(anchor, leaf, claims, now), anchor, uses: claimedUses(claims.qcTypes) })),
  ];
  const chosen = judgements.find(({ fault }) => fault === null) ?? judgements[0];
  return chosen
    ? { fault: chosen.fault, anchor: chosen.anchor, uses: chosen.fault === null ? chosen.uses : [] }
    : {
        fault: built.ok ? "the path does not end at a listed service" : describeFailure(built, missing),
        ...{ anchor: null, uses: [] },
      };
}

const isUnvouched = ({ listOfListsNextUpdate: end }: ListedAnchor, now: Instant): boolean =>
  end !== undefined && (end === null || now > countsUntil(end));

const describeUnvouched = ({ source, jurisdiction, listOfListsNextUpdate: end = null }: ListedAnchor): string =>
  end === null
    ? `the ${source} trusted list of ${jurisdiction} does not count: the list of lists, which names it, is not loaded`
    : `the ${source} trusted list of ${jurisdiction} counts no longer: the next update of the list of lists, which names it, was due at ${end}`;

/** For sources that do not state uses. The certificate may lack a QcType, but must not have one for another use. */
function findOwnFault({ periods }: ListedAnchor, leaf: Certificate, { qcTypes }: QcClaims, now: Instant) {
  if (qcTypes.length > 0 && claimedUses(qcTypes).length === 0)
    return "the certificate's QcType is neither for website authentication nor for seals";
  return findStatusFault({ periods, use: null, issuedAt: leaf.notBefore, now });
}

/** RTS article 34 requires a certificate for seals or websites. A CA certificate is neither, even on a valid path. */
function describeCa({ subject }: Certificate): string {
  const name = nameOf(subject);
  return `the certificate is a CA's${name === null ? "" : ` (${name})`}, not a PSP's: send the PSP's own certificate`;
}

/**
 * On a path that is valid but for a period. A service is a name and key. The one nearest to the leaf decides: otherwise
 * a CA that certified a withdrawn service would let it pass.
 */
function findServices(built: PathResult, anchors: readonly KnownAnchor[]): ListedAnchor[] {
  const stands = built.ok || (built.anchored && (built.reason === "expired" || built.reason === "not-yet-valid"));
  if (!stands) return [];
  for (const issuer of built.path.slice(1)) {
    const services = anchors.filter(({ certificate }) => sameAuthority(certificate, issuer));
    if (services.length > 0) return services.map(({ listed }) => listed);
  }
  return [];
}
