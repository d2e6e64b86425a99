import { beforeAll, describe, expect, test } from "vitest";
import { call, codesOf, createPaymentConsent, INITIATION, obtainCcgToken } from "../../bank.ts";
import { loadSandbox, OTHER_FI } from "../../sandbox.ts";

let ccg_token: string;
beforeAll(async () => {
  await loadSandbox();
  ccg_token = await obtainCcgToken("payments");
});

const PATH = "/v1/obie/payment_order_consents";
const create = (initiation: object) => call("POST", PATH, { headers: { ccg_token }, body: { data: { initiation } } });
const list = (query = "", token = ccg_token) => call("GET", `${PATH}${query}`, { headers: { ccg_token: token } });
const ids = (data: { consent_id: string }[]) => data.map(({ consent_id }) => consent_id);

test("a payment order is created awaiting authorisation, and read as it was created", async () => {
  const answer = await create({ ...INITIATION, risk: { note: "unknown fields are ignored" } });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    data: {
      consent_id: expect.any(String),
      status: "AwaitingAuthorisation",
      status_update_date_time: expect.stringMatching(/^\d{4}-.+Z$/),
      creation_date_time: answer.body.data.status_update_date_time,
      initiation: INITIATION,
    },
  });
  const read = await call("GET", `${PATH}/${answer.body.data.consent_id}`, { headers: { ccg_token } });
  expect([read.status, read.body]).toEqual([200, answer.body]);
});

test("what is optional may be absent, null or empty, and is then absent from the answer", async () => {
  const { remittance_information: _, ...rest } = INITIATION;
  const debtor_account = { scheme_name: "IBAN", identification: "XX07", name: null };
  const answer = await create({ ...rest, remittance_information: null, debtor_account });
  expect(answer.body.data.initiation).toEqual({
    ...rest,
    debtor_account: { scheme_name: "IBAN", identification: "XX07" },
  });
});

describe("amounts", () => {
  test.each([
    ["165.88", "EUR"],
    ["1000", "JPY"],
    ["1.125", "KWD"],
  ])("%s %s is taken as it is", async (amount, currency) => {
    const answer = await create({ ...INITIATION, instructed_amount: { amount, currency } });
    expect(answer.body.data.initiation.instructed_amount).toEqual({ amount, currency });
  });

  test.each([
    ["165.888", "EUR", "amount_invalid"],
    ["1000.5", "JPY", "amount_invalid"],
    ["-1.00", "EUR", "amount_invalid"],
    ["0.00", "EUR", "amount_invalid"],
    [165.88, "EUR", "amount_invalid"],
    ["165.88", "XXX", "currency_invalid"],
    ["165.88", "eur", "currency_invalid"],
    ["165.88", null, "currency_missing"],
    [null, "EUR", "amount_missing"],
  ])("%j %j is refused: %s", async (amount, currency, code) => {
    const answer = await create({ ...INITIATION, instructed_amount: { amount, currency } });
    expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
  });
});

