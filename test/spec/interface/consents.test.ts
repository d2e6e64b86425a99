/** Interface, "Account access consent" and its endpoints, "States and transitions" of consents. */
import { describe, expect } from "vitest";
import {
  askForObieCode,
  askForObieToken,
  call,
  ccg,
  codeOf,
  createConsent,
  errorForm,
  INITIATION,
  OPEN_ENDED,
  obtainObieToken,
  REDIRECT_URI,
} from "./bank.ts";
import { says } from "./says.ts";

const DATE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const path = (id: string) => `/v1/obie/account_access_consents/${id}`;
const BOUNDED = {
  permissions: ["ReadAccountsBasic", "ReadBalances"],
  expiration_date_time: "2099-01-01T00:00:00Z",
  transaction_from_date_time: "2026-01-01T00:00:00Z",
  transaction_to_date_time: "2026-12-31T23:59:59Z",
};
const bounded = (consent_id: string, status: string) => ({
  data: {
    consent_id,
    status,
    status_update_date_time: DATE_TIME,
    creation_date_time: DATE_TIME,
    permissions: BOUNDED.permissions,
    expiration_date_time: expect.stringContaining("2099-01-01T00:00:00"),
    transaction_from_date_time: expect.stringContaining("2026-01-01T00:00:00"),
    transaction_to_date_time: expect.stringContaining("2026-12-31T23:59:59"),
  },
});

describe("Account access consent", () => {
  says("Account access consent", "two consents have two ids", async () => {
    const headers = await ccg();
    const ids = [await createConsent(headers), await createConsent(headers)].map(({ body }) => body.data.consent_id);
    expect(new Set(ids).size).toBe(2);
  });
  for (const name of ["expiration_date_time", "transaction_from_date_time", "transaction_to_date_time"] as const)
    says(
      "Account access consent",
      `${name} absent, null and empty are open ended, and absent from the answer`,
      async () => {
        const headers = await ccg();
        for (const value of [undefined, null, ""]) {
          const answer = await createConsent(headers, { ...BOUNDED, [name]: value });
          expect(answer.status).toBe(201);
          const { [name]: _, ...others } = bounded(answer.body.data.consent_id, "AwaitingAuthorisation").data;
          expect(answer.body).toEqual({ data: others });
        }
      },
    );
});

describe("POST /v1/obie/account_access_consents", () => {
  for (const value of ["ReadAccountsBasic", []])
    says("POST /v1/obie/account_access_consents", `permissions ${JSON.stringify(value)} are refused`, async () => {
      const answer = await createConsent(await ccg(), { permissions: value });
      expect([answer.status, answer.body]).toEqual([400, errorForm("permissions_invalid")]);
    });
  for (const name of ["expiration_date_time", "transaction_from_date_time", "transaction_to_date_time"])
    says("POST /v1/obie/account_access_consents", `${name} that is no date-time is refused`, async () => {
      const headers = await ccg();
      for (const value of ["tomorrow", "2099-02-30T00:00:00Z", "2099-01-01", 4070908800]) {
        const answer = await createConsent(headers, { [name]: value });
        expect([value, answer.status, answer.body]).toEqual([value, 400, errorForm(`${name}_invalid`)]);
      }
    });
  says("POST /v1/obie/account_access_consents", "the whole body of a new consent", async () => {
    const answer = await createConsent(await ccg(), BOUNDED);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual(bounded(expect.any(String), "AwaitingAuthorisation"));
  });
  says("POST /v1/obie/account_access_consents", "a CCG token for payments is 403", async () => {
    const answer = await createConsent(await ccg("payments"));
    expect([answer.status, answer.body]).toEqual([403, errorForm("payment_service_invalid")]);
    const forged = await createConsent({ ccg_token: "forged" });
    expect([forged.status, forged.body]).toEqual([401, errorForm("ccg_token_invalid")]);
  });
});

describe("GET /v1/obie/account_access_consents/{consent_id}", () => {
  says("GET /v1/obie/account_access_consents/{consent_id}", "the whole body is the one of its creation", async () => {
    const headers = await ccg();
    const created = await createConsent(headers, BOUNDED);
    const answer = await call("GET", path(created.body.data.consent_id), { headers });
    expect([answer.status, answer.body]).toEqual([200, created.body]);
  });
  says("GET /v1/obie/account_access_consents/{consent_id}", "an expired consent is not found", async () => {
    const headers = await ccg();
    // twice as long each time, until both answers came while it lasted
    for (let lasts = 1_500; ; lasts *= 2) {
      const expiry = Date.now() + lasts;
      const expiration_date_time = new Date(expiry).toISOString();
      const created = await createConsent(headers, { expiration_date_time });
      if (Date.now() >= expiry) continue;
      const { consent_id } = created.body.data;
      const before = await call("GET", path(consent_id), { headers });
      if (Date.now() >= expiry) continue;
      expect(before.status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, expiry + 100 - Date.now()));
      expect((await call("GET", path(consent_id), { headers })).status).toBe(404);
      return;
    }
  });
});

