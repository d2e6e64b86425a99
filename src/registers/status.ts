/** The authorisation status that the interface returns for a category at a given time. */
import { REGISTERED_INSTEAD_OF_AUTHORISED } from "./category.ts";
import type { AuthorisationStatus, CategoryRecord, PspRecord } from "./psp-record.ts";
import { registerDay } from "./register-day.ts";

/**
 * `Authorised`, `Registered`, `Unauthorised` or `Withdrawn`; null for agents, branches and undocumented categories,
 * whatever the register states. `now`: milliseconds since 1970; days are those of the PSP's home country.
 */
export function statusAt(
  psp: Pick<PspRecord, "agent" | "authNumber">,
  record: CategoryRecord,
  now: number,
): AuthorisationStatus | null {
  if (psp.agent || record.category === null || record.category === "Branch") return null;
  const { status: said } = record;
  const status =
    said === null || typeof said === "string" ? said : statusFromDays(said, registerDay(countryOf(psp), now));
  return status === "Authorised" && REGISTERED_INSTEAD_OF_AUTHORISED.has(record.category) ? "Registered" : status;
}

/** As the importer of the EBA's register, which alone names days, composed the number. */
const countryOf = ({ authNumber }: Pick<PspRecord, "authNumber">): string => authNumber.slice(3, 5);

/** Periods exclude their last day: on the day of a withdrawal the status is Withdrawn. */
function statusFromDays(days: readonly string[], today: string): AuthorisationStatus | null {
  if (days.length === 0) return null;
  const turns = days.filter((day) => day <= today).length;
  if (turns === 0) return "Unauthorised";
  return turns % 2 === 1 ? "Authorised" : "Withdrawn";
}
