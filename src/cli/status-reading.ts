/** What `status` and `doctor` read of a service's stores. */
import { findCopyFaults } from "../institutions/institution-placement.ts";
import { callStore } from "../platform/stores.ts";
import { readListOfLists, readRootOfTrust } from "../refresh/published-list.ts";
import { readStatus } from "../refresh/status.ts";
import { readDatabases } from "./database-reading.ts";
import { countDeliveries } from "./webhook-reading.ts";

/** `now`: milliseconds since 1970. Throws StoreError. */
export async function readSources(env: Env, now: number) {
  const [status, databases, copies, listOfLists, deliveries] = await Promise.all([
    readStatus(env, now),
    callStore("D1", () => readDatabases(env, now)),
    findCopyFaults(env),
    callStore("KV", () => readListOfLists(env.KV)),
    countDeliveries(env),
  ]);
  return {
    ...status,
    databases,
    copyFaults: copies.faults,
    deliveries,
    rootOfTrust: readRootOfTrust(listOfLists, now),
  };
}
