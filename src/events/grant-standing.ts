/** Stores what was true of a PSP when it was granted something. Loaded by the first grant of an isolate. */

import { callStore } from "../platform/stores.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import { readIssuers } from "./issuers.ts";
import { makeGrantStanding } from "./standing.ts";

// what is known already stays: it was told from there on
export const LEARN = `
  INSERT OR IGNORE INTO psp_standings (fi_id, psp_id, digest, standing, seen_at) VALUES (?1, ?2, ?3, ?4, ?5)`;

/**
 * `home`: as the check of the grant read it at `now` (milliseconds since 1970); who issued the PSP's certificates is read
 * here. `db`: the institution's. Throws StoreError.
 */
export async function storeGrantStanding(
  env: Pick<Env, "DB" | "KV">,
  db: D1Database,
  fiId: number,
  pspId: string,
  home: RegisterReading,
  now: number,
): Promise<void> {
  const [{ issuers } = { issuers: [] }] = await readIssuers(env.DB, env.KV, [pspId], now);
  const known = makeGrantStanding(home, issuers, now);
  if (!known) return;
  const learn = db.prepare(LEARN).bind(fiId, pspId, known.digest, known.standing, now);
  await callStore("D1", () => learn.run());
}
