/** The record of what someone did in the console, where no form of the table of endpoints leaves it (forms.ts). */
import type { Context } from "hono";
import type { LedgerEntry } from "../evidence/ledger/record.ts";
import { makeRecordId } from "../grants/record-order.ts";
import type { AppEnv } from "../http/context.ts";
import { recordAnswer } from "../http/middleware/ledger.ts";
import type { FinancialInstitution } from "../institutions/financial-institutions.ts";

interface Act extends Pick<LedgerEntry, "event" | "endpoint"> {
  /** 303 without: it was done. */
  readonly status?: number;
  readonly client?: string;
  readonly operator?: string;
  readonly person?: string;
}

/** In the ledger of `fi`. False: the institution requires the record, and it may not be kept. */
export async function recordAct(c: Context<AppEnv>, fi: FinancialInstitution, act: Act): Promise<boolean> {
  c.set("fi", fi);
  c.set("evidenceId", makeRecordId(c.var.now));
  return await recordAnswer(c, { status: 303, ...act });
}
