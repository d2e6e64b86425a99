/**
 * What a PSP may do: its entries in its home register, and whether the services that issued its certificates are
 * listed. An institution is notified of what differs between two such standings. Pure. The names of fields are those of events,
 * in which standings are written as they are.
 */
import { parseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import type { Instant } from "../platform/instant.ts";
import { hashText } from "../platform/node-crypto.ts";
import { shareReads } from "../psp-check/shared-reads.ts";
import { type RegisterReading, readRegister } from "../registers/lookup.ts";
import { servicesAbroad } from "../registers/passport.ts";
import { servicesOf } from "../registers/psp-record.ts";
import { statusAt } from "../registers/status.ts";
import { GRANTED, type IssuerStanding, type ReadIssuers, readIssuers } from "./issuers.ts";

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

export interface PspStanding {
  readonly register: RegisterStanding;
  readonly issuers: readonly IssuerStanding[];
}

/** The register's part at `now`; null if no register of the country is loaded. */
export function readRegisterStanding(reading: RegisterReading, now: Instant): RegisterStanding | null {
  if (reading.manifests.length === 0) return null;
  const categories = reading.categories.map(({ psp, record }) => ({
    category: record.category ?? (psp.agent ? "Agent" : "Not documented"),
    status: statusAt(psp, record, now),
    payment_services: [...servicesOf(record)],
    passports: servicesAbroad(record, reading.country, now),
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
 * What an institution is notified of. A certificate that is seen for the first time, or is granted again, is no news: the next
 * check says so by itself. What is noted of certificates was granted when they were shown.
 */
export function compareStandings(before: PspStanding, after: PspStanding): StandingChange[] {
  const changed = JSON.stringify(before.register) !== JSON.stringify(after.register);
  const withdrawn = after.issuers.flatMap((issuer) => {
    const lost = issuer.status === GRANTED ? [] : issuer.certificates.filter(wasGranted(before));
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
  ({ issuers }: PspStanding) =>
  (certificate: string): boolean => {
    const known = issuers.find(({ certificates }) => certificates.includes(certificate));
    return known === undefined || known.status === GRANTED;
  };

/**
 * Begins the digest of a standing that was learnt with a grant: what the register said then, and the issuers that were
 * noted by then, of which another isolate may not know yet. The next sweep completes it, and notifies what has changed.
 */
export const OF_GRANT = "register only ";

/** What is known with a grant, as it is stored; null if no register of the PSP's country was loaded. */
export function makeGrantStanding(home: RegisterReading, issuers: readonly IssuerStanding[], now: Instant) {
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

/** Null if no register of the PSP's country is loaded: then nothing is known, and nothing has changed. */
export function makeStanding(
  reading: RegisterReading | null,
  { issuers }: ReadIssuers,
  now: Instant,
): PspStanding | null {
  const register = reading && readRegisterStanding(reading, now);
  return register && { register, issuers };
}

/** Past the isolate's memory of readings, which may be older than the change. */
export async function readHomeRegister(kv: KVNamespace, pspId: string, now: Instant): Promise<RegisterReading | null> {
  const number = parseAuthorisationNumber(pspId);
  return number.ok ? await readRegister(kv, number.country, pspId, now) : null;
}

/** The PSP's standing now, as an institution that begins to watch it knows it; null if no register is loaded. */
export async function readStanding(env: Pick<Env, "DB" | "KV">, pspId: string, now: Instant) {
  const kv = shareReads(env.KV);
  const [reading, [issued = { issuers: [], evidence: new Map() }]] = await Promise.all([
    readHomeRegister(kv, pspId, now),
    readIssuers(env.DB, kv, [pspId], now),
  ]);
  const standing = makeStanding(reading, issued, now);
  if (standing === null) return null;
  const text = JSON.stringify(standing);
  return { digest: digestStanding(text), standing: text };
}
