/** POST /v1/obie/ccg_tokens: a CCG token for the PSP of the certificate in the body. */
import * as z from "zod";
import { findScopeRefusal } from "../../grants/client.ts";
import { readTokenKeys } from "../../grants/token-keys.ts";
import { ccgTokenExpiry, writeCcgToken } from "../../grants/token-texts.ts";
import { authenticateText, presentText } from "../../http/middleware/certificate.ts";
import { type Asking, validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { toSeconds } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { SERVICE_OF_SCOPE } from "../../registers/entitlement.ts";
import { scope } from "../parameters.ts";
import { TOKEN_TYPE } from "../token-record.ts";
import type { CcgToken } from "./ccg_tokens.answer.ts";

/** The certificate, optionally with its issuers. The parser limits the length. */
const certificateAt = (now: () => Instant) =>
  z.string("is not a string").transform((text, ctx) => {
    const presented = presentText(text, [], now());
    if (presented.ok) return presented;
    ctx.addIssue({ code: "custom", message: `is unreadable: ${presented.message}` });
    return z.NEVER;
  });

export const body = ({ now }: Pick<Asking, "now">) => z.object({ eIDAS: certificateAt(now), scope: scope() });

export const createCcgToken = steps(validate("json", body), async (c) => {
  const { eIDAS, scope } = c.req.valid("json");
  const now = c.get("now");
  c.set("concerns", { scopes: [scope] });
  const client = await authenticateText(c, eIDAS);
  // only a warning here: a PSP without the payment service gets no code, and so no access
  const warning = await findScopeRefusal(client, scope, now);
  const exp = ccgTokenExpiry(now, c.env.CCG_TOKEN_SECONDS, eIDAS.notAfter);
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
