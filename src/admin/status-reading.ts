/** What `status` and `doctor` read of a service's stores. */
import { readListOfLists } from "../refresh/published-list.ts";
import { readRootOfTrust } from "../refresh/root-of-trust.ts";
import { readStatus } from "../refresh/status.ts";
import { callStore } from "../store-error.ts";

/** `now`: milliseconds since 1970. Throws StoreError. */
export async function readSources(env: Env, now: number) {
  const [status, listOfLists] = await Promise.all([
    readStatus(env, now),
    callStore("KV", () => readListOfLists(env.KV)),
  ]);
  return { ...status, rootOfTrust: readRootOfTrust(listOfLists, now) };
}
