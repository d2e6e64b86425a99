/**
 * The object `evidence`, which `version: latest` adds to the PSP check's answer: for a bank's audit trail. What belongs to
 * the request alone is added when the answer is written (kept-answer.ts).
 */

import type { RegisterReading } from "../registers/lookup.ts";
import { periodAt } from "../trust/service-status.ts";
import type { AnchorEvidence } from "./evidence.ts";
import { findOldest } from "./oldest-source.ts";
import type { PspCheck } from "./psp-check.ts";

/** Times are ISO 8601 in UTC, digests SHA-256 in lower-case hex. `now` in milliseconds since 1970. */
export function describeEvidence(check: PspCheck, now: number) {
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

/**
 * `status` and `since` are those of the period that contains `now` (milliseconds since 1970); null before the first.
 */
function describeAnchor({ serviceName: service, periods, ...anchor }: AnchorEvidence, now: number) {
  const { source, jurisdiction, listSequenceNumber, listIssuedAt, listNextUpdate } = anchor;
  const period = periodAt(periods, now);
  return {
    ...{ source, jurisdiction, service, status: period?.status ?? null, since: period?.from ?? null },
    ...{ listSequenceNumber, listIssuedAt, listNextUpdate },
  };
}

/** All sources that are loaded for the country. `snapshot` is a hash of the loaded data, as in GET /status. */
const describeRegisters = ({ manifests }: RegisterReading) =>
  manifests.map(({ country, source, hash: snapshot, published, fetchedAt }) => {
    return { country, source, snapshot, published, fetchedAt };
  });
