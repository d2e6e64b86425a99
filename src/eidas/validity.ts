/** The four verdicts of the PSP check (interface, "PSP check result"). Each that is false comes with a sentence. */

import type { Instant } from "../platform/instant.ts";
import type { SignerPath } from "../revocation/revocation-sources.ts";
import type { RevocationStatus } from "../revocation/revocation-status.ts";
import { countsUntil, isStale, type KnownAnchor, type ListedAnchor } from "../trust/anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { sameName } from "../x509/name.ts";
import { buildPath, type PathFailure, type PathResult } from "../x509/path.ts";
import { MAX_INTERMEDIATES, type PathBudget, startBudget } from "../x509/path-budget.ts";
import { findPeriodProblem } from "../x509/path-rules.ts";
import { listCrlSigners } from "./crl-signers.ts";
import type { QcClaims } from "./qc-statements.ts";
import { judgeQtsp } from "./qtsp.ts";
import type { PspUse } from "./qualified-use.ts";
import type { WithheldAnchors } from "./sandbox-issuer.ts";
import { describeFailure, describeSought, explainMissing, type SoughtIssuers } from "./sought-issuers.ts";
import type { SentBefore } from "./stranger.ts";
import type { VerdictName } from "./verdicts.ts";
import { type Warning, warning, withPlace } from "./warnings.ts";

export type Validity = { [Name in VerdictName]: boolean };

export interface ValidityCheck {
  readonly validity: Validity;
  readonly warnings: readonly Warning[];
  /** What the certificate is qualified for; empty unless validQTSP is true. */
  readonly uses: readonly PspUse[];
  /** The listed service that is nearest to the leaf on the path: the evidence for validQTSP. */
  readonly anchor: ListedAnchor | null;
  /** From the leaf to an anchor, all signatures verified; it may break another rule. Empty if there is none. */
  readonly path: readonly Certificate[];
  /** One for each certificate of the path except the anchor, leaf first; empty if the path is invalid. */
  readonly revocation: readonly RevocationStatus[];
  /** The certificate of the longest path whose issuer is not there; null if there is a path, or another fault. */
  readonly withoutIssuer: Certificate | null;
  /** From then on the check must be repeated, because one of its inputs changes or expires. */
  readonly validUntil: Instant;
}

export interface ValidityInput {
  readonly leaf: Certificate;
  readonly issuers: readonly Certificate[];
  /** The one of the issuers that was sent before all others; absent if the leaf was. */
  readonly first?: Certificate;
  /** Whether leaf and issuers were joined by commas, as what several senders add is, too. */
  readonly joined?: boolean;
  readonly sought?: SoughtIssuers | undefined;
  readonly claims: QcClaims;
  readonly anchors: readonly KnownAnchor[];
  /** Absent: there are none. */
  readonly withheld?: WithheldAnchors | undefined;
  readonly now: Instant;
  readonly budget?: PathBudget | undefined;
}

/** The path by which a certificate is judged, before its revocation is known. */
export interface FoundPath {
  readonly built: PathResult;
  /** Whose revocation is to be asked for, leaf first and anchor last; empty if there is no valid path. */
  readonly path: readonly Certificate[];
  /** Whose keys may have signed CRLs beside the issuers on the path. */
  readonly signers: readonly SignerPath[];
}

// loaded where it is needed: nearly every PSP sends its own certificate first
const findStranger = async (sent: SentBefore) => (await import("./stranger.ts")).findStranger(sent);
// and no production service has a sandbox's list
const loadSandboxIssuer = () => import("./sandbox-issuer.ts");

/** Builds the path of a certificate. Does not throw, whatever the certificates contain. */
export async function findPath(input: ValidityInput): Promise<FoundPath> {
  const { leaf, issuers, first, joined = false, sought, anchors, withheld, now, budget = startBudget() } = input;
  const trusted = anchors.map(({ certificate }) => certificate);
  const candidates = [...issuers, ...(sought?.issuers ?? []).map(({ certificate }) => certificate)];
  const own = await buildPath({ leaf, issuers: candidates, anchors: trusted, now, budget });
  const suspects = joined ? issuers : first ? [first] : [];
  const built =
    (suspects.length > 0 &&
      (await findStranger({ leaf, suspects, joined, built: own, anchors: trusted, now, budget }))) ||
    (withheld &&
      !own.ok &&
      own.reason === "no-anchor" &&
      (await (await loadSandboxIssuer()).findSandboxIssuer({ leaf, issuers: candidates, withheld, now, budget }))) ||
    own;
  if (!built.ok) return { built, path: [], signers: [] };
  const { path } = built;
  return { built, path, signers: await listCrlSigners({ path, issuers, anchors, now, budget }) };
}

