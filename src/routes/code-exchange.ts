/** The exchange of a code in both flows. What is refused becomes an error of the interface. */
import type { Context } from "hono";
import { findAccountAccessConsent } from "../grants/account-access-consents.ts";
import { findScopeRefusal } from "../grants/client.ts";
import { type Exchange, exchangeCode, type TellReplay } from "../grants/exchange.ts";
import { ownerOf } from "../grants/permission.ts";
import { CODE_LIFETIME_SECONDS, type CodeUse } from "../grants/redemption.ts";
import type { AppEnv } from "../http/context.ts";
import { ApiError } from "../http/errors/errors.ts";
import { verifyAgain } from "../http/middleware/financial-institution.ts";
import { databaseOf } from "../institutions/databases.ts";
import { clock, toSeconds } from "../platform/clock.ts";
import type { Scope } from "../registers/entitlement.ts";

const tellReplay: TellReplay = async (...replayed) => {
  const { makeUsedCodeEvent } = await import("../events/used-code.ts");
  return await makeUsedCodeEvent(...replayed);
};

/** Exchanges the code of a request for a token. Throws the error of one that is not exchanged. */
export async function exchange(
  c: Context<AppEnv>,
  code: string,
  use: Pick<CodeUse, "flow" | "redirectUri" | "accountId" | "scopes">,
) {
  const { client, fi, now } = c.var;
  const attempt = { ...use, fiId: fi.id, pspId: client.pspId, now, database: fi.database };
  const done = await exchangeCode(c.env, c.executionCtx, code, attempt, clock, tellReplay);
  if (!done.ok) throw await codeDenied(c, done);
  const { accountId, consentId, scope } = done.code;
  c.set("concerns", { accountId, consentId, tokenId: done.tokenId, scopes: [scope] });
  return { ...done.code, accessToken: done.accessToken, expiresIn: toSeconds(done.expiresAt) - toSeconds(now) };
}

async function codeDenied(c: Context<AppEnv>, denial: Extract<Exchange, { ok: false }>): Promise<ApiError> {
  const { client, now } = c.var;
  switch (denial.reason) {
    case "unknown":
      return new ApiError({ code: "code_unknown" });
    case "redirect_uri":
      return new ApiError({ code: "redirect_uri_mismatch" });
    case "account_id":
      return new ApiError({ code: "account_id_mismatch" });
    case "used":
      // why its token ended is found in the ledger
      c.set("concerns", { ...c.get("concerns"), tokenId: denial.tokenId, consentId: denial.consentId });
      return new ApiError({
        code: "code_used",
        title: "the code was used before; the token issued for it, if any, is now revoked",
      });
    case "expired":
      return new ApiError({ code: "code_expired" });
    case "scope":
      return new ApiError({
        code: "payment_service_invalid",
        title: `the code is for the scope ${denial.scope}: ${await findScopeRefusal(client, denial.scope, now)}`,
      });
    case "consent":
      return (await hasExpired(c, denial))
        ? new ApiError({ code: "consent_expired" })
        : new ApiError({ code: "consent_denied", title: CONSENT_DENIALS[denial.scope] });
    case "institution":
      await verifyAgain(c);
      // it is active: its database has another copy of its row (institution-placement.ts)
      return storeFailed(denial);
    case "store":
      return storeFailed(denial);
  }
}

/** Whether the code's account access consent has expired. False if it cannot be read: the code is used up all the same. */
async function hasExpired(c: Context<AppEnv>, denial: Extract<Exchange, { reason: "consent" }>): Promise<boolean> {
  const { scope, consentId } = denial;
  if (scope !== "accounts" || consentId === null) return false;
  const db = databaseOf(c.env, c.get("fi"));
  return (await findAccountAccessConsent(db, ownerOf(c.var), consentId, c.get("now")).catch(() => null)) === "expired";
}

const storeFailed = ({ code, cause }: Pick<StoreFailure, "code" | "cause">): ApiError =>
  new ApiError({ code: "temporarily_unavailable", title: STORE_FAILURES[code] }, { "Retry-After": "1" }, { cause });

type StoreFailure = Extract<Exchange, { reason: "store" }>;
const STORE_FAILURES: Readonly<Record<StoreFailure["code"], string>> = {
  given_back: `no token was issued because a store failed. The code is still usable: send it again within its ${CODE_LIFETIME_SECONDS} seconds`,
  unknown:
    "no token was issued because a store failed. The code may have been used: send it again, and request a new code if it is refused",
  replayed:
    "no token was issued because the code was used before. The token issued for it could not be revoked yet: send the request again",
};

const CONSENT_DENIALS: Readonly<Record<Scope, string>> = {
  accounts:
    "the consent of the code is withdrawn, or the bank does not allow access to the account at present: the PSU must authorise a new consent",
  // "at the same time": a copy of the request revoked the token before it was stored
  payments:
    "the one token of the payment order consent was already issued, the consent is withdrawn, the bank does not allow payments from the account at present, or the code was sent twice at the same time",
};
