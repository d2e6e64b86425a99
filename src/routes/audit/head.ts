/** GET /v1/audit/head: the signed end of the caller's ledger. Not in the interface. */
import type { Context } from "hono";
import type { AppEnv } from "../../context.ts";
import type { LedgerHead } from "../../contract/answers/audit.ts";
import { askLedger } from "../../ledger/ask-ledger.ts";
import { CHAIN_START } from "../../ledger/record.ts";
import { STORE_TIMEOUT_MS } from "../../store-error.ts";

/** Signs now if records are in no head yet: whoever keeps the answer can prove all that is in the ledger at this moment. */
export async function answerLedgerHead(c: Context<AppEnv>): Promise<Response> {
  const { head, keptFrom } = await askLedger(c.env, c.get("fi").id, (ledger) => ledger.state(), STORE_TIMEOUT_MS);
  const { seq, hash, time, jws } = head ?? { ...CHAIN_START, time: null, jws: null };
  const data = { seq, hash, time: time === null ? null : new Date(time).toISOString(), jws, kept_from: keptFrom };
  const answer: LedgerHead = { data };
  return c.json(answer);
}
