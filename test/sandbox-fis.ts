/** The two FIs of the sandbox, as the headers of their requests. */
import { identify } from "../src/demo/bank.ts";

export const SANDBOX_FI = identify({
  clientId: "sandbox-fi",
  secret: "sandbox-secret",
  fiReferenceId: "PSDXX-TEST-FI0001",
});
export const OTHER_FI = identify({ clientId: "other-fi", secret: "other-secret", fiReferenceId: "PSDXX-TEST-FI0002" });
