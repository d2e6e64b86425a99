/** The names of the verdicts and the codes of their warnings. Computed when the Worker is built: the texts stay out of it. */
import { VERDICTS, type VerdictCode, type VerdictError, type VerdictName } from "./verdicts.ts";

/** In the order of the answer. */
export const VERDICT_NAMES = Object.keys(VERDICTS) as VerdictName[];

/** The codes of a false verdict's warnings, which are its reasons. The first is also the code of the 401, and of the log line. */
export const VERDICT_CODES = Object.fromEntries(
  Object.entries(VERDICTS).map(([name, { warnings }]) => [name, warnings.map(({ code }) => code)]),
) as Record<VerdictName, [VerdictError, ...VerdictCode[]]>;

/** In the order in which they refuse: expiry comes first, since it also breaks the path, and what is said of that follows from it. */
export const REFUSING = [...new Set<VerdictName>(["notExpired", ...VERDICT_NAMES])];
