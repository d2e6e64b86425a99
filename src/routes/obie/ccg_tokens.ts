/** POST /v1/obie/ccg_tokens: a CCG token for the PSP of the certificate in the body. */
import { createFactory } from "hono/factory";
import * as z from "zod";
import { toSeconds } from "../../clock.ts";
import type { AppEnv } from "../../context.ts";
import type { CcgToken } from "../../contract/answers/ccg-token.ts";
import { parseEidasHeader } from "../../eidas/eidas-header.ts";
import { ccgTokenExpiry, writeCcgToken } from "../../grants/ccg-token.ts";
import { findScopeRefusal } from "../../grants/client.ts";
import { readTokenKeys } from "../../grants/token-keys.ts";
import { authenticateChain } from "../../middleware/certificate.ts";
import { validate } from "../../middleware/validate.ts";
import { SERVICE_OF_SCOPE } from "../../registers/entitlement.ts";
import { lazySchema } from "../lazy-schema.ts";
import { scope } from "../parameters.ts";
import { TOKEN_TYPE } from "../token-record.ts";

/** The certificate, optionally with its issuers. The parser limits the length. */
const certificate = lazySchema(() =>
  z.string("is not a string").transform((text, ctx) => {
    const chain = parseEidasHeader(text);
    if (chain.ok) return chain;
    ctx.addIssue({ code: "custom", message: `is unreadable: ${chain.message}` });
    return z.NEVER;
  }),
);

export const body = lazySchema(() => z.object({ eIDAS: certificate(), scope: scope() }));

export const createCcgToken = createFactory<AppEnv>().createHandlers(validate("json", body), async (c) => {
  const { eIDAS, scope } = c.req.valid("json");
  const now = c.get("now");
  const client = await authenticateChain(c, eIDAS);
  // only a warning here: a PSP without the payment service gets no code, and so no access
  const warning = await findScopeRefusal(client, scope, now);
  const exp = ccgTokenExpiry(now, c.env.CCG_TOKEN_SECONDS, eIDAS.leaf.notAfter);
  const { pspId, services } = client;
  const answer: CcgToken = {
    psp_id: pspId,
    access_token: writeCcgToken(readTokenKeys(c.env), { fiId: c.get("fi").id, pspId, scope, services, exp }),
    expires_in: exp - toSeconds(now),
    token_type: TOKEN_TYPE,
    scope,
    payment_service_number: SERVICE_OF_SCOPE[scope],
    active: true,
    ...(warning !== null && { warning }),
  };
  return c.json(answer, 201);
});