/** Judges a certificate. `statuses`: of the certificates of the found path but the anchor, leaf first. Does not throw either. */
export function judgeValidity(
  { leaf, sought, claims, anchors, now }: ValidityInput,
  { built }: FoundPath,
  statuses: readonly RevocationStatus[],
): ValidityCheck {
  const missing = sought?.missing ? explainMissing(sought.missing) : null;
  const qtsp = judgeQtsp({ leaf, claims, built, missing, anchors, now });
  const broken = built.ok ? null : describeBroken(built, missing);
  const period = findPeriodProblem(leaf, now);
  const revoked = broken ? [broken.revocation] : statuses.flatMap(describeRevocation);
  const validity = {
    validQTSP: qtsp.fault === null,
    validSignature: broken === null,
    notRevoked: revoked.length === 0,
    notExpired: period === null,
  };
  return {
    validity,
    warnings: [
      ...withPlace(
        "validQTSP",
        qtsp.fault === null ? [] : [warning(qtsp.unvouched ? "list_of_lists_expired" : "qtsp_invalid", qtsp.fault)],
      ),
      ...withPlace("validSignature", broken ? [warning("signature_invalid", broken.signature)] : []),
      ...withPlace("notRevoked", revoked),
      ...withPlace("notExpired", period ? [warning("certificate_expired", `the certificate ${period.message}`)] : []),
      ...staleListWarning(qtsp.anchor, now),
      ...statuses.flatMap(({ caution }) => (caution ? [warning("ocsp_responder_unchecked", caution)] : [])),
      ...(sought ? describeSought(sought) : []),
    ],
    uses: qtsp.uses,
    anchor: qtsp.anchor,
    path: built.ok || built.anchored ? built.path : [],
    revocation: statuses,
    withoutIssuer: built.ok ? null : findWithoutIssuer(built),
    validUntil: Math.min(
      ...ends([...built.path, leaf], now),
      ...statuses.map((status) => status.validUntil),
      ...listEnds(qtsp.anchor, now),
      // the next request has what is being fetched
      ...(sought?.missing?.fault === null ? [now] : []),
    ),
  };
}

/** Above a root there is nothing, and a path that is too long would not be shorter. */
const findWithoutIssuer = ({ reason, at, path }: PathFailure): Certificate | null =>
  reason !== "no-anchor" || !at || sameName(at.issuer, at.subject) || path.length > MAX_INTERMEDIATES ? null : at;

/** Both are false: a path with an expired certificate counts as revoked, too (interface, sandbox scenario 4). */
function describeBroken(failure: PathFailure, missing: string | null): { signature: string; revocation: Warning } {
  const { reason, message } = failure;
  const revocation = warning("revocation_unknown", "revocation cannot be checked without a valid certificate path");
  switch (reason) {
    case "expired":
    case "not-yet-valid":
      return {
        signature: `a path with an expired certificate counts as broken: ${message}`,
        revocation: warning("certificate_revoked", "a path with an expired certificate counts as revoked"),
      };
    case "no-anchor":
      return { signature: `the signature cannot be verified: ${describeFailure(failure, missing)}`, revocation };
    case "signature":
    case "rule":
    case "budget":
      return { signature: message, revocation };
  }
}

const describeRevocation = ({ status, message }: RevocationStatus): Warning[] =>
  status === "good" ? [] : [warning(status === "revoked" ? "certificate_revoked" : "revocation_unknown", message)];

function staleListWarning(anchor: ListedAnchor | null, now: Instant): Warning[] {
  if (!anchor) return [];
  const { listNextUpdate: nextUpdate = null, listOfListsNextUpdate: end, jurisdiction, source } = anchor;
  const list = `the ${source} trusted list of ${jurisdiction}`;
  const why =
    nextUpdate === null ? "closed: no update of it will come" : `stale: its next update was due at ${nextUpdate}`;
  const stale = (sentence: string) => warning("trusted_list_stale", sentence);
  return [
    // of a list that has this one
    ...(isStale({ source, nextUpdate, granted: 1 }, now) ? [stale(`${list} is ${why}`)] : []),
    ...(end != null && now > Date.parse(end) && now <= countsUntil(end)
      ? [
          stale(
            `the list of lists, which names ${list}, is stale: its next update was due at ${end}, and no trusted list counts after ${new Date(countsUntil(end)).toISOString()}`,
          ),
        ]
      : []),
  ];
}

/** The times after `now`, at which a certificate becomes valid or is no longer valid. */
const ends = (certificates: readonly Certificate[], now: Instant): Instant[] =>
  certificates.flatMap(({ notBefore, notAfter }) => [notBefore, notAfter + 1000]).filter((instant) => instant > now);

const listEnds = (anchor: ListedAnchor | null, now: Instant): Instant[] => {
  const { listNextUpdate: end = null, listOfListsNextUpdate: listOfListsEnd = null } = anchor ?? {};
  return [
    ...(end === null ? [] : [Date.parse(end)]),
    ...(listOfListsEnd === null ? [] : [Date.parse(listOfListsEnd), countsUntil(listOfListsEnd)]),
  ].flatMap((instant) => (instant >= now ? [instant + 1] : []));
};
