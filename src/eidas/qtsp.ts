/** Whether a certificate's issuer is a QTSP that was, and is, approved to issue it: which listed service, and its status. */
import { sameBytes } from "../encoding.ts";
import type { Certificate } from "../x509/certificate.ts";
import { isCa } from "../x509/chain-order.ts";
import { findAttribute } from "../x509/name.ts";
import { sameName } from "../x509/names.ts";
import type { PathResult } from "../x509/path.ts";
import type { KnownAnchor } from "./known-anchors.ts";
import { USE_OF_QC_TYPE } from "./qc-statements.ts";
import { quote } from "./quotation.ts";
import { checkServiceStatus } from "./service-status.ts";
import type { CertificateUse, ListedAnchor } from "./trust.ts";

const COMMON_NAME = "2.5.4.3";
const ORGANIZATION_NAME = "2.5.4.10";

export interface QtspQuestion {
  readonly leaf: Certificate;
  /** Of the leaf: object identifiers. */
  readonly qcTypes: readonly string[];
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

/** One name and key may stand for several listed services: one that was and is granted for the use is enough. */
export function judgeQtsp({ leaf, qcTypes, built, anchors, now }: QtspQuestion): QtspJudgement {
  const services = findServices(built, anchors);
  if (isCa(leaf)) return { fault: describeCa(leaf), anchor: services[0] ?? null };
  const uses = usesOf(qcTypes);
  if (uses.length === 0)
    return {
      fault: "the certificate's QcType is neither for website authentication nor for seals",
      anchor: services[0] ?? null,
    };
  const judged = services.map((anchor) => {
    const checks = uses.map((use) =>
      checkServiceStatus({ periods: anchor.periods, use, issuedAt: leaf.notBefore, now }),
    );
    return { anchor, fault: checks.find((check) => !check.ok)?.message ?? null };
  });
  const chosen = judged.find(({ fault }) => fault === null) ?? judged[0];
  return chosen ?? { fault: built.ok ? "the path's end is on no list" : built.message, anchor: null };
}

/** RTS article 34 asks for a certificate for seals or websites, which a CA's is not, whoever certified it. */
function describeCa({ subject }: Certificate): string {
  const name = findAttribute(subject, COMMON_NAME) ?? findAttribute(subject, ORGANIZATION_NAME);
  return `the certificate is a CA's${name === null ? "" : ` (${quote(name)})`}, not a PSP's: send the PSP's own certificate`;
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

/**
 * What the service must be granted for: all that the certificate claims, of what a PSP's certificate may be for (RTS on
 * strong customer authentication, article 34: a seal or website authentication). One without QcType is not asked about a use.
 */
function usesOf(qcTypes: readonly string[]): (CertificateUse | null)[] {
  if (qcTypes.length === 0) return [null];
  const known: Readonly<Record<string, CertificateUse>> = USE_OF_QC_TYPE;
  return qcTypes.flatMap((oid) => known[oid] ?? []).filter((use) => use !== "signature");
}
