/** A token as it was read now, or some seconds ago: for GET /v1/access, which loads this. */
import type { Instant } from "../platform/instant.ts";
import { keptIntrospections, lastChange, MAX_AGE_SECONDS } from "./kept-introspections.ts";
import { findInactivity, findIntrospection, type Introspection } from "./tokens.ts";

/** As {@link findIntrospection}, or what was read at most `maxAgeSeconds` before `now`. */
export async function findRecentIntrospection(
  db: D1Database,
  fiId: number,
  id: string,
  maxAgeSeconds: number,
  now: Instant,
): Promise<Introspection | null> {
  if (maxAgeSeconds === 0) return findIntrospection(db, fiId, id);
  const [key, after] = [`${fiId} ${id}`, lastChange()];
  const [kept, changed] = [keptIntrospections.get(key, now), keptIntrospections.get(`${fiId}`, now)];
  if (typeof kept === "object" && now < kept.readAt + maxAgeSeconds * 1000 && kept.after >= Number(changed ?? 0))
    return kept.introspection;
  const introspection = await findIntrospection(db, fiId, id);
  if (introspection && findInactivity(introspection, now) === null)
    keptIntrospections.set(key, { introspection, readAt: now, after }, now + MAX_AGE_SECONDS * 1000, now);
  return introspection;
}
