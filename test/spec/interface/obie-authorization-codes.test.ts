/** Interface, POST /v1/obie/authorization_codes. */
import { describe, expect } from "vitest";
import { askForObieCode, call, ccg, codeOf, createConsent, errorForm, obieCodeRequest, REDIRECT_URI } from "./bank.ts";
import { says } from "./says.ts";

const CODE = expect.stringMatching(/^[0-9a-f]{64}\.[\w-]{43}\.\w+\.\w+\.[\w-]{43}$/);

describe("POST /v1/obie/authorization_codes", () => {
  says("POST /v1/obie/authorization_codes", "the whole body of an open-banking redirect record", async () => {
    const headers = await ccg();
    const consent = await createConsent(headers);
    const answer = await askForObieCode(headers, consent.body.data.consent_id, { state: "s" });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        redirect_uri: {
          base_uri: REDIRECT_URI,
          parameters: { code: CODE, state: "s" },
          full_uri: `${REDIRECT_URI}?code=${codeOf(answer)}&state=s`,
        },
      },
    });
    const forged = await askForObieCode({ ccg_token: "forged" }, consent.body.data.consent_id);
    expect([forged.status, forged.body]).toEqual([401, errorForm("ccg_token_invalid")]);
  });
  says(
    "POST /v1/obie/authorization_codes",
    "the whole body of a scope that the PSP may not use, in the open-banking flow",
    async () => {
      const headers = await ccg("payments", "accounts-only");
      const answer = await call("POST", "/v1/obie/authorization_codes", {
        headers,
        body: obieCodeRequest("a-consent", { scope: "payments", state: "s" }),
      });
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({
        data: {
          redirect_uri: {
            base_url: REDIRECT_URI,
            parameters: { error: "invalid_scope", error_description: expect.any(String), state: "s" },
            full_uri: expect.stringContaining(`${REDIRECT_URI}?error=invalid_scope&error_description=`),
          },
        },
        ...errorForm("payment_service_invalid"),
      });
    },
  );
});
