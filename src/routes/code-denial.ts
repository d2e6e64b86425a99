/** Why a code was not exchanged, in the interface's errors. */
import { ApiError } from "../errors.ts";
import type { Exchange } from "../grants/exchange.ts";

type Reason = Extract<Exchange, { ok: false }>["reason"];

export function codeDenied(reason: Reason): ApiError {
  switch (reason) {
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
      return new ApiError({ code: "consent_denied" });
  }
}
