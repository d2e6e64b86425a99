/** GET /status: the loaded data of each source and its age, for a financial institution. Not part of the interface. */
import type { Context } from "hono";
import { configurationWarnings } from "../base-url.ts";
import type { AppEnv } from "../context.ts";
import type { Status } from "../contract/answers/operation.ts";
import { lifetimeWarnings } from "../grants/token-lifetimes.ts";
import { ledgerWarnings } from "../ledger/ledger-settings.ts";
import { readStatus } from "../refresh/status.ts";
import { readSigningKeys } from "../signatures/signing-keys.ts";
import { VERSION } from "../version.ts";

export async function answerStatus(c: Context<AppEnv>): Promise<Response> {
  const { LEDGER_RECORDS, EVIDENCE }: Partial<Env> = c.env;
  const { signer } = readSigningKeys(c.env);
  const answer: Status = {
    version: VERSION,
    ...(await readStatus(c.env, c.var.now)),
    warnings: [
      ...configurationWarnings(c.env),
      ...lifetimeWarnings(c.env),
      ...ledgerWarnings({ records: LEDGER_RECORDS, bucket: EVIDENCE !== undefined, signs: signer !== null }),
    ],
  };
  return c.json(answer);
}
