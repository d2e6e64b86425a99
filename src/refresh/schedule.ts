/** When a task is due again. Pure; times in milliseconds since 1970. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Names of tasks; each published list has one of its own: {@link trustTask}. */
/** One for all countries. */
export const EBA_TASK = "register/eba";
export const CRL_TASK = "crl";
export const RETENTION_TASK = "retention";
/** Registers that are brought by hand. */
export const registerTask = (source: string, country: string): string => `register/${source}/${country}`;
export const trustTask = (source: string, jurisdiction: string): string => `trust/${source}/${jurisdiction}`;

/** How long after a success a task is due again. */
export function intervalOf(task: string): number {
  switch (task) {
    case EBA_TASK:
      return 8 * HOUR_MS;
    case CRL_TASK:
      return 30 * MINUTE_MS;
    case RETENTION_TASK:
      return 24 * HOUR_MS;
    default:
      return HOUR_MS;
  }
}

const FIRST_RETRY_MS = 2 * MINUTE_MS;

/** After `failures` in a row: 2, 4, 8 ... minutes, but never later than if it had succeeded. */
export const retryAt = (task: string, failures: number, now: number): number =>
  now + Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 16), intervalOf(task));
