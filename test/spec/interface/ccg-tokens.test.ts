/** Interface, "CCG token" and POST /v1/obie/ccg_tokens. */
import { describe, expect } from "vitest";
import { askForCcgToken, call, ccg, createConsent, eidasHeader, errorForm } from "./bank.ts";
import { says } from "./says.ts";

const TOKEN = expect.stringMatching(/^[A-Za-z0-9]+\.[\w-]+$/);
const request = async (fields: object = {}, headers = {}) =>
  call("POST", "/v1/obie/ccg_tokens", {
    headers,
    body: { eIDAS: await eidasHeader("scenario-1"), scope: "accounts", ...fields },
  });

describe("CCG token", () => {
  says("CCG token", "psp_id is the certificate's authorisation number", async () => {
    expect((await askForCcgToken()).body.psp_id).toBe("PSDXX-TEST-000001");
  });
  says("CCG token", "its access_token is a ccg_token", async () => {
    expect((await createConsent({ ccg_token: (await askForCcgToken()).body.access_token })).status).toBe(201);
  });
  says("CCG token", "payment_service_number is the scope's", async () => {
    expect((await askForCcgToken("payments")).body.payment_service_number).toBe(7);
    expect((await askForCcgToken("accounts")).body.payment_service_number).toBe(8);
  });
  for (const [certificate, scope, warning] of [
    ["service-withdrawn", "payments", "PSDXX-TEST-000014"],
    ["scenario-7", "accounts", "PSDXX-TEST-000007"],
    ["scenario-2", "accounts", "PSDXX-TEST-000002"],
    ["scenario-8", "accounts", "PSDXX-TEST-000008"],
    ["accounts-only", "payments", "payments"],
  ] as const)
    says("CCG token", `a warning for ${certificate} and ${scope}`, async () => {
      const answer = await askForCcgToken(scope, certificate);
      expect(answer.status).toBe(201);
      expect(answer.body.warning).toContain(warning);
    });
  says("What the service does", "without one: 401", async () => {
    for (const [method, path, body] of [
      ["POST", "/v1/obie/account_access_consents", { data: { permissions: ["ReadAccountsBasic"] } }],
      ["GET", "/v1/obie/account_access_consents/x"],
      ["GET", "/v1/obie/tokens/x"],
      ["POST", "/v1/obie/tokens", { auth_code: "x", redirect_uri: "https://psp.example" }],
    ] as const) {
      const answer = await call(method, path, { body });
      expect([answer.status, answer.body]).toEqual([401, errorForm("ccg_token_missing")]);
    }
  });
});

describe("POST /v1/obie/ccg_tokens", () => {
  says("POST /v1/obie/ccg_tokens", "works without either, and whatever they hold", async () => {
    expect((await request()).status).toBe(201);
    expect((await request({}, { eidas: "garbage", ccg_token: "garbage" })).status).toBe(201);
  });
  says("POST /v1/obie/ccg_tokens", "missing, and not a certificate", async () => {
    const missing = await request({ eIDAS: undefined });
    expect([missing.status, missing.body]).toEqual([400, errorForm("certificate_missing")]);
    const garbage = await request({ eIDAS: btoa("garbage") });
    expect([garbage.status, garbage.body]).toEqual([400, errorForm("certificate_unreadable")]);
  });
  says("POST /v1/obie/ccg_tokens", "missing, and another one", async () => {
    const missing = await request({ scope: undefined });
    expect([missing.status, missing.body]).toEqual([400, errorForm("scope_missing")]);
    // as release 1.6 spelled it
    const earlier = await request({ scope: "Account information services" });
    expect([earlier.status, earlier.body]).toEqual([400, errorForm("scope_invalid")]);
  });
  says("POST /v1/obie/ccg_tokens", "the whole body", async () => {
    const answer = await request();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      psp_id: "PSDXX-TEST-000001",
      access_token: TOKEN,
      expires_in: 3600,
      token_type: "bearer",
      scope: "accounts",
      payment_service_number: 8,
      active: true,
    });
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });
  for (const [certificate, code] of [
    ["scenario-4", "certificate_expired"],
    ["scenario-5", "certificate_revoked"],
    ["scenario-6", "qtsp_invalid"],
    ["unlisted-qtsp", "qtsp_invalid"],
  ] as const)
    says("Authentication", `${certificate} is ${code}`, async () => {
      const answer = await askForCcgToken("accounts", certificate);
      expect([answer.status, answer.body]).toEqual([401, errorForm(code)]);
    });
  says("POST /v1/obie/ccg_tokens", "an FI that is not known gets no CCG token", async () => {
    const answer = await request({}, { Authorization: `Basic ${btoa("sandbox-fi:wrong")}` });
    expect([answer.status, answer.body]).toEqual([401, errorForm("credentials_invalid")]);
  });
  says("CCG token", "the token of one PSP does not read another's consent", async () => {
    const consent = await createConsent(await ccg());
    const path = `/v1/obie/account_access_consents/${consent.body.data.consent_id}`;
    const answer = await call("GET", path, { headers: await ccg("accounts", "accounts-only") });
    expect([answer.status, answer.body]).toEqual([404, errorForm("consent_not_found")]);
  });
});
