/** GET /status: the loaded data of each source and its age, for a financial institution. Not part of the interface. */
import type { Context } from "hono";
import { ledgerWarnings } from "../evidence/ledger/ledger-settings.ts";
import { readSigningKeys } from "../evidence/signatures/signing-keys.ts";
import { lifetimeWarnings } from "../grants/token-lifetimes.ts";
import type { Status } from "../http/answers/operation.ts";
import { configurationWarnings } from "../http/base-url.ts";
import type { AppEnv } from "../http/context.ts";
import { VERSION } from "../platform/version.ts";
import { readStatus } from "../refresh/status.ts";

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
