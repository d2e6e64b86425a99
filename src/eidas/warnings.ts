/** The warnings of the PSP check: sentences for people, each with a code (every-warning.ts). */
import type { WarningCode } from "./every-warning.ts";

export interface Warning {
  readonly code: WarningCode;
  readonly sentence: string;
}

export const warning = (code: WarningCode, sentence: string): Warning => ({ code, sentence });

export const withPlace = (place: string, warnings: readonly Warning[]): Warning[] =>
  warnings.map(({ code, sentence }) => ({ code, sentence: `${place}: ${sentence}` }));

/** The members `warning` and, with `codes`, `warning_codes` of an answer, in the same order; neither if there are none. */
export function writeWarnings(
  warnings: readonly Warning[],
  codes: boolean,
): { warning?: string[]; warning_codes?: WarningCode[] } {
  if (warnings.length === 0) return {};
  return {
    warning: warnings.map(({ sentence }) => sentence),
    ...(codes && { warning_codes: warnings.map(({ code }) => code) }),
  };
}
