/**
 * One authorization code: one Durable Object with one record. The platform runs one instance of it in the world, and
 * its storage calls are synchronous, so that nothing comes between the read and the write of a redemption.
 * Time is told by the caller; the object's alarm only cleans up.
 */
import { DurableObject } from "cloudflare:workers";
import { sameSecret } from "../secrets.ts";
import { type Attempt, checkRedemption, giveBack, type StoredCode, type Verdict } from "./redemption.ts";

export class AuthorizationCode extends DurableObject<Env> {
  /** Stores the code. `keepUntil` (milliseconds since 1970): from then on the object is emptied and the code unknown. */
  async issue(code: StoredCode, keepUntil: number): Promise<void> {
    this.ctx.storage.kv.put("code", code);
    await this.ctx.storage.setAlarm(keepUntil);
  }

  /** Exchanges the code if {@link checkRedemption} grants it. The answer leaves only when the write is durable. */
  redeem(attempt: Attempt): Verdict {
    const stored = this.ctx.storage.kv.get<StoredCode>("code");
    const verdict = checkRedemption(stored, attempt);
    if (verdict.ok && stored) this.ctx.storage.kv.put("code", { ...stored, tokenId: attempt.tokenId });
    return verdict;
  }

  /**
   * Takes back what {@link redeem} granted to the attempt with this `tokenId` (see {@link giveBack}). True when the code
   * can be exchanged at `now` by another attempt. May be called more than once.
   */
  giveBack({ secretHash, tokenId }: Pick<Attempt, "secretHash" | "tokenId">, now: number): boolean {
    const stored = this.ctx.storage.kv.get<StoredCode>("code");
    if (!stored || !sameSecret(stored.secretHash, secretHash)) return false;
    const after = giveBack(stored, tokenId);
    if (after !== null) this.ctx.storage.kv.put("code", after);
    return after?.tokenId === null && now < after.expiresAt;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
