/**
 * GET, PUT and DELETE /v1/accounts/{account_id}/block: the bank blocks an account for one scope or both, and lifts the
 * block. Not in the interface.
 */

import type { Context } from "hono";
import * as z from "zod";
import { type AccountBlock, findBlock, setBlock } from "../../grants/account-block.ts";
import { formatDateTime } from "../../grants/date-times.ts";
import type { AppEnv } from "../../http/context.ts";
import { refuseBody } from "../../http/middleware/json-body.ts";
import { recordBlock } from "../../http/middleware/ledger.ts";
import { validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { once } from "../../platform/memory.ts";
import { SCOPES, type Scope } from "../../registers/entitlement.ts";
import { accountId, isNot } from "../parameters.ts";
import type * as answers from "./block.answer.ts";

export const path = once(() => z.object({ account_id: accountId() }));
const ofPath = validate("param", path);

export const body = once(() =>
  z.object({
    scopes: z
      .array(z.enum(SCOPES, { error: ({ input }) => isNot(input, SCOPES.join(" or ")) }), "is not an array")
      .min(1, "is empty: DELETE lifts a block")
      .max(SCOPES.length, `holds more than the ${SCOPES.length} scopes`)
      .refine((scopes) => new Set(scopes).size === scopes.length, "names a scope twice")
      .meta({ uniqueItems: true }),
  }),
);

export const getAccountBlock = steps(ofPath, async (c) => {
  const account = { fiId: c.get("fi").id, accountId: c.req.valid("param").account_id };
  return answerBlock(c, await findBlock(databaseOf(c.env, c.get("fi")), account));
});

/** Replaces the block: a scope that is not named is free again. */
export const putAccountBlock = steps(ofPath, validate("json", body), async (c) =>
  answerBlock(c, await changeBlock(c, c.req.valid("param").account_id, c.req.valid("json").scopes)),
);

export const deleteAccountBlock = steps(ofPath, refuseBody, async (c) => {
  await changeBlock(c, c.req.valid("param").account_id, []);
  return c.body(null, 204);
});

function changeBlock(c: Context<AppEnv>, accountId: string, scopes: readonly Scope[]): Promise<AccountBlock> {
  const fi = c.get("fi");
  const set = () => setBlock(databaseOf(c.env, fi), { fiId: fi.id, accountId }, scopes, c.get("now"));
  return recordBlock(c, accountId, scopes, set);
}

function answerBlock(c: Context<AppEnv>, { scopes, blockedAt }: AccountBlock): Response {
  const answer: answers.AccountBlock = {
    data: { scopes, blocked_at: blockedAt === null ? null : formatDateTime(blockedAt) },
  };
  return c.json(answer);
}
