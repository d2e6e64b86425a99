/** Authenticates the PSP of the open-banking flow by the header `ccg_token`, which is verified without a read. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { normaliseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { readTokenKeys } from "../../grants/token-keys.ts";
import { checkCcgGrant, findCcgTokenFault, openCcgToken } from "../../grants/token-texts.ts";
import { findHomeRegister } from "../../registers/lookup.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { loadAhead } from "../steps.ts";
import { explainMissingHeader } from "./request-headers.ts";

/** Allows the PSP's home register to be read, and `load` of the endpoint's module, while the FI's credentials are still being verified. */
export const readAheadCcgToken = (load: () => Promise<unknown>) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.set("readAhead", () => {
      openHeader(c);
      loadAhead(load);
    });
    await next();
  });

/** Of a token of another FI, as of a forged one, only the form is said. */
function explainInvalid(given: string): string {
  if (/^bearer /i.test(given)) return "ccg_token is not valid: send the token alone, without Bearer";
  switch (findCcgTokenFault(given)) {
    case "access_token":
      return `ccg_token is an access token, which the PSP shows to the bank: ${SEND_CCG_TOKEN}`;
    case "cut_short":
      return `ccg_token is cut short, to ${given.length} characters: ${SEND_CCG_TOKEN}`;
    case "no_token":
      return `ccg_token does not have the form of one: ${SEND_CCG_TOKEN}`;
    case null:
      return "ccg_token is not valid: it was altered or cut short, or obtained with another fi_reference_id";
  }
}
const SEND_CCG_TOKEN = "send the access_token of POST /v1/obie/ccg_tokens whole and unchanged";

export const ccgToken = createMiddleware<AppEnv>(async (c, next) => {
  if (!c.req.header("ccg_token"))
    throw new ApiError({ code: "ccg_token_missing", title: explainMissingHeader(c, "ccg_token") });
  const ccg = c.get("ccg") ?? openHeader(c);
  // logged if the token is expired or another FI's, too: it is one of this service
  if (ccg) c.set("psp", ccg.client.pspId);
  const verdict = checkCcgGrant(ccg?.grant ?? null, c.get("fi").id, c.get("now"));
  if (verdict === "expired") throw new ApiError({ code: "ccg_token_expired" });
  if (verdict === "invalid" || !ccg)
    throw new ApiError({ code: "ccg_token_invalid", title: explainInvalid(c.req.header("ccg_token") ?? "") });
  c.set("client", ccg.client);
  await next();
});

/** Decrypts the token and starts reading the home register of its PSP; null for any other text. */
function openHeader(c: Context<AppEnv>): AppEnv["Variables"]["ccg"] | null {
  const header = c.req.header("ccg_token");
  const grant = header ? openCcgToken(readTokenKeys(c.env), header) : null;
  if (!grant) return null;
  // a token made by an earlier version may contain the certificate's spelling
  const pspId = normaliseAuthorisationNumber(grant.pspId);
  const home = findHomeRegister(c.env.KV, pspId, c.get("now"));
  // endpoints that do not need the register ignore its failure; without this it would be an unhandled rejection
  home.catch(() => {});
  const { services, scope } = grant;
  const ccg = { grant, client: { pspId, services, scopes: [scope], home } };
  c.set("ccg", ccg);
  return ccg;
}
