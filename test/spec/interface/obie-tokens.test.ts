/** Interface, "Token information" and the endpoints of tokens of the open-banking flow. */
import { describe, expect } from "vitest";
import {
  askForObieCode,
  askForObieToken,
  call,
  ccg,
  codeOf,
  createConsent,
  errorForm,
  obtainObieToken,
  REDIRECT_URI,
} from "./bank.ts";
import { says } from "./says.ts";

const TOKEN = expect.stringMatching(/^[A-Za-z0-9]+\.[\w-]+\.[\w-]{43}$/);

describe("Token information (open-banking flow)", () => {
  says("Token information", "active is false for a deleted token", async () => {
    const headers = await ccg();
    const token = (await obtainObieToken(headers)).body.data.access_token;
    await call("DELETE", `/v1/oauth2/tokens/${token}`);
    const answer = await call("GET", `/v1/obie/tokens/${token}`, { headers });
    expect(answer.body).toEqual({
      data: { access_token: token, expires_in: 0, token_type: "bearer", active: false },
    });
  });
});

describe("POST /v1/obie/tokens", () => {
  says(
    "POST /v1/obie/tokens",
    "an open-banking code is denied to another PSP and another redirect URI, and then works",
    async () => {
      const headers = await ccg();
      const consent = await createConsent(headers);
      const code = codeOf(await askForObieCode(headers, consent.body.data.consent_id));
      const otherPsp = await askForObieToken(await ccg("accounts", "accounts-only"), code);
      expect([otherPsp.status, otherPsp.body]).toEqual([403, errorForm("code_unknown")]);
      const elsewhere = await askForObieToken(headers, code, { redirect_uri: `${REDIRECT_URI}?` });
      expect([elsewhere.status, elsewhere.body]).toEqual([403, errorForm("redirect_uri_mismatch")]);
      expect((await askForObieToken(headers, code)).status).toBe(201);
    },
  );
  says("POST /v1/obie/tokens", "the whole body of an open-banking token", async () => {
    const answer = await obtainObieToken(await ccg(), { state: "s" });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: { access_token: TOKEN, expires_in: 3600, token_type: "bearer", state: "s" },
    });
    const forged = await askForObieToken({ ccg_token: "forged" }, "a-code");
    expect([forged.status, forged.body]).toEqual([401, errorForm("ccg_token_invalid")]);
  });
});

describe("GET /v1/obie/tokens/{token}", () => {
  says("GET /v1/obie/tokens/{token}", "the whole body of token information", async () => {
    const headers = await ccg();
    const token = (await obtainObieToken(headers)).body.data.access_token;
    const answer = await call("GET", `/v1/obie/tokens/${token}`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: { access_token: token, expires_in: expect.any(Number), token_type: "bearer", active: true },
    });
    expect(answer.body.data.expires_in).toBeGreaterThan(3590);
    expect(answer.body.data.expires_in).toBeLessThanOrEqual(3600);
    const unknown = await call("GET", "/v1/obie/tokens/unknown", { headers });
    expect([unknown.status, unknown.body]).toEqual([404, errorForm("token_not_found")]);
    const otherPsp = await call("GET", `/v1/obie/tokens/${token}`, {
      headers: await ccg("accounts", "accounts-only"),
    });
    expect([otherPsp.status, otherPsp.body]).toEqual([404, errorForm("token_not_found")]);
    const nobody = await call("GET", `/v1/obie/tokens/${token}`);
    expect([nobody.status, nobody.body]).toEqual([401, errorForm("ccg_token_missing")]);
  });
});
