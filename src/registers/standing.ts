/** What a PSP's home register says of it now, for those who ask about a scope that it was given before. Pure. */
import { findClosest, type Scope, SERVICE_OF_SCOPE } from "./entitlement.ts";
import type { RegisterReading } from "./lookup.ts";
import type { AuthorisationStatus } from "./psp-record.ts";
import { statusAt } from "./status.ts";

export interface Standing {
  readonly legalName: string | null;
  /** Of the categories that give the scope's service, else of all; the best if they differ. Null: not documented. */
  readonly status: AuthorisationStatus | null;
  /** The register says that the PSP may not use the scope: none of what it does not say. */
  readonly lost: boolean;
}

const BEST_FIRST: readonly AuthorisationStatus[] = ["Authorised", "Registered", "Withdrawn", "Unauthorised"];
const UNKNOWN: Standing = { legalName: null, status: null, lost: false };

/** `reading`: null if the register cannot be read. `now`: milliseconds since 1970. */
export function findStanding(reading: RegisterReading | null, scope: Scope, now: number): Standing {
  if (reading === null || reading.ambiguous) return UNKNOWN;
  const { given, closest } = findClosest(reading.categories, SERVICE_OF_SCOPE[scope]);
  const found = closest.map(({ psp, record }) => ({
    legalName: record.legalName,
    status: statusAt(psp, record, now),
  }));
  const status = BEST_FIRST.find((best) => found.some((category) => category.status === best)) ?? null;
  const named = found.find((category) => category.status === status);
  const lost = status === "Withdrawn" || status === "Unauthorised" || (status !== null && !given);
  return { legalName: named?.legalName ?? null, status, lost };
}
