import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { makeRecordId } from "../../../../src/grants/record-order.ts";
import { call, codesOf, createAccountConsent, OPEN_ENDED, obtainCcgToken, obtainObieToken } from "../../bank.ts";
import { loadSandbox, OTHER_FI } from "../../sandbox.ts";

let ccg_token: string;
beforeAll(async () => {
  await loadSandbox();
  ccg_token = await obtainCcgToken();
});
afterEach(() => vi.useRealTimers());

const PATH = "/v1/obie/account_access_consents";
const create = (data: object) =>
  call("POST", PATH, { headers: { ccg_token }, body: { data: { ...OPEN_ENDED, ...data } } });
const get = (id: string, token = ccg_token) => call("GET", `${PATH}/${id}`, { headers: { ccg_token: token } });
const remove = (id: string, token = ccg_token) => call("DELETE", `${PATH}/${id}`, { headers: { ccg_token: token } });

test("a consent is created awaiting authorisation, and read as it was created, in UTC", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-21T03:07:23.456Z") });
  const answer = await call("POST", PATH, {
    headers: { ccg_token: await obtainCcgToken() },
    body: {
      data: {
        permissions: ["ReadTransactionsBasic", "ReadBalances"],
        expiration_date_time: "2027-02-19T05:00:00+02:00",
        transaction_from_date_time: "2026-01-01T00:00:00Z",
        transaction_to_date_time: "2026-12-31T23:59:59.5Z",
      },
    },
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    data: {
      consent_id: expect.any(String),
      status: "AwaitingAuthorisation",
      status_update_date_time: "2026-11-21T03:07:23.456Z",
      creation_date_time: "2026-11-21T03:07:23.456Z",
      permissions: ["ReadTransactionsBasic", "ReadBalances"],
      expiration_date_time: "2027-02-19T03:00:00Z",
      transaction_from_date_time: "2026-01-01T00:00:00Z",
      transaction_to_date_time: "2026-12-31T23:59:59.5Z",
    },
  });
  const read = await get(answer.body.data.consent_id, await obtainCcgToken());
  expect([read.status, read.body]).toEqual([200, answer.body]);
});

test("date-times come as banks write them, and are answered with seconds, in UTC", async () => {
  const answer = await create({
    expiration_date_time: "2090-01-01T00:00Z",
    transaction_from_date_time: "20260101T000000+0100",
    transaction_to_date_time: "2026-12-31T23:59:59.5+02",
  });
  expect([answer.status, answer.body.data]).toEqual([
    201,
    expect.objectContaining({
      expiration_date_time: "2090-01-01T00:00:00Z",
      transaction_from_date_time: "2025-12-31T23:00:00Z",
      transaction_to_date_time: "2026-12-31T21:59:59.5Z",
    }),
  ]);
});

test.each([null, "", undefined])("%j is open ended, and absent from the answer", async (open) => {
  const answer = await create({
    expiration_date_time: open,
    transaction_from_date_time: open,
    transaction_to_date_time: open,
  });
  expect(answer.status).toBe(201);
  expect(Object.keys(answer.body.data).sort()).toEqual([
    "consent_id",
    "creation_date_time",
    "permissions",
    "status",
    "status_update_date_time",
  ]);
});

describe("what is refused", () => {
  test.each([
    [{ permissions: [] }, "permissions_invalid"],
    [{ permissions: null }, "permissions_missing"],
    [{ permissions: "ReadBalances" }, "permissions_invalid"],
    [{ permissions: ["ReadBalances", "ReadBalances"] }, "permissions_invalid"],
    [{ permissions: ["ReadEverything"] }, "permissions_invalid"],
    [{ permissions: [null] }, "permissions_invalid"],
    [{ expiration_date_time: "2020-01-01T00:00:00Z" }, "expiration_date_time_invalid"],
    [{ expiration_date_time: "2030-01-01" }, "expiration_date_time_invalid"],
    [{ expiration_date_time: "2030-01-01T00:00:00" }, "expiration_date_time_invalid"],
    [{ expiration_date_time: "20300101T000000" }, "expiration_date_time_invalid"],
    [{ expiration_date_time: 1924992000 }, "expiration_date_time_invalid"],
    [{ transaction_from_date_time: "2026-02-30T00:00:00Z" }, "transaction_from_date_time_invalid"],
    [{ transaction_to_date_time: {} }, "transaction_to_date_time_invalid"],
    [
      { transaction_from_date_time: "2026-01-01T01:00:00+01:00", transaction_to_date_time: "2025-12-31T23:59:59Z" },
      "transaction_from_date_time_invalid",
    ],
  ])("%j: %s", async (data, code) => {
    const answer = await create(data);
    expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
  });

  test("from and to at the same instant, by different clocks, are no mistake", async () => {
    const [from, to] = ["2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00Z"];
    expect((await create({ transaction_from_date_time: from, transaction_to_date_time: to })).status).toBe(201);
  });
});

