/**
 * The four verdicts of the PSP check on a certificate, each false with a sentence that says why
 * (interface, "PSP check result"; design.md section 5).
 */
import type { RevocationStatus } from "../revocation/revocation.ts";
import type { ListedAnchor } from "../trust/anchors.ts";
import type { KnownAnchor } from "../trust/known-anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { buildPath, type PathFailure } from "../x509/path.ts";
import { describeFailure } from "./path-sentence.ts";
import type { QcClaims } from "./qc-statements.ts";
import { judgeQtsp } from "./qtsp.ts";

export interface Validity {
  validQTSP: boolean;
  validSignature: boolean;
  notRevoked: boolean;
  notExpired: boolean;
}

export interface ValidityCheck {
  readonly validity: Validity;
  /** A sentence for each false, opened by its field's name, and for what is stale. */
  readonly warnings: readonly string[];
  /** The listed service that the path ends at: the evidence for validQTSP. */
  readonly anchor: ListedAnchor | null;
  /** From the leaf to an anchor, every signature on it verified, whatever else is wrong with it; empty when there is none. */
  readonly path: readonly Certificate[];
  /** Of each certificate of the path but the anchor, leaf first; empty when the path is broken. */
  readonly revocation: readonly RevocationStatus[];
  /** Milliseconds since 1970: the check must be made anew from then on, because something that it rests on ends. */
  readonly validUntil: number;
}

export interface ValidityInput {
  readonly leaf: Certificate;
  readonly issuers: readonly Certificate[];
  /** The leaf's. */
  readonly claims: QcClaims;
  /** Listed services that bear the name of an issuer. */
  readonly anchors: readonly KnownAnchor[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Of each certificate but the anchor, leaf first; asked only for a path that stands. */
  readonly revocation: (path: readonly Certificate[]) => Promise<readonly RevocationStatus[]>;
}

/** What one question found: null when all is well, else the sentence that says why not. */
type Fault = string | null;

/** Judges a certificate and its path. Never throws because of what the certificates hold. */
export async function checkValidity(input: ValidityInput): Promise<ValidityCheck> {
  const { leaf, issuers, anchors, now } = input;
  const built = await buildPath({ leaf, issuers, anchors: anchors.map(({ certificate }) => certificate), now });
  const qtsp = judgeQtsp({ leaf, claims: input.claims, built, anchors, now });
  const statuses = built.ok ? await input.revocation(built.path) : [];
  const broken = built.ok ? null : describeBroken(built);
  const expired = judgePeriod(leaf, now);
  const revoked = built.ok
    ? statuses.flatMap(({ status, message }) => (status === "good" ? [] : [message]))
    : [broken?.revocation ?? ""];
  const validity = {
    validQTSP: qtsp.fault === null,
    validSignature: broken === null,
    notRevoked: revoked.length === 0,
    notExpired: expired === null,
  };
  return {
    validity,
    warnings: [
      ...sentence("validQTSP", qtsp.fault),
      ...sentence("validSignature", broken?.signature ?? null),
      ...revoked.flatMap((message) => sentence("notRevoked", message)),
      ...sentence("notExpired", expired),
      ...staleListWarning(qtsp.anchor, now),
    ],
    anchor: qtsp.anchor,
    path: built.ok || built.anchored ? built.path : [],
    revocation: statuses,
    validUntil: Math.min(
      ...ends([...built.path, leaf], now),
      ...statuses.map((status) => status.validUntil),
      ...listEnd(qtsp.anchor, now),
    ),
  };
}

/** What a path that does not stand means for two of the verdicts (interface, sandbox scenario 4; design.md section 5). */
function describeBroken(failure: PathFailure): { signature: string; revocation: string } {
  const { reason, message } = failure;
  const revocation = "revocation cannot be checked without a path that stands";
  switch (reason) {
    case "expired":
    case "not-yet-valid":
      return {
        signature: `a path with an expired certificate counts as broken: ${message}`,
        revocation: "a path with an expired certificate counts as revoked",
      };
    case "no-anchor":
      return { signature: `the signature cannot be verified: ${describeFailure(failure)}`, revocation };
    case "signature":
    case "rule":
    case "budget":
      return { signature: message, revocation };
  }
}

function judgePeriod({ notBefore, notAfter }: Certificate, now: number): Fault {
  // RFC 5280 section 4.1.2.5: both ends inclusive, at the granularity of a second
  const second = Math.floor(now / 1000) * 1000;
  if (second > notAfter) return `the certificate expired at ${new Date(notAfter).toISOString()}`;
  if (second < notBefore) return `the certificate is valid only from ${new Date(notBefore).toISOString()}`;
  return null;
}

function staleListWarning(anchor: ListedAnchor | null, now: number): string[] {
  const { listNextUpdate = null, jurisdiction = "", source = "" } = anchor ?? {};
  if (listNextUpdate === null || Date.parse(listNextUpdate) >= now) return [];
  return [`the ${source} trusted list of ${jurisdiction} is stale: its next update was due at ${listNextUpdate}`];
}

const sentence = (field: keyof Validity, fault: Fault): string[] => (fault === null ? [] : [`${field}: ${fault}`]);

/** Instants ahead at which a certificate's period begins or ends (the second after notAfter). */
const ends = (certificates: readonly Certificate[], now: number): number[] =>
  certificates.flatMap(({ notBefore, notAfter }) => [notBefore, notAfter + 1000]).filter((instant) => instant > now);

const listEnd = (anchor: ListedAnchor | null, now: number): number[] => {
  const end = anchor?.listNextUpdate ? Date.parse(anchor.listNextUpdate) : 0;
  return end >= now ? [end + 1] : [];
};
