/**
 * One authorization code: one Durable Object with one record. The platform runs one instance of it in the world, and
 * its storage calls are synchronous, so that nothing comes between the read and the write of a redemption.
 * Time is told by the caller; the object's alarm only cleans up.
 */
import { DurableObject } from "cloudflare:workers";
import { type Attempt, checkRedemption, type StoredCode, type Verdict } from "./redemption.ts";

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

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
