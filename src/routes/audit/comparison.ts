/**
 * GET /v1/audit/head/comparison: whether the ledger of today contains a head that was kept. Not in the interface. Loaded by the first
 * request for it.
 */

import type { Context } from "hono";
import * as z from "zod";
import { askLedger } from "../../evidence/ledger/ask-ledger.ts";
import { verifyHead } from "../../evidence/ledger/head.ts";
import { readSigningKeys } from "../../evidence/signatures/signing-keys.ts";
import type { HeadComparisonAnswer } from "../../http/answers/audit.ts";
import type { AppEnv } from "../../http/context.ts";
import { ApiError } from "../../http/errors/errors.ts";
import { parseQuery } from "../../http/middleware/validate.ts";
import { lazySchema } from "../../platform/schemas.ts";
import { describeHead } from "./head.ts";

const MAX_HEAD_CHARACTERS = 2_048;

export const comparisonQuery = lazySchema(() =>
  z.object({
    head: z.string("is given twice").max(MAX_HEAD_CHARACTERS, `is longer than ${MAX_HEAD_CHARACTERS} characters`),
  }),
);

/** The caller's number and hash count only where the service itself has signed them for this institution. */
export async function compareKeptHead(c: Context<AppEnv>): Promise<Response> {
  const { head: jws } = parseQuery(c, comparisonQuery());
  const refuse = (reason: string) => new ApiError({ code: "head_invalid", title: `head ${reason}` });
  const checked = verifyHead(jws, readSigningKeys(c.env).published);
  if (!checked.ok) throw refuse(checked.reason);
  const kept = checked.head;
  const { id, fiReferenceId } = c.get("fi");
  const compared = await askLedger(c.env, id, (ledger) => ledger.compare(kept, fiReferenceId));
  if (!compared) throw refuse("is of the ledger of another institution");
  const { verdict, found, followedTo, differsAt, gap } = compared;
  const { seq, hash, time } = kept;
  const data = {
    ...{ verdict, kept: { seq, hash, time }, found, followed_to: followedTo, differs_at: differsAt, gap },
    head: describeHead(compared.head),
  };
  const answer: HeadComparisonAnswer = { data };
  return c.json(answer);
}
