/** The rows of what a customer agreed to, and of the bank's block. Not in the interface. */
import { acts, type Endpoint, notKnown, own, row, unsure } from "../../http/endpoint.ts";

const WITHDRAWAL = notKnown("anything was withdrawn");

export const ACCOUNTS: readonly Endpoint[] = [
  own(row("GET", "/v1/accounts/{account_id}/permissions", 200, 400, 401), "status", "cursor"),
  own(
    unsure(WITHDRAWAL, acts("DELETE", "/v1/accounts/{account_id}/permissions", "consent.revocation", 204, 400, 401)),
    "by",
  ),
  own(
    unsure(
      WITHDRAWAL,
      acts("DELETE", "/v1/accounts/{account_id}/permissions/{permission_id}", "consent.revocation", 204, 400, 401, 404),
    ),
    "by",
  ),
  own(row("GET", "/v1/accounts/{account_id}/block", 200, 400, 401)),
  own(
    unsure(
      notKnown("the block was set"),
      acts("PUT", "/v1/accounts/{account_id}/block", "block.change", 200, 400, 401),
    ),
  ),
  own(
    unsure(
      notKnown("the block was lifted"),
      acts("DELETE", "/v1/accounts/{account_id}/block", "block.change", 204, 400, 401),
    ),
  ),
];
