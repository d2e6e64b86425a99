/** Interface, "Authentication": the table of headers, over all endpoints of the interface. */
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import { call, ccg, codesOf, eidas, errorForm } from "./bank.ts";
import { says } from "./says.ts";

const rows = ENDPOINTS.map(({ method, path }) => ({
  method,
  path: path.replace(/\{\w+\}/, "x"),
  name: `${method} ${path}`,
}));
const body = (method: string) => (method === "POST" ? {} : undefined);
const without = async (header: string, { method, path }: (typeof rows)[number]) =>
  call(method, path, { headers: { ...(await eidas()), [header]: undefined }, body: body(method) });

describe("headers required on every endpoint", () => {
  says("Authentication", "without Authorization", async () => {
    for (const row of rows) {
      const answer = await without("Authorization", row);
      expect([row.name, answer.status, answer.body]).toEqual([row.name, 401, errorForm("credentials_missing")]);
      expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Basic realm=/);
    }
  });
  says("Authentication", "without fi_reference_id", async () => {
    for (const row of rows) {
      const answer = await without("fi_reference_id", row);
      expect([row.name, answer.status, answer.body]).toEqual([row.name, 401, errorForm("fi_reference_id_missing")]);
    }
  });
  says("Authentication", "without version: 400, or 404 where there is no 400", async () => {
    for (const [i, row] of rows.entries()) {
      const answer = await without("version", row);
      const status = ENDPOINTS[i]?.statuses.includes(400) ? 400 : 404;
      expect([row.name, answer.status, answer.body]).toEqual([row.name, status, errorForm("version_missing")]);
    }
  });
});

describe("headers of the PSP", () => {
  const codeBody = {
    account_id: "x",
    client_request_query_parameters: {
      response_type: "code",
      redirect_uri: "https://psp.example",
      scope: "accounts",
      grant_type: "authorization_code",
      code: "x",
    },
  };
  for (const path of ["/v1/oauth2/authorization_codes", "/v1/oauth2/tokens"])
    says("Authentication", `${path} without eidas`, async () => {
      const missing = await call("POST", path, { body: codeBody });
      expect([missing.status, missing.body]).toEqual([401, errorForm("certificate_missing")]);
      const garbage = await call("POST", path, { body: codeBody, headers: { eidas: "garbage" } });
      expect([garbage.status, garbage.body]).toEqual([401, errorForm("certificate_unreadable")]);
    });
  says("Authentication", "without ccg_token", async () => {
    const bodies: Record<string, object> = {
      "/v1/obie/authorization_codes": {
        consent_id: "x",
        psu_account_id: "x",
        redirect_uri: "https://psp.example",
        scope: "accounts",
      },
      "/v1/obie/tokens": { auth_code: "x", redirect_uri: "https://psp.example" },
      "/v1/obie/account_access_consents": { data: { permissions: ["ReadAccountsBasic"] } },
      "/v1/obie/payment_order_consents": {
        data: {
          initiation: {
            instruction_identification: "x",
            end_to_end_identification: "x",
            instructed_amount: { amount: "1.00", currency: "EUR" },
            creditor_account: { scheme_name: "IBAN", identification: "x", name: "x" },
          },
        },
      },
    };
    const obie = rows.filter(({ path }) => path.startsWith("/v1/obie/") && path !== "/v1/obie/ccg_tokens");
    expect(obie).toHaveLength(9);
    for (const { method, path, name } of obie) {
      const answer = await call(method, path, { body: method === "POST" ? bodies[path] : undefined });
      expect([name, answer.status, answer.body]).toEqual([name, 401, errorForm("ccg_token_missing")]);
    }
  });
  says("Authentication", "a POST of another media type, or of none, is refused", async () => {
    for (const { method, path, name } of rows.filter((row) => row.method === "POST")) {
      const other = await call(method, path, { body: "{}", headers: { "Content-Type": "text/plain" } });
      expect([name, other.status, other.body]).toEqual([name, 400, errorForm("content_type_invalid")]);
      const none = await call(method, path, { body: "{}", headers: { "Content-Type": undefined } });
      expect([name, none.status, none.body]).toEqual([name, 400, errorForm("content_type_missing")]);
    }
  });
  says("Authentication", "psp_id in a body is ignored", async () => {
    const answer = await call("POST", "/v1/obie/ccg_tokens", {
      body: { eIDAS: (await eidas()).eidas, scope: "accounts", psp_id: "PSDXX-TEST-000011", psd2_role: "7" },
    });
    expect(answer.body).toMatchObject({ psp_id: "PSDXX-TEST-000001", payment_service_number: 8 });
  });
  says("Authentication", "wrong secret, and another FI's reference", async () => {
    const secret = await call("GET", "/v1/oauth2/account/x/tokens", {
      headers: { Authorization: `Basic ${btoa("sandbox-fi:wrong")}` },
    });
    expect([secret.status, secret.body]).toEqual([401, errorForm("credentials_invalid")]);
    const reference = await call("GET", "/v1/oauth2/account/x/tokens", {
      headers: { fi_reference_id: "PSDXX-TEST-FI0002" },
    });
    expect([reference.status, reference.body]).toEqual([401, errorForm("fi_reference_id_invalid")]);
  });
});

test("a CCG token of one FI is not valid for another", async () => {
  const headers = {
    ...(await ccg()),
    Authorization: `Basic ${btoa("other-fi:other-secret")}`,
    fi_reference_id: "PSDXX-TEST-FI0002",
  };
  const answer = await call("GET", "/v1/obie/tokens/x", { headers });
  expect([answer.status, codesOf(answer)]).toEqual([401, ["ccg_token_invalid"]]);
});
