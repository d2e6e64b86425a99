/** Tokens of the open-banking flow. */
import { CODE_REFUSALS, DATA, EXPIRES_IN, TOKEN_TYPE, WARNING_LOST } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { openBankingAccessToken, tokenInformation, tokenInformationLatest } from "./tokens.answer.ts";
import { body } from "./tokens.ts";

export const OPEN_BANKING_TOKENS: Resource = {
  operations: {
    "POST /v1/obie/tokens": {
      id: "createOpenBankingToken",
      tag: "Open-banking flow",
      summary: "Exchange a consent's code for an access token",
      description:
        "Exchanges a code for an access token, as in the core flow. The token never outlives its consent. A payment order consent gives one token, and is Consumed by it. Do not repeat this request by itself: a 503 says whether the code is still usable.",
      psp: "ccg_token",
      body: "OpenBankingTokenRequest",
      answers: ["OpenBankingAccessToken"],
      refuses: {
        403: [...CODE_REFUSALS, "consent_denied", "consent_expired", "payment_service_invalid"],
      },
      success: "The access token.",
    },
    "GET /v1/obie/tokens/{token}": {
      id: "getOpenBankingToken",
      tag: "Open-banking flow",
      summary: "Get a token's information",
      description: "Says what is known of a token of the PSP that the CCG token stands for.",
      psp: "ccg_token",
      answers: ["TokenInformation", "TokenInformationLatest"],
      refuses: { 404: ["token_not_found"] },
      success: "What is known of the token.",
    },
  },
  requests: {
    OpenBankingTokenRequest: body(),
  },
  answers: {
    OpenBankingAccessToken: openBankingAccessToken,
    TokenInformation: tokenInformation,
    TokenInformationLatest: tokenInformationLatest,
  },
  texts: {
    OpenBankingTokenRequest: {
      auth_code: "The code of the redirect, within 60 seconds and once: at most 512 characters.",
      redirect_uri: "The same text as in the request for the code.",
    },
    OpenBankingAccessToken: {
      data: DATA,
      "data.access_token": "The token that the PSP shows to the bank.",
      "data.expires_in": `${EXPIRES_IN} Never longer than the consent.`,
      "data.token_type": TOKEN_TYPE,
      "data.state": "The state of the request for the code. Absent if it had none.",
    },
    TokenInformation: {
      data: DATA,
      "data.access_token": "The token of the request.",
      "data.expires_in": "Seconds for which it is still valid; 0 if it is not active.",
      "data.token_type": TOKEN_TYPE,
      "data.active": "False if it is expired or revoked, or while its account is blocked for its scope.",
    },
    TokenInformationLatest: { "data.warning": WARNING_LOST },
  },
};
