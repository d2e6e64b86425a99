/**
 * The four verdicts of the PSP check on a certificate, each false with a sentence that says why
 * (interface, "PSP check result"; design.md section 5).
 */
import { fromBase64 } from "../encoding.ts";
import type { Certificate } from "./certificate.ts";
import { parseCertificate } from "./certificate.ts";
import { buildPath } from "./path.ts";
import { USE_OF_QC_TYPE } from "./qc-statements.ts";
import type { RevocationStatus } from "./revocation.ts";
import { checkServiceStatus } from "./service-status.ts";
import type { CertificateUse, ListedAnchor } from "./trust.ts";

export interface Validity {
  validQTSP: boolean;
  validSignature: boolean;
  notRevoked: boolean;
  notExpired: boolean;
}

export interface ValidityCheck {
  readonly validity: Validity;
  /** A sentence for each false, and for what is stale. */
  readonly warnings: readonly string[];
  /** The listed service that the path ends at: the evidence for validQTSP. */
  readonly anchor: ListedAnchor | null;
  /** Milliseconds since 1970: the check must be made anew from then on, because something that it rests on ends. */
  readonly validUntil: number;
}

export interface ValidityInput {
  readonly leaf: Certificate;
  readonly issuers: readonly Certificate[];
  readonly qcTypes: readonly string[];
  /** Listed services that bear the name of an issuer. */
  readonly anchors: readonly ListedAnchor[];
  readonly now: number;
  /** Of each certificate but the anchor, leaf first; asked only for a path that stands. */
  readonly revocation: (path: readonly Certificate[]) => Promise<readonly RevocationStatus[]>;
}

export async function checkValidity(input: ValidityInput): Promise<ValidityCheck> {
  const { leaf, issuers, anchors, now } = input;
  const listed = anchors.flatMap((anchor) => parseAnchor(anchor));
  const built = await buildPath({ leaf, issuers, anchors: listed.map(({ certificate }) => certificate), now });
  const qtsp = judgeQtsp(input, listed, built);
  const revoked = await judgeRevocation(input, built);
  const expired = judgePeriod(leaf, now);
  const validity = {
    validQTSP: qtsp.warning === null,
    validSignature: built.ok,
    notRevoked: revoked.warnings.length === 0,
    notExpired: expired === null,
  };
  const warnings = [
    ...(qtsp.warning === null ? [] : [`validQTSP: ${qtsp.warning}`]),
    ...(built.ok ? [] : [`validSignature: ${built.message}`]),
    ...revoked.warnings.map((warning) => `notRevoked: ${warning}`),
    ...(expired === null ? [] : [`notExpired: ${expired}`]),
    ...staleListWarning(qtsp.anchor, now),
  ];
  return {
    validity,
    warnings,
    anchor: qtsp.anchor,
    validUntil: Math.min(...ends(leaf, built, qtsp.anchor, now), revoked.validUntil),
  };
}
