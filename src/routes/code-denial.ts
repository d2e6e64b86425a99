/** Why a code was not exchanged, in the interface's errors. */
import { ApiError } from "../errors.ts";
import type { Exchange } from "../grants/exchange.ts";
import type { Scope } from "../grants/scopes.ts";

export function codeDenied(denial: Extract<Exchange, { ok: false }>): ApiError {
  switch (denial.reason) {
    case "unknown":
      return new ApiError({ code: "code_unknown" });
    case "redirect_uri":
      return new ApiError({ code: "redirect_uri_mismatch" });
    case "account_id":
      return new ApiError({ code: "account_id_mismatch" });
    case "used":
      return new ApiError({ code: "code_used" });
    case "expired":
      return new ApiError({ code: "code_expired" });
    case "scope":
      return new ApiError({ code: "payment_service_invalid" });
    case "consent":
      return new ApiError({ code: "consent_denied", title: CONSENT_DENIALS[denial.scope] });
  }
}

const CONSENT_DENIALS: Readonly<Record<Scope, string>> = {
  accounts: "the consent of the code is revoked or expired: the PSU must give a new one",
  payments: "the payment order consent of the code has given its token: another payment needs a new consent",
};
