/** The only clock: everything else is told what time it is. Milliseconds since 1970-01-01 UTC. */
export const now = (): number => Date.now();

/** Whole seconds, as the interface's `exp`, `iat` and `revoked_at` are. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** For what both looks at the time and lets it pass: a test brings its own. */
export interface Clock {
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

export const clock: Clock = {
  now,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};
