/** Whether a certificate's issuer is a QTSP that was, and is, approved to issue it: which listed service, and its status. */
import { sameBytes } from "../encoding.ts";
import type { ListedAnchor } from "../trust/anchors.ts";
import type { KnownAnchor } from "../trust/known-anchors.ts";
import { checkServiceStatus } from "../trust/service-status.ts";
import type { Certificate } from "../x509/certificate.ts";
import { isCa } from "../x509/chain-order.ts";
import { sameName } from "../x509/names.ts";
import type { PathResult } from "../x509/path.ts";
import { describeFailure, nameOf } from "./path-sentence.ts";
import type { QcClaims } from "./qc-statements.ts";
import { isOfTrustedList, judgeServices } from "./qualified-service.ts";
import { claimedUses } from "./qualified-use.ts";

export interface QtspQuestion {
  readonly leaf: Certificate;
  /** The leaf's. */
  readonly claims: QcClaims;
  readonly built: PathResult;
  /** Listed services that bear the name of an issuer. */
  readonly anchors: readonly KnownAnchor[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface QtspJudgement {
  /** Null when the QTSP is approved, else the sentence that says why not. */
  readonly fault: string | null;
  /** The listed service: the evidence; null when there is none. */
  readonly anchor: ListedAnchor | null;
}

/** One name and key may stand for several listed services: one that was and is entitled to the certificate is enough. */
export function judgeQtsp({ leaf, claims, built, anchors, now }: QtspQuestion): QtspJudgement {
  const services = findServices(built, anchors);
  if (isCa(leaf)) return { fault: describeCa(leaf), anchor: services[0] ?? null };
  const [qualifying, ...moreQualifying] = services.filter(isOfTrustedList);
  const judged = [
    ...(qualifying ? [judgeServices({ services: [qualifying, ...moreQualifying], leaf, claims, now })] : []),
    ...services
      .filter((anchor) => !isOfTrustedList(anchor))
      .map((anchor) => ({ fault: findStatusFault(anchor, leaf, claims, now), anchor })),
  ];
  const chosen = judged.find(({ fault }) => fault === null) ?? judged[0];
  return chosen
    ? { fault: chosen.fault, anchor: chosen.anchor }
    : { fault: built.ok ? "the path's end is on no list" : describeFailure(built), anchor: null };
}

/** Of a source that says nothing of uses. A certificate need not say of itself what it is for, but may not say otherwise. */
function findStatusFault({ periods }: ListedAnchor, leaf: Certificate, { qcTypes }: QcClaims, now: number) {
  if (qcTypes.length > 0 && claimedUses(qcTypes).length === 0)
    return "the certificate's QcType is neither for website authentication nor for seals";
  const check = checkServiceStatus({ periods, use: null, issuedAt: leaf.notBefore, now });
  return check.ok ? null : check.message;
}

/** RTS article 34 asks for a certificate for seals or websites, which a CA's is not, whoever certified it. */
function describeCa({ subject }: Certificate): string {
  const name = nameOf(subject);
  return `the certificate is a CA's${name === null ? "" : ` (${name})`}, not a PSP's: send the PSP's own certificate`;
}

/**
 * The listed services that issued what is on a path that stands, or would but for a certificate's period. A service is
 * its name and key, whichever of its certificates the path goes by; the one nearest to the leaf decides, so that a
 * withdrawn service is not passed over by way of whoever certified it.
 */
function findServices(built: PathResult, anchors: readonly KnownAnchor[]): ListedAnchor[] {
  const stands = built.ok || (built.anchored && (built.reason === "expired" || built.reason === "not-yet-valid"));
  if (!stands) return [];
  for (const issuer of built.path.slice(1)) {
    const services = anchors.filter(({ certificate }) => isSameService(certificate, issuer));
    if (services.length > 0) return services.map(({ listed }) => listed);
  }
  return [];
}

const isSameService = (a: Certificate, b: Certificate): boolean =>
  sameName(a.subject, b.subject) && sameBytes(a.publicKey.spki, b.publicKey.spki);
