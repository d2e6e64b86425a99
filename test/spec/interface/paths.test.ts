/** Paths as they arrive over HTTP: the request line is written as given, without a URL parser in the client. */
import { expect, test } from "vitest";
import { call, obtainToken, sendRaw } from "./bank.ts";

test.each([
  ["%", "path_malformed"],
  ["%zz", "path_malformed"],
  ["%ff", "path_malformed"],
  ["a%2", "path_malformed"],
  ["%00", "account_id_invalid"],
  ["", "account_id_missing"],
  [".", "path_not_found"],
  ["..", "path_not_found"],
  ["%2e%2E", "path_not_found"],
])("the account id %j in a path is 404 %s, and no other account", async (segment, code) => {
  const { status, text } = await sendRaw(`/v1/oauth2/account/${segment}/tokens`);
  expect([status, JSON.parse(text).errors[0].code]).toEqual([404, code]);
});

test.each(["a/b", "a%2Fb", "100%", "?", "#", "\\", "..\\..", "é\u200b", " "])(
  "the tokens of account %j are listed",
  async (accountId) => {
    const token = await obtainToken(accountId);
    const { body } = await call("GET", `/v1/oauth2/account/${encodeURIComponent(accountId)}/tokens`);
    expect(body.data).toMatchObject([{ token, account_id: accountId }]);
  },
);
