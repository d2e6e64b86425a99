/** The rows of the open-banking flow. */
import { acts, type Endpoint, NO_TOKEN, notKnown, row, unsure } from "../../http/endpoint.ts";

const NO_CODE = `nobody was given a code; ${notKnown("the consent was authorised")}`;
const NEW_CONSENT = `${notKnown("a consent was created")}: one that nobody authorises allows nothing`;

export const OPEN_BANKING_FLOW: readonly Endpoint[] = [
  acts("POST", "/v1/obie/ccg_tokens", "ccg_token.issue", 201, 400, 401),
  unsure(NO_CODE, acts("POST", "/v1/obie/authorization_codes", "code.issue", 201, 400, 401, 403)),
  unsure(NO_TOKEN, acts("POST", "/v1/obie/tokens", "code.redemption", 201, 400, 401, 403)),
  row("GET", "/v1/obie/tokens/{token}", 200, 401, 404),
  unsure(NEW_CONSENT, acts("POST", "/v1/obie/account_access_consents", "consent.creation", 201, 400, 401, 403)),
  row("GET", "/v1/obie/account_access_consents/{consent_id}", 200, 401, 403, 404),
  unsure(
    notKnown("the consent was revoked"),
    acts("DELETE", "/v1/obie/account_access_consents/{consent_id}", "consent.revocation", 204, 401, 403, 404),
  ),
  unsure(NEW_CONSENT, acts("POST", "/v1/obie/payment_order_consents", "consent.creation", 201, 400, 401, 403)),
  row("GET", "/v1/obie/payment_order_consents", 200, 400, 401, 403),
  row("GET", "/v1/obie/payment_order_consents/{consent_id}", 200, 401, 403, 404),
];