describe("States and transitions", () => {
  says("States and transitions", "a consent is Authorised when the FI obtains a code for it", async () => {
    const headers = await ccg();
    const created = await createConsent(headers, BOUNDED);
    const { consent_id } = created.body.data;
    codeOf(await askForObieCode(headers, consent_id));
    const answer = await call("GET", path(consent_id), { headers });
    expect(answer.body).toEqual(bounded(consent_id, "Authorised"));
    expect(answer.body.data.creation_date_time).toBe(created.body.data.creation_date_time);
  });
});

describe("What a consent is good for", () => {
  says("States and transitions", "a consent is for the account of its first code", async () => {
    const headers = await ccg();
    const { consent_id } = (await createConsent(headers)).body.data;
    const ask = (psu_account_id: string) => askForObieCode(headers, consent_id, { psu_account_id, state: "s" });
    expect((await ask("account-1")).status).toBe(201);
    const other = await ask("account-2");
    expect(other.status).toBe(403);
    expect(other.body).toEqual({
      data: {
        redirect_uri: {
          base_url: REDIRECT_URI,
          parameters: { error: "access_denied", error_description: expect.any(String), state: "s" },
          full_uri: expect.stringContaining(`${REDIRECT_URI}?error=access_denied&error_description=`),
        },
      },
      ...errorForm("consent_of_another_account"),
    });
    expect((await ask("account-1")).status).toBe(201);
  });
  says("Account access consent", "a payment order that gave its token is Consumed", async () => {
    const headers = await ccg("payments");
    const paths = "/v1/obie/payment_order_consents";
    const created = await call("POST", paths, { headers, body: { data: { initiation: INITIATION } } });
    const { consent_id } = created.body.data;
    const code = await askForObieCode(headers, consent_id, { scope: "payments" });
    expect((await askForObieToken(headers, codeOf(code))).status).toBe(201);
    const { data } = (await call("GET", `${paths}/${consent_id}`, { headers })).body;
    expect(data.status).toBe("Consumed");
    expect((await call("GET", `${paths}?consent_id=${consent_id}`, { headers })).body).toEqual({ data: [data] });
    const again = await askForObieCode(headers, consent_id, { scope: "payments" });
    expect([again.status, again.body.errors]).toEqual([403, errorForm("consent_denied").errors]);
  });
  says("Endpoints", "a second deletion is answered as the first", async () => {
    const headers = await ccg();
    const { consent_id } = (await createConsent(headers)).body.data;
    for (let time = 0; time < 2; time++) expect((await call("DELETE", path(consent_id), { headers })).status).toBe(204);
    expect((await call("GET", path(consent_id), { headers })).status).toBe(404);
  });
});

describe("Endpoints that exist but whose request and response shapes are not shown", () => {
  says("Endpoints", "a deleted consent is not found, and its tokens die with it", async () => {
    const headers = await ccg();
    const { consent_id } = (await createConsent(headers)).body.data;
    const code = codeOf(await askForObieCode(headers, consent_id));
    const redeemed = await call("POST", "/v1/obie/tokens", {
      headers,
      body: { auth_code: code, redirect_uri: "https://psp.example/callback" },
    });
    const token = redeemed.body.data.access_token;
    const other = (await obtainObieToken(headers)).body.data.access_token;
    const deleted = await call("DELETE", path(consent_id), { headers });
    expect([deleted.status, deleted.body]).toEqual([204, undefined]);
    expect((await call("GET", path(consent_id), { headers })).status).toBe(404);
    expect((await call("GET", `/v1/obie/tokens/${token}`, { headers })).body.data.active).toBe(false);
    expect((await call("GET", `/v1/obie/tokens/${other}`, { headers })).body.data.active).toBe(true);
  });
  says("Endpoints", "a payment order consent is created, listed and read", async () => {
    const headers = await ccg("payments", "payments-only");
    const created = await call("POST", "/v1/obie/payment_order_consents", {
      headers,
      body: { data: { initiation: INITIATION } },
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      data: {
        consent_id: expect.any(String),
        status: "AwaitingAuthorisation",
        status_update_date_time: DATE_TIME,
        creation_date_time: DATE_TIME,
        initiation: INITIATION,
      },
    });
    const list = await call("GET", "/v1/obie/payment_order_consents?limit=1", { headers });
    expect([list.status, list.body.data]).toEqual([200, [created.body.data]]);
    const one = await call("GET", `/v1/obie/payment_order_consents/${created.body.data.consent_id}`, { headers });
    expect([one.status, one.body]).toEqual([200, created.body]);
  });
  says("Account access consent", "OBIE's codes are taken", async () => {
    const permissions = ["ReadAccountsDetail", "ReadTransactionsCredits", "ReadTransactionsDetail"];
    const answer = await createConsent(await ccg(), { ...OPEN_ENDED, permissions });
    expect(answer.body.data.permissions).toEqual(permissions);
  });
});
