import { beforeAll, expect, test } from "vitest";
import { call, codesOf, createAccountConsent, obtainCcgToken, obtainObieToken, obtainToken } from "../bank.ts";
import { eidasHeader, loadSandbox, OTHER_FI } from "../sandbox.ts";

beforeAll(loadSandbox);

const list = (accountId: string, headers = {}) => call("GET", `/v1/oauth2/account/${accountId}/tokens`, { headers });

test("an account without tokens has an empty list", async () => {
  const answer = await list("nobody");
  expect([answer.status, answer.body]).toEqual([200, { data: [] }]);
});

test("the list holds the tokens of both flows and of all PSPs, newest first", async () => {
  const core = await obtainToken("list-1");
  const ccg = await obtainCcgToken();
  const obie = await obtainObieToken(ccg, await createAccountConsent(ccg), { psu_account_id: "list-1" });
  const second = await obtainToken("list-1", { eidas: eidasHeader("accounts-only") });
  const { data } = (await list("list-1")).body;
  expect(data.map(({ token }: { token: string }) => token)).toEqual([second, obie, core]);
  expect(data[0]).toEqual({
    token: second,
    active: true,
    psp_id: "PSDXX-TEST-000011",
    account_id: "list-1",
    scope: "accounts",
    exp: data[0].iat + 3600,
    iat: expect.any(Number),
    revoked_at: null,
  });
});

test("another FI's account of the same id is another account", async () => {
  await obtainToken("list-2");
  expect((await list("list-2", OTHER_FI)).body).toEqual({ data: [] });
});

test.each([
  ["a%2Fb", "a/b"],
  ["%C3%A9%20x", "é x"],
  ["a'%3B--", "a';--"],
  ["..%2e", "..."],
])("the account id in the path is percent-decoded: %s is %s", async (path, accountId) => {
  const token = await obtainToken(accountId);
  expect((await list(path)).body.data).toMatchObject([{ token, account_id: accountId }]);
});

test.each([
  ["with a control character", "a%00b"],
  ["that is too long", "a".repeat(257)],
])("an account id %s is 404, for the endpoint has no 400", async (_, accountId) => {
  const answer = await list(accountId);
  expect([answer.status, codesOf(answer)]).toEqual([404, ["account_id_invalid"]]);
});
