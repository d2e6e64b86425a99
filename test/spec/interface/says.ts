/** A row of the table that traces the tests to the interface: a section, and the rule that the test checks. */
import { test } from "vitest";

/** The sections of the interface. */
type Section =
  | "What the service does"
  | "Authorization code and redirect record"
  | "Access token"
  | "Token record"
  | "Token information"
  | "CCG token"
  | "Account access consent"
  | "PSP check result"
  | "States and transitions"
  | "Endpoints"
  | "POST /v1/oauth2/authorization_codes"
  | "POST /v1/oauth2/tokens"
  | "GET /v1/oauth2/account/{account_id}/tokens"
  | "POST /v1/obie/ccg_tokens"
  | "POST /v1/obie/authorization_codes"
  | "POST /v1/obie/tokens"
  | "GET /v1/obie/tokens/{token}"
  | "POST /v1/obie/account_access_consents"
  | "GET /v1/obie/account_access_consents/{consent_id}"
  | "GET /v1/psp/eidas"
  | "Authentication"
  | "Events"
  | "Errors"
  | "Limits"
  | "Versioning";

/** `rule`: what the section asks for, in words of our own. */
export function says(section: Section, rule: string, check: () => Promise<void>): void {
  test(`${section}: ${rule}`, check);
}
