/** GET /v1/oauth2/account/{account_id}/tokens: the FI's tokens of an account, active ones first, in pages. */
import { createFactory } from "hono/factory";
import * as z from "zod";
import type { AppEnv } from "../../context.ts";
import { databaseOf } from "../../databases.ts";
import { listTokens, parseCursor, writeCursor } from "../../grants/token-list.ts";
import { validate } from "../../middleware/validate.ts";
import { lazySchema } from "../lazy-schema.ts";
import { accountId } from "../parameters.ts";
import { describeTokens } from "../token-record.ts";

/** Records per answer. */
const PAGE_SIZE = 1_000;

const cursor = lazySchema(() =>
  z.string("is given twice").transform((text, ctx) => {
    const parsed = parseCursor(text);
    if (parsed) return parsed;
    ctx.addIssue({ code: "custom", message: "is not from an earlier answer" });
    return z.NEVER;
  }),
);

export const path = lazySchema(() => z.object({ account_id: accountId() }));
export const query = lazySchema(() => z.object({ cursor: cursor().optional() }));

export const listAccountTokens = createFactory<AppEnv>().createHandlers(
  validate("param", path),
  validate("query", query),
  async (c) => {
    const now = c.get("now");
    const account = { fiId: c.get("fi").id, accountId: c.req.valid("param").account_id };
    const page = await listTokens(
      databaseOf(c.env, c.get("fi")),
      account,
      c.req.valid("query").cursor ?? null,
      PAGE_SIZE,
      now,
    );
    // relative to the request's URL (RFC 8288 section 3.1), so that it is correct behind any proxy
    if (page.next) c.header("Link", `<?cursor=${writeCursor(page.next)}>; rel="next"`);
    const data = await describeTokens(c.env, page.tokens, c.get("version"), now);
    return c.json({ data });
  },
);
