/** The object `evidence` of the PSP check's answer, which `version: latest` adds: what a bank shows its auditor. */
import { periodAt } from "../../eidas/service-status.ts";
import type { AnchorEvidence } from "../../evidence.ts";
import type { PspCheck } from "../../psp-check.ts";
import type { RegisterReading } from "../../registers/reading.ts";

/** Times are ISO 8601 in UTC, digests SHA-256 in lower-case hex. `now` in milliseconds since 1970. */
export function describeEvidence({ evidence, home, host }: PspCheck, now: number) {
  const { anchor, path, revocation } = evidence;
  return {
    anchor: anchor && describeAnchor(anchor, now),
    path,
    revocation: revocation.map(({ certificate, source, url, producedAt, nextUpdate, sha256 }) => ({
      ...{ certificate, source, url, producedAt: writeTime(producedAt) },
      ...{ nextUpdate: nextUpdate === null ? null : writeTime(nextUpdate), sha256 },
    })),
    registers: [home, host].flatMap((reading) => (reading === null ? [] : describeRegisters(reading))),
  };
}

/** `status` and `since` are of the period that `now` is in; null before the first one. */
function describeAnchor(anchor: AnchorEvidence, now: number) {
  const { source, jurisdiction, serviceName: service, listSequenceNumber, listIssuedAt, listNextUpdate } = anchor;
  const period = periodAt(anchor.periods, now);
  return {
    ...{ source, jurisdiction, service },
    ...{ status: period?.status ?? null, since: writeInstant(period?.from ?? null) },
    listSequenceNumber,
    listIssuedAt: writeInstant(listIssuedAt),
    listNextUpdate: writeInstant(listNextUpdate),
  };
}

/** Each source that is loaded for the country. `snapshot` changes exactly when what is loaded does, as in GET /status. */
const describeRegisters = ({ manifests }: RegisterReading) =>
  manifests.map(({ country, source, hash, published, fetchedAt }) => ({
    ...{ country, source, snapshot: hash },
    ...{ published: writeInstant(published), fetchedAt: writeInstant(fetchedAt) },
  }));

const writeTime = (time: number): string => new Date(time).toISOString();
/** Lists and registers write instants with any offset, and with or without a fraction. */
const writeInstant = (instant: string | null): string | null =>
  instant === null ? null : writeTime(Date.parse(instant));
