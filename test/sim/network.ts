/** What the Worker fetches. Nothing outside is simulated yet: every host is unreachable, after a while. */
import type { Isolate } from "./isolate.ts";
import type { Random } from "./random.ts";

const UNREACHABLE_MS = { from: 5, to: 500 } as const;

export const unreachable =
  (random: Random) =>
  (isolate: Isolate): Promise<Response> =>
    new Promise((_, reject) =>
      isolate.after(random.between(UNREACHABLE_MS.from, UNREACHABLE_MS.to), () =>
        reject(new Error("Network connection lost.")),
      ),
    );
