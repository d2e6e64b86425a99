/** Reads the time (milliseconds since 1970-01-01 UTC) and waits (milliseconds). Tests replace it. */
export interface Clock {
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

/** The only clock. Handlers, middleware and commands read it, as `now`; all other code takes `now` as an argument. */
export const clock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Whole seconds, rounded down: the unit of the interface's `exp`, `iat` and `revoked_at`. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
