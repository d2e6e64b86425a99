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
});

describe("POST /v1/obie/ccg_tokens", () => {
  says("POST /v1/obie/ccg_tokens", "works without either, and whatever they hold", async () => {
    expect((await request()).status).toBe(201);
    expect((await request({}, { eidas: "garbage", ccg_token: "garbage" })).status).toBe(201);
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
  says("CCG token", "the token of one PSP does not read another's consent", async () => {
    const consent = await createConsent(await ccg());
    const path = `/v1/obie/account_access_consents/${consent.body.data.consent_id}`;
    const answer = await call("GET", path, { headers: await ccg("accounts", "accounts-only") });
    expect([answer.status, answer.body]).toEqual([404, errorForm("consent_not_found")]);
  });
});
