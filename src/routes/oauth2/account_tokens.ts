/** GET /v1/oauth2/account/{account_id}/tokens: the FI's tokens of an account, newest first, at most 400. */
import { createFactory } from "hono/factory";
import { z } from "zod";
import { now } from "../../clock.ts";
import type { AppEnv } from "../../context.ts";
import { listTokens } from "../../grants/tokens.ts";
import { validate } from "../../middleware/validate.ts";
import { accountId } from "../parameters.ts";
import { describeTokens } from "../token-record.ts";

export const listAccountTokens = createFactory<AppEnv>().createHandlers(
  validate("param", z.object({ account_id: accountId })),
  async (c) => {
    const tokens = await listTokens(c.env.DB, c.var.fi.id, c.req.valid("param").account_id);
    return c.json({ data: await describeTokens(c.env, tokens, now()) });
  },
);
