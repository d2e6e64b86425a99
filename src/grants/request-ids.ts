/**
 * Ids of signed requests that were verified: each is taken once. The object of an id is one of the class of codes, which has one
 * writer worldwide, so that of two simultaneous requests one is a replay. It forgets the id when no signature with it is in time any more.
 */
import { toBase64Url } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { createHash } from "../platform/node-crypto.ts";
import { callStore, objectsIn } from "../platform/stores.ts";

/** A signature may be five minutes early, and is accepted for five minutes; one more for the clocks of two isolates. */
export const REMEMBERED_MS = 11 * 60_000;

/**
 * One without an instant (Berlin Group, since 1.3.4) is in time until its certificate ends. `created`: null without one.
 * `notAfter`: of the certificate.
 */
export const rememberedUntil = (created: Instant | null, notAfter: Instant, now: Instant): Instant =>
  created === null ? Math.max(notAfter, now) + REMEMBERED_MS : now + REMEMBERED_MS;

/** Whose request it is. `id`: the PSP's own, or what it signed. */
export interface RequestId {
  readonly fiId: number;
  readonly pspId: string;
  readonly id: string;
}

/** True for the first who takes it until then: see {@link rememberedUntil}. Throws StoreError. */
export function takeRequestId(env: Env, { fiId, pspId, id }: RequestId, until: Instant): Promise<boolean> {
  const name = toBase64Url(
    createHash("sha256")
      .update(JSON.stringify(["request", fiId, pspId, id]))
      .digest(),
  );
  const object = () => objectsIn(env.AUTHORIZATION_CODE, env.JURISDICTION).getByName(name);
  return callStore("request id", async () => object().take(until));
}
