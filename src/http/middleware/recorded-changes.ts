/**
 * What the record of a withdrawal or a block says, of the API and of the console alike. It is known before the change: a
 * store that fails may have made it, so the record names what was asked for. What the store says follows behind it.
 */
import type { Context } from "hono";
import type { AccountBlock } from "../../grants/account-block.ts";
import type { Ended } from "../../grants/permission.ts";
import { isRecordId } from "../../grants/record-order.ts";
import type { Withdrawn, WithdrawnBy } from "../../grants/withdrawal.ts";
import type { Scope } from "../../registers/entitlement.ts";
import type { AppEnv } from "../context.ts";

interface Withdrawal {
  readonly accountId: string;
  /** Of the permission; null: all of the account. */
  readonly id: string | null;
  readonly by: WithdrawnBy;
}

/** Withdraws. Null: there was no such permission. */
export async function recordWithdrawal<Result extends Ended | Withdrawn | null>(
  c: Context<AppEnv>,
  { accountId, id, by }: Withdrawal,
  withdraw: () => Promise<Result>,
): Promise<Result> {
  const concerns = { accountId, by, consentId: id !== null && isRecordId(id) ? id : null };
  c.set("concerns", concerns);
  const ended = await withdraw();
  if (!ended) return ended;
  const permission = "permission" in ended ? ended.permission : null;
  if (permission) c.set("psp", permission.psp);
  c.set("concerns", { ...concerns, ended, ...(permission && { scopes: [permission.scope] }) });
  return ended;
}

/** Sets a block. `scopes`: what is to be blocked from then on. */
export async function recordBlock(
  c: Context<AppEnv>,
  accountId: string,
  scopes: readonly Scope[],
  set: () => Promise<AccountBlock>,
): Promise<AccountBlock> {
  c.set("concerns", { accountId, scopes });
  const block = await set();
  c.set("concerns", { accountId, scopes: block.scopes });
  return block;
}
