/**
 * What a PSP may do: its entries in its home register, and whether the services that issued its certificates are
 * listed. An institution is told what differs between two such standings. Pure. The names of fields are those of events,
 * in which standings are written as they are.
 */
import { hashText } from "../platform/node-crypto.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import { servicesOf } from "../registers/psp-record.ts";
import { statusAt } from "../registers/status.ts";

interface CategoryStanding {
  /** "Agent" and "Not documented" stand for what the interface has no category for. */
  readonly category: string;
  readonly status: string | null;
  /** 1 to 8, in the home country. */
  readonly payment_services: readonly number[];
  /** ISO country -> payment services there. */
  readonly passports: Readonly<Record<string, readonly number[]>>;
}

interface RegisterStanding {
  /** Several entries have the PSP's number, so none of them is used. */
  readonly ambiguous: boolean;
  /** Empty if the PSP is not in the register. */
  readonly categories: readonly CategoryStanding[];
}

/** A listed CA/QC service that issued certificates of the PSP, and whether a check says yes to these. */
export interface IssuerStanding {
  /** Of its list. */
  readonly source: string;
  readonly jurisdiction: string;
  readonly service: string;
  /** SHA-256 of the service's certificate. */
  readonly anchor: string;
  /** {@link GRANTED}: yes; else as on the list (ETSI TS 119 612 clause 5.5.4), {@link NOT_LISTED} or {@link NOT_QUALIFIED}. */
  readonly status: string;
  /** Why not, as a check says it; absent for a yes. */
  readonly reason?: string;
  /** SHA-256 of the PSP's certificates of which this is so, sorted; absent in what was stored before 0.8.0. */
  readonly certificates?: readonly string[];
}

export interface PspStanding {
  readonly register: RegisterStanding;
  readonly issuers: readonly IssuerStanding[];
}

/** Of a service that its list no longer has. */
export const NOT_LISTED = "not listed";
/** Of a service that is granted, but for other certificates: for another use, or by what else the list says of them. */
export const NOT_QUALIFIED = "not qualified";
export const GRANTED = "granted";

/** The register's part at `now` (milliseconds since 1970); null if no register of the country is loaded. */
export function readRegisterStanding(reading: RegisterReading, now: number): RegisterStanding | null {
  if (reading.manifests.length === 0) return null;
  const categories = reading.categories.map(({ psp, record }) => ({
    category: record.category ?? (psp.agent ? "Agent" : "Not documented"),
    status: statusAt(psp, record, now),
    payment_services: [...servicesOf(record)],
    passports: Object.fromEntries(Object.entries(record.passportOut).sort(([a], [b]) => compare(a, b))),
  }));
  return {
    ambiguous: reading.ambiguous,
    // the registers' own order says nothing
    categories: categories.sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b))),
  };
}

export type StandingChange =
  | { readonly type: "psp.status_changed"; readonly before: RegisterStanding; readonly after: RegisterStanding }
  | { readonly type: "qtsp.withdrawn"; readonly before: IssuerStanding; readonly after: IssuerStanding };

/**
 * What an institution is told. A certificate that is seen for the first time, or is granted again, is no news: the next
 * check says so by itself. What is noted of certificates was granted when they were shown.
 */
export function compareStandings(before: PspStanding, after: PspStanding): StandingChange[] {
  const changed = JSON.stringify(before.register) !== JSON.stringify(after.register);
  const withdrawn = after.issuers.flatMap((issuer) => {
    const lost = issuer.status === GRANTED ? [] : (issuer.certificates ?? []).filter(wasGranted(before, issuer));
    if (lost.length === 0) return [];
    const { source, jurisdiction, service, anchor } = issuer;
    const known = { source, jurisdiction, service, anchor, status: GRANTED, certificates: lost };
    return [{ type: "qtsp.withdrawn", before: known, after: { ...issuer, certificates: lost } } as const];
  });
  return [
    ...(changed ? [{ type: "psp.status_changed", before: before.register, after: after.register } as const] : []),
    ...withdrawn,
  ];
}

const wasGranted =
  ({ issuers }: PspStanding, { anchor }: IssuerStanding) =>
  (certificate: string): boolean => {
    const known = issuers.find((issuer) => issuer.certificates?.includes(certificate) ?? issuer.anchor === anchor);
    return known === undefined || known.status === GRANTED;
  };

/**
 * Begins the digest of a standing that was learnt with a grant: what the register said then, and the issuers that were
 * noted by then, of which another isolate may not know yet. The next sweep completes it, and tells what has changed
 * since. Its text is that of 0.6.0, which stored no issuers.
 */
export const OF_GRANT = "register only ";

/** What is known with a grant, as it is stored; null if no register of the PSP's country was loaded. */
export function makeGrantStanding(home: RegisterReading, issuers: readonly IssuerStanding[], now: number) {
  const register = readRegisterStanding(home, now);
  if (register === null) return null;
  const standing = JSON.stringify({ register, issuers } satisfies PspStanding);
  return { digest: `${OF_GRANT}${digestStanding(standing)}`, standing };
}

/** Whether a sweep that looks for PSPs that are new looks at this one. `digest`: null if nothing is known. */
export const isIncomplete = (digest: string | null): boolean => digest === null || digest.startsWith(OF_GRANT);

/** SHA-256 of the standing's JSON, in lower-case hex. */
export const digestStanding = (text: string): string => hashText("sha256", text);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
