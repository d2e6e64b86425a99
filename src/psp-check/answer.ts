/**
 * The answer to a PSP check, as it is sent and as it is kept. The kept form has nothing that belongs to one
 * request alone (id, instant, release, age), which the ledger's record has: equal answers are kept once.
 */

import { writeWarnings } from "../eidas/warnings.ts";
import { writeRequestTime } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import type { Version } from "../platform/version.ts";
import { checkRegisters } from "../registers/check.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import type { RegisterMaxAges } from "../registers/manifest.ts";
import { periodAt } from "../trust/service-status.ts";
import type { Decision } from "./decision.ts";
import type { AnchorEvidence } from "./evidence.ts";
import type { PspCheck } from "./psp-check.ts";
import { findOldest } from "./source-ages.ts";

/** What an answer says but for what belongs to the request alone. With `version` 1 there is no evidence. */
export type KeptPspCheck = ReturnType<typeof describeCheck>;

export interface RequestEvidence {
  /** The header `x-evidence-id`. */
  readonly id: string;
  readonly now: Instant;
  readonly release: string;
}

/** An answer as it is sent to a request. */
export function sendAnswer({ evidence, ...rest }: KeptPspCheck, { id, now, release }: RequestEvidence) {
  if (!evidence) return rest;
  const { oldest, ...held } = evidence;
  const aged = oldest && { ...oldest, age_seconds: ageInSeconds(oldest.at, now) };
  return { ...rest, evidence: { id, checked_at: writeRequestTime(now), release, ...held, oldest: aged } };
}

/** A source whose clock is ahead has no age. */
const ageInSeconds = (at: string, now: Instant): number => Math.max(0, Math.floor((now - Date.parse(at)) / 1000));

/**
 * The PSP check result in the interface's spelling. A missing value is "" where the interface has a string. Version
 * `latest` adds codes of warnings, the decision and the evidence, which lacks what belongs to one request alone.
 */
export function describeCheck(
  check: PspCheck,
  jurisdiction: string,
  version: Version,
  maxAges: RegisterMaxAges,
  now: Instant,
  decision: Decision,
) {
  const { psp, validity, warnings, home, host } = check;
  return {
    eIDAS: {
      validity,
      data: {
        QTSPCommonName: psp.QTSPCommonName ?? "",
        authNumber: psp.authNumber ?? "",
        pspSubjectName: psp.pspSubjectName ?? "",
      },
      ...writeWarnings(warnings, version === "latest"),
    },
    ...checkRegisters({
      authNumber: psp.authNumber,
      jurisdiction,
      home,
      host,
      subjectName: psp.pspSubjectName,
      now,
      maxAges,
      codes: version === "latest",
    }),
    ...(version === "latest" && { decision, evidence: describeEvidence(check, now) }),
  };
}

/** Times are ISO 8601 in UTC, digests SHA-256 in lower-case hex. */
function describeEvidence(check: PspCheck, now: Instant) {
  const { evidence, certificate, home, host } = check;
  const { anchor, path, revocation } = evidence;
  return {
    certificate,
    anchor: anchor && describeAnchor(anchor, now),
    path,
    revocation,
    registers: [home, host].flatMap((reading) => (reading === null ? [] : describeRegisters(reading))),
    oldest: findOldest(check),
  };
}

/** `status` and `since` are those of the period that contains `now`; null before the first. */
function describeAnchor({ serviceName: service, periods, ...anchor }: AnchorEvidence, now: Instant) {
  const { source, jurisdiction, listSequenceNumber, listIssuedAt, listNextUpdate } = anchor;
  const period = periodAt(periods, now);
  return {
    ...{ source, jurisdiction, service, status: period?.status ?? null, since: period?.from ?? null },
    ...{ listSequenceNumber, listIssuedAt, listNextUpdate },
  };
}

/** All sources that are loaded for the country. `snapshot` is a hash of the loaded data, as in GET /status. */
const describeRegisters = ({ manifests }: RegisterReading) =>
  manifests.map(({ country, source, hash: snapshot, published, dated, fetchedAt }) => ({
    ...{ country, source, snapshot, published },
    dated: dated ?? ("publication" as const),
    fetchedAt,
  }));
