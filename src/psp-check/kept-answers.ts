/**
 * The answers to cached checks: each is described once, and written and digested once for its evidence. That saves a seventh
 * of a seen check in version `latest` (docs/measurements.md). What belongs to one request alone is added later (answer.ts).
 */
import type { Instant } from "../platform/instant.ts";
import { memoryOf } from "../platform/memory.ts";
import type { Version } from "../platform/version.ts";
import { describeCheck, type KeptPspCheck } from "./answer.ts";
import { basisOf } from "./basis.ts";
import type { Decision, Place } from "./decision.ts";
import type { PspCheck } from "./psp-check.ts";

/** By all that decides what is said. An answer ends with its check, which ends before anything in its answer changes. */
const keptAnswers = memoryOf<KeptPspCheck>("answers");

/** As {@link describeCheck}: the same object for the same check, so that its digest is known (basis.ts). */
export function describeOnce(
  check: PspCheck,
  { jurisdiction, bankPassports }: { readonly jurisdiction: string } & Pick<Place, "bankPassports">,
  version: Version,
  now: Instant,
  decision: Decision,
): KeptPspCheck {
  const { madeAt, expiresAt, restsOn } = check;
  const describe = () => describeCheck(check, jurisdiction, version, restsOn.registerMaxAges, now, decision);
  // of a request that arrived before the check was made: yesterday, perhaps
  if (now < madeAt) return describe();
  const key = `${version} ${jurisdiction} ${bankPassports} ${madeAt} ${basisOf([check])}`;
  const kept = keptAnswers.get(key, now);
  if (kept) return kept;
  const answer = describe();
  keptAnswers.set(key, answer, expiresAt, now);
  return answer;
}
