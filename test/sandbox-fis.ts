/** The two FIs of the sandbox: their credentials, and the headers of their requests. */
import { type Credentials, identify } from "./raw-bank.ts";

export const SANDBOX_CREDENTIALS: Credentials = {
  clientId: "sandbox-fi",
  secret: "sandbox-secret",
  fiReferenceId: "PSDXX-TEST-FI0001",
};
export const SANDBOX_FI = identify(SANDBOX_CREDENTIALS);
export const OTHER_CREDENTIALS: Credentials = {
  clientId: "other-fi",
  secret: "other-secret",
  fiReferenceId: "PSDXX-TEST-FI0002",
};
export const OTHER_FI = identify(OTHER_CREDENTIALS);
