/** GET /v1/oauth2/account/{account_id}/tokens: the FI's tokens of an account, active ones first, in pages. */

import { createFactory } from "hono/factory";
import * as z from "zod";
import { listTokens, parseCursor, writeCursor } from "../../grants/token-list.ts";
import type { AppEnv } from "../../http/context.ts";
import { ApiError } from "../../http/errors/errors.ts";
import { validate } from "../../http/middleware/validate.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { lazySchema } from "../../platform/schemas.ts";
import { accountId } from "../parameters.ts";
import { describeTokens } from "../token-record.ts";

/** Records per answer. */
const PAGE_SIZE = 1_000;

export const path = lazySchema(() => z.object({ account_id: accountId() }));
export const query = lazySchema(() => z.object({ cursor: z.string("is given twice").optional() }));

export const listAccountTokens = createFactory<AppEnv>().createHandlers(
  validate("param", path),
  validate("query", query),
  async (c) => {
    const now = c.get("now");
    const account = { fiId: c.get("fi").id, accountId: c.req.valid("param").account_id };
    const given = c.req.valid("query").cursor;
    const cursor = given === undefined ? null : parseCursor(account, given);
    if (given !== undefined && cursor === null)
      throw new ApiError({ code: "cursor_invalid", title: "cursor is not from an earlier answer for this account" });
    const page = await listTokens(databaseOf(c.env, c.get("fi")), account, cursor, PAGE_SIZE, now);
    // relative to the request's URL (RFC 8288 section 3.1), so that it is correct behind any proxy
    if (page.next) c.header("Link", `<?cursor=${writeCursor(account, page.next)}>; rel="next"`);
    const data = await describeTokens(c.env, page.tokens, c.get("version"), now);
    return c.json({ data });
  },
);
