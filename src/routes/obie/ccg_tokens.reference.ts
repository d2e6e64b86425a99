/** CCG tokens. */
import { EXPIRES_IN, PSP_ID, SCOPE, TOKEN_TYPE } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { ccgToken } from "./ccg_tokens.answer.ts";
import { body } from "./ccg_tokens.ts";

export const CCG_TOKENS: Resource = {
  operations: {
    "POST /v1/obie/ccg_tokens": {
      id: "createCcgToken",
      tag: "Open-banking flow",
      summary: "Create a CCG token",
      description:
        "Checks the certificate in the body, and gives a token that stands for its PSP and one scope in the other requests of this flow. A PSP without the scope's payment service gets a token with a warning, and later no code.",
      body: "CcgTokenRequest",
      answers: ["CcgToken"],
      success: "The CCG token.",
    },
  },
  requests: {
    CcgTokenRequest: body({ now: () => 0 }),
  },
  answers: {
    CcgToken: ccgToken,
  },
  texts: {
    CcgTokenRequest: {
      eIDAS:
        "The PSP's certificate, in the form of the header `eidas`: base64 of the DER. PEM and the issuers after it are taken, too.",
      scope: SCOPE,
    },
    CcgToken: {
      psp_id: PSP_ID,
      access_token: "Goes into the header `ccg_token` of the requests for this PSP.",
      expires_in: `${EXPIRES_IN} Never longer than the certificate.`,
      token_type: TOKEN_TYPE,
      scope: "The scope that it stands for.",
      payment_service_number: "The payment service of the scope: 7 for `payments`, 8 for `accounts`.",
      active: "Always true.",
      warning:
        "The PSP does not have the payment service, by its certificate or its home register: it will get no code.",
    },
  },
};
