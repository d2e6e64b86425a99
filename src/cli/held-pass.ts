/** The operator's pass of one command (src/institutions/operator-pass.ts), replaced before it ends: a large export takes longer. */
import { deletePass, insertPass, PASS_LIFETIME_MS } from "../institutions/operator-pass.ts";

const RENEW_AFTER_MS = PASS_LIFETIME_MS / 2;

export interface HeldPass {
  /** The pass to send at `now` (milliseconds since 1970); null if there is no such institution. */
  readonly current: (now: number) => Promise<string | null>;
  /** Deletes all that were made. */
  readonly end: () => Promise<void>;
}

/**
 * Requests are under way at once: they share one pass, and one that was replaced is good until the command ends, since
 * they may still carry it.
 */
export function holdPass(db: D1Database, fiReferenceId: string): HeldPass {
  const made: Promise<string | null>[] = [];
  let madeAt = Number.NEGATIVE_INFINITY;
  return {
    current: async (now) => {
      if (now >= madeAt + RENEW_AFTER_MS) {
        madeAt = now;
        made.push(insertPass(db, fiReferenceId, now));
      }
      return (await made.at(-1)) ?? null;
    },
    end: async () => {
      for (const each of await Promise.allSettled(made))
        if (each.status === "fulfilled" && each.value !== null) await deletePass(db, each.value);
    },
  };
}
