/** GET /v1/audit/head: the signed end of the caller's ledger. Not in the interface. */
import type { Context } from "hono";
import { askLedger } from "../../evidence/ledger/ask-ledger.ts";
import { CHAIN_START } from "../../evidence/ledger/chain.ts";
import type { Head } from "../../evidence/ledger/head.ts";
import type { LedgerHead } from "../../http/answers/audit.ts";
import type { AppEnv } from "../../http/context.ts";
import { STORE_TIMEOUT_MS } from "../../platform/store-error.ts";

/** Signs now if records are in no head yet: whoever keeps the answer can prove all that is in the ledger at this moment. */
export async function answerLedgerHead(c: Context<AppEnv>): Promise<Response> {
  const { head, keptFrom } = await askLedger(c.env, c.get("fi").id, (ledger) => ledger.state(), STORE_TIMEOUT_MS);
  const answer: LedgerHead = { data: { ...describeHead(head), kept_from: keptFrom } };
  return c.json(answer);
}

/** Null: there is no record. */
export function describeHead(head: Head | null) {
  const { seq, hash, time, jws } = head ?? { ...CHAIN_START, time: null, jws: null };
  return { seq, hash, time: time === null ? null : new Date(time).toISOString(), jws };
}
