/** How a PSP that an institution has met stands in its home register, in a word. Pure. */
import type { Instant } from "../platform/instant.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import { statusAt } from "../registers/status.ts";
import type { PspStanding } from "./standing.ts";

/**
 * `lost`: the register has it without a valid authorisation, or has it no longer. `absent`: not in the register, and it never
 * was seen there: its number may be another one there. `unknown`: no register is loaded, or it does not say.
 */
export type MetStanding = "authorised" | "lost" | "absent" | "unknown";

/** So much later a sight of a PSP that shows nothing new is noted again. */
export const SEEN_AGAIN_MS = 3_600_000;

/** As the home register of a check says; null: of no country. */
export function readMetStanding(home: RegisterReading | null, now: Instant): MetStanding {
  if (home === null || home.manifests.length === 0) return "unknown";
  return judge(
    home.ambiguous,
    home.categories.map(({ psp, record }) => statusAt(psp, record, now)),
  );
}

/** As a sweep has read it. */
export const metStandingOf = ({ ambiguous, categories }: PspStanding["register"]): MetStanding =>
  judge(
    ambiguous,
    categories.map(({ status }) => status),
  );

function judge(ambiguous: boolean, statuses: readonly (string | null)[]): MetStanding {
  if (ambiguous) return "unknown";
  if (statuses.length === 0) return "absent";
  if (statuses.some((status) => status === "Authorised" || status === "Registered")) return "authorised";
  return statuses.every((status) => status === null) ? "unknown" : "lost";
}
