/** The rows of the core flow. */
import { acts, type Endpoint, NO_CODE, NO_TOKEN, notKnown, row, unsure } from "../../http/endpoint.ts";

export const CORE_FLOW: readonly Endpoint[] = [
  unsure(NO_CODE, acts("POST", "/v1/oauth2/authorization_codes", "code.issue", 201, 400, 401, 403)),
  unsure(NO_TOKEN, acts("POST", "/v1/oauth2/tokens", "code.redemption", 201, 400, 401, 403)),
  row("GET", "/v1/oauth2/tokens/{token}", 200, 401, 404),
  unsure(
    notKnown("the token was revoked"),
    acts("DELETE", "/v1/oauth2/tokens/{token}", "token.deletion", 204, 401, 404),
  ),
  row("GET", "/v1/oauth2/account/{account_id}/tokens", 200, 401, 404),
];