describe("permission", () => {
  test("a CCG token for payments neither creates, reads nor deletes", async () => {
    const payments = await obtainCcgToken("payments");
    const id = await createAccountConsent(ccg_token);
    const body = { data: OPEN_ENDED };
    const created = await call("POST", PATH, { headers: { ccg_token: payments }, body });
    for (const answer of [created, await get(id, payments), await remove(id, payments)])
      expect([answer.status, codesOf(answer)]).toEqual([403, ["payment_service_invalid"]]);
    expect((await get(id)).status).toBe(200);
  });

  test("a PSP that its home register does not let use accounts creates none", async () => {
    const headers = { ccg_token: await obtainCcgToken("accounts", "scenario-2") };
    const answer = await call("POST", PATH, { headers, body: { data: OPEN_ENDED } });
    expect([answer.status, codesOf(answer)]).toEqual([403, ["payment_service_invalid"]]);
  });

  test("another PSP's consent is not found, and stays", async () => {
    const id = await createAccountConsent(ccg_token);
    const other = await obtainCcgToken("accounts", "accounts-only");
    for (const answer of [await get(id, other), await remove(id, other)])
      expect([answer.status, codesOf(answer)]).toEqual([404, ["consent_not_found"]]);
    expect((await get(id)).status).toBe(200);
  });
});

describe("the end of a consent", () => {
  test("a deleted consent is not found, and its tokens are inactive", async () => {
    const id = await createAccountConsent(ccg_token);
    const tokens = [await obtainObieToken(ccg_token, id), await obtainObieToken(ccg_token, id)];
    const other = await obtainObieToken(ccg_token, await createAccountConsent(ccg_token));
    const answer = await remove(id);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    const read = await get(id);
    expect([read.status, codesOf(read)]).toEqual([404, ["consent_not_found"]]);
    const active = async (token: string) =>
      (await call("GET", `/v1/obie/tokens/${token}`, { headers: { ccg_token } })).body.data.active;
    expect(await Promise.all([...tokens, other].map(active))).toEqual([false, false, true]);
  });

  test("deleting twice answers 204 both times, even past its expiration, and GET stays 404", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const expiry = Date.now() + 60_000;
    const id = await createAccountConsent(ccg_token, { expiration_date_time: new Date(expiry).toISOString() });
    for (const time of [expiry - 2, expiry - 1, expiry]) {
      vi.setSystemTime(time);
      const answer = await remove(id);
      expect([answer.status, answer.body]).toEqual([204, undefined]);
      expect((await get(id)).status).toBe(404);
    }
  });

  test("a second deletion by another PSP, or another FI, is 404", async () => {
    const id = await createAccountConsent(ccg_token);
    await remove(id);
    const otherPsp = await remove(id, await obtainCcgToken("accounts", "accounts-only"));
    const headers = { ...OTHER_FI, ccg_token: await obtainCcgToken("accounts", "scenario-1", OTHER_FI) };
    for (const answer of [otherPsp, await call("DELETE", `${PATH}/${id}`, { headers })])
      expect([answer.status, codesOf(answer)]).toEqual([404, ["consent_not_found"]]);
  });

  test("a token that expired before its consent was deleted has no revocation", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const id = await createAccountConsent(ccg_token);
    const token = await obtainObieToken(ccg_token, id);
    const { data } = (await call("GET", `/v1/oauth2/tokens/${token}`)).body;
    vi.setSystemTime(data.exp * 1000);
    expect((await remove(id, await obtainCcgToken())).status).toBe(204);
    expect((await call("GET", `/v1/oauth2/tokens/${token}`)).body.data).toEqual({ ...data, active: false });
  });

  test("25: an expired consent is told apart from an unknown one, to the PSP that owns it and to nobody else", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const expiry = Date.now() + 60_000;
    const id = await createAccountConsent(ccg_token, { expiration_date_time: new Date(expiry).toISOString() });
    vi.setSystemTime(expiry - 1);
    expect((await get(id)).status).toBe(200);
    const others = [await obtainCcgToken("accounts", "accounts-only")];
    const ofOtherFi = { ...OTHER_FI, ccg_token: await obtainCcgToken("accounts", "scenario-1", OTHER_FI) };
    vi.setSystemTime(expiry);
    for (const ask of [get, remove]) {
      const mine = await ask(id);
      expect([mine.status, codesOf(mine)]).toEqual([404, ["consent_expired"]]);
    }
    const told = async (asked: string) =>
      (
        await Promise.all([
          ...others.flatMap((other) => [get(asked, other), remove(asked, other)]),
          ...["GET", "DELETE"].map((method) => call(method, `${PATH}/${asked}`, { headers: ofOtherFi })),
        ])
      ).map(({ status, body }) => [status, body.errors.map((error: object) => ({ ...error, id: null }))]);
    const unknown = await told(makeRecordId(0));
    expect(unknown.flat(2)).toContainEqual(expect.objectContaining({ code: "consent_not_found" }));
    expect(await told(id)).toEqual(unknown);
  });
});
