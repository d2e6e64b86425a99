/** How often PSPs were refused in the last 30 days, and by what, from the ledger's own counters. */
import { askLedger } from "../../evidence/ledger/ask-ledger.ts";
import type { RefusalTotal, RefusedMost } from "../../evidence/ledger/traffic.ts";
import type { Instant } from "../../platform/instant.ts";
import { STORE_TIMEOUT_MS } from "../../platform/stores.ts";
import type { Chosen } from "../chosen-institution.tsx";
import type { Reader, Visit } from "../page.ts";
import { REMEDIES } from "../remedies.ts";
import { daysOf, readSpan } from "../traffic/summary.ts";

/**
 * What is no fault of the PSP, or of the QTSP that issued its certificate: what the bank's own system did wrong, the bank has
 * blocked, or the service failed at.
 */
const NOT_THE_PSPS: readonly string[] = Object.entries(REMEDIES).flatMap(([outcome, { whose }]) =>
  whose === "psp" || whose === "qtsp" ? [] : [outcome],
);

export const NOT_COUNTED = "The service keeps no records at present, so nothing is counted.";

/** As the page of records is asked for them. */
export const refusedDays = (now: Instant) => daysOf(readSpan("month", now));

/** Of these PSPs, each outcome; null: the service keeps no records, so nothing is counted. Throws StoreError. */
export async function readRefusals(
  { c, now }: Visit<Reader>,
  fi: Chosen,
  psps: readonly string[],
): Promise<RefusalTotal[] | null> {
  if (c.env.LEDGER_RECORDS === "off") return null;
  if (psps.length === 0) return [];
  const query = { ...refusedDays(now), psps: [...psps] };
  return await askLedger(c.env, fi.id, (ledger): Promise<RefusalTotal[]> => ledger.refusals(query), STORE_TIMEOUT_MS);
}

/** The most refused first, by what they or their QTSPs can mend. Throws StoreError. */
export const readMostRefused = ({ c, now }: Visit<Reader>, fi: Chosen, limit: number): Promise<RefusedMost[]> =>
  askLedger(
    c.env,
    fi.id,
    (ledger): Promise<RefusedMost[]> => ledger.mostRefused(refusedDays(now), NOT_THE_PSPS, limit),
    STORE_TIMEOUT_MS,
  );

/** What counts against each PSP, by number. */
export function countAgainst(refusals: readonly RefusalTotal[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { psp, outcome, requests } of refusals)
    if (!NOT_THE_PSPS.includes(outcome)) counts.set(psp, requests + (counts.get(psp) ?? 0));
  return counts;
}
