/**
 * One authorization code: one Durable Object with one record. The platform runs a single instance of an object
 * worldwide, and its storage calls here are synchronous, so nothing can run between the read and the write of a
 * redemption. The caller passes the time; the object's alarm only deletes the record. The lifetime of a code is
 * CODE_LIFETIME_SECONDS (redemption.ts).
 */
import { DurableObject } from "cloudflare:workers";
import type { Instant } from "../platform/instant.ts";
import { sameSecret } from "../platform/secrets.ts";
import {
  type Attempt,
  afterRedemption,
  checkRedemption,
  giveBack,
  type StoredCode,
  type Verdict,
} from "./redemption.ts";

export class AuthorizationCode extends DurableObject<Env> {
  /** Stores the code until `keepUntil`. Afterwards the code is unknown. */
  async issue(code: StoredCode, keepUntil: Instant): Promise<void> {
    this.ctx.storage.kv.put("code", code);
    await this.ctx.storage.setAlarm(keepUntil);
  }

  /** Exchanges the code if {@link checkRedemption} grants it. The platform holds the answer until the write is durable. */
  redeem(attempt: Attempt): Verdict {
    const stored = this.ctx.storage.kv.get<StoredCode>("code");
    const verdict = checkRedemption(stored, attempt);
    const after = stored ? afterRedemption(stored, attempt, verdict) : null;
    if (after) this.ctx.storage.kv.put("code", after);
    return verdict;
  }

  /**
   * Undoes the grant of {@link redeem} to the attempt with this `tokenId` (see {@link giveBack}). True if the code can be
   * exchanged at `now` by another attempt. Idempotent.
   */
  giveBack({ secretHash, tokenId }: Pick<Attempt, "secretHash" | "tokenId">, now: Instant): boolean {
    const stored = this.ctx.storage.kv.get<StoredCode>("code");
    if (!stored || !sameSecret(stored.secretHash, secretHash)) return false;
    const after = giveBack(stored, tokenId);
    if (after !== null) this.ctx.storage.kv.put("code", after);
    return after?.tokenId === null && now < after.expiresAt;
  }

  /** Of an object that stands for the id of a request (request-ids.ts): true for the first call until `until`. */
  async take(until: Instant): Promise<boolean> {
    if (this.ctx.storage.kv.get<true>("taken")) return false;
    this.ctx.storage.kv.put("taken", true);
    await this.ctx.storage.setAlarm(until);
    return true;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