describe("the list", () => {
  test("pages through the PSP's own consents, newest first", async () => {
    const token = await obtainCcgToken("payments", "payments-only");
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push(await createPaymentConsent(token));
    const newestFirst = made.toReversed();
    const first = await list("?limit=2", token);
    expect(first.status).toBe(200);
    expect(ids(first.body.data)).toEqual(newestFirst.slice(0, 2));
    const second = await list(`?limit=2&cursor=${first.body.next_cursor}`, token);
    expect(ids(second.body.data)).toEqual(newestFirst.slice(2, 4));
    const third = await list(`?limit=2&cursor=${second.body.next_cursor}`, token);
    expect(ids(third.body.data)).toEqual(newestFirst.slice(4));
    expect(third.body).not.toHaveProperty("next_cursor");
    expect(ids((await list("", token)).body.data)).toEqual(newestFirst);
    expect((await list("?limit=5", token)).body).not.toHaveProperty("next_cursor");
  });

  test("another FI, with the same PSP, sees none of them", async () => {
    await createPaymentConsent(ccg_token);
    const token = await obtainCcgToken("payments", "scenario-1", OTHER_FI);
    const answer = await call("GET", PATH, { headers: { ...OTHER_FI, ccg_token: token } });
    expect([answer.status, answer.body]).toEqual([200, { data: [] }]);
  });

  test("somebody else's cursor is refused, and so is an id", async () => {
    const token = await obtainCcgToken("payments", "payments-only");
    const foreign = [await createPaymentConsent(token), await createPaymentConsent(token)][1] ?? "";
    const { next_cursor } = (await list("?limit=1", token)).body;
    const refused = await list(`?cursor=${next_cursor}`);
    expect([refused.status, codesOf(refused)]).toEqual([400, ["cursor_invalid"]]);
    expect(refused.body.errors[0].title).toBe("cursor is not from an earlier answer for this PSP");
    expect((await list(`?cursor=${next_cursor}x`, token)).status).toBe(400);
    expect(codesOf(await list(`?cursor=${foreign}`))).toEqual(["cursor_invalid"]);
  });

  test("?consent_id= filters; an unknown one, another PSP's and another FI's give an empty list", async () => {
    const [id, foreign] = [
      await createPaymentConsent(ccg_token),
      await createPaymentConsent(await obtainCcgToken("payments", "payments-only")),
    ];
    await createPaymentConsent(ccg_token);
    const answer = await list(`?consent_id=${id}`);
    expect(answer.status).toBe(200);
    const one = await call("GET", `${PATH}/${id}`, { headers: { ccg_token } });
    expect(answer.body).toEqual({ data: [one.body.data] });
    expect((await list(`?consent_id=${id}&limit=1`)).body).toEqual(answer.body);
    // a page that begins after the consent does not hold it
    const { data, next_cursor } = (await list("?limit=1")).body;
    expect((await list(`?consent_id=${ids(data)[0]}&cursor=${next_cursor}`)).body).toEqual({ data: [] });
    for (const nobodys of [foreign, id.replace(/.{4}$/, "none")]) {
      const empty = await list(`?consent_id=${nobodys}`);
      expect([empty.status, empty.body]).toEqual([200, { data: [] }]);
    }
    const headers = { ...OTHER_FI, ccg_token: await obtainCcgToken("payments", "scenario-1", OTHER_FI) };
    expect((await call("GET", `${PATH}?consent_id=${id}`, { headers })).body).toEqual({ data: [] });
  });

  test("a query parameter that it does not know changes nothing", async () => {
    await createPaymentConsent(ccg_token);
    expect((await list("?status=Authorised&constructor=1&consentId=x")).body).toEqual((await list()).body);
  });

  test.each([
    ["consent_id=nothing", "consent_id_invalid"],
    ["consent_id=", "consent_id_invalid"],
    ["consent_id=a&consent_id=b", "consent_id_invalid"],
    ["consent_id=%27%20OR%201%3D1", "consent_id_invalid"],
    ["limit=0", "limit_invalid"],
    ["limit=101", "limit_invalid"],
    ["limit=-1", "limit_invalid"],
    ["limit=1.5", "limit_invalid"],
    ["limit=ten", "limit_invalid"],
    ["limit=1&limit=2", "limit_invalid"],
    ["cursor=nothing", "cursor_invalid"],
    ["cursor=%27%20OR%201%3D1", "cursor_invalid"],
  ])("?%s is %s", async (query, code) => {
    const answer = await list(`?${query}`);
    expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
  });
});

test("a CCG token for accounts neither creates, lists nor reads", async () => {
  const id = await createPaymentConsent(ccg_token);
  const headers = { ccg_token: await obtainCcgToken("accounts") };
  const body = { data: { initiation: INITIATION } };
  for (const answer of [
    await call("POST", PATH, { headers, body }),
    await call("GET", PATH, { headers }),
    await call("GET", `${PATH}/${id}`, { headers }),
  ])
    expect([answer.status, codesOf(answer)]).toEqual([403, ["payment_service_invalid"]]);
});

test.each(["nothing", "%00", "..%2F..", "'%20OR%201=1--", "%F0%9F%98%80"])("%s is no consent", async (id) => {
  const answer = await call("GET", `${PATH}/${id}`, { headers: { ccg_token } });
  expect([answer.status, codesOf(answer)]).toEqual([404, ["consent_not_found"]]);
});
