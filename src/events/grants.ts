/**
 * What an institution knows of a PSP when it grants it something, noted behind the answer: so that it is told of every
 * change after the check of that grant. Without it the hourly sweep would take for known what is there by then. Once an
 * hour for each isolate, institution and PSP.
 */

import type { Client } from "../grants/client.ts";
import { databaseOf, type Placed } from "../institutions/databases.ts";
import { noteOnce, type UnderWay } from "./noted.ts";

/** What a sweep has forgotten meanwhile, for want of interest, is noted again. */
const NOTED_MS = 3_600_000;

/**
 * A failure is logged only: then the hourly sweep learns the PSP. `noted`: the note of the request's certificate, if it is
 * under way (certificates.ts): it says who issued it. `now`: milliseconds since 1970.
 */
export function noteGrant(
  env: Pick<Env, "DB" | "KV">,
  ctx: Pick<ExecutionContext, "waitUntil">,
  fi: Placed & { readonly id: number },
  { pspId, home }: Pick<Client, "pspId" | "home">,
  noted: UnderWay | null,
  now: number,
): void {
  const key = `${fi.id} ${pspId}`;
  noteOnce(ctx, key, { now, lifetimeMs: NOTED_MS }, "standing_not_noted", async () => {
    const { storeGrantStanding } = await import("./grant-standing.ts");
    await noted?.done;
    await storeGrantStanding(env, databaseOf(env, fi), fi.id, pspId, await home, now);
  });
}
