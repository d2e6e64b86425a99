/** The only clock: all other code takes the time as an argument. Milliseconds since 1970-01-01 UTC. */
export const now = (): number => Date.now();

/** Whole seconds, rounded down: the unit of the interface's `exp`, `iat` and `revoked_at`. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Reads the time (milliseconds since 1970) and waits (milliseconds). Tests replace it. */
export interface Clock {
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

export const clock: Clock = {
  now,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};
