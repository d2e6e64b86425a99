/** What `status` and `doctor` read of a service's stores. */
import { findCopyFaults } from "../institution-placement.ts";
import { readListOfLists } from "../refresh/published-list.ts";
import { readRootOfTrust } from "../refresh/root-of-trust.ts";
import { readStatus } from "../refresh/status.ts";
import { callStore } from "../store-error.ts";
import { readDatabases } from "./database-reading.ts";

/** `now`: milliseconds since 1970. Throws StoreError. */
export async function readSources(env: Env, now: number) {
  const [status, databases, copies, listOfLists] = await Promise.all([
    readStatus(env, now),
    callStore("D1", () => readDatabases(env, now)),
    findCopyFaults(env),
    callStore("KV", () => readListOfLists(env.KV)),
  ]);
  return { ...status, databases, copyFaults: copies.faults, rootOfTrust: readRootOfTrust(listOfLists, now) };
}
