/** The two FIs of the sandbox: the credentials of the one, and both as the headers of their requests. */
import { type Credentials, identify } from "./raw-bank.ts";

export const SANDBOX_CREDENTIALS: Credentials = {
  clientId: "sandbox-fi",
  secret: "sandbox-secret",
  fiReferenceId: "PSDXX-TEST-FI0001",
};
export const SANDBOX_FI = identify(SANDBOX_CREDENTIALS);
export const OTHER_FI = identify({ clientId: "other-fi", secret: "other-secret", fiReferenceId: "PSDXX-TEST-FI0002" });
