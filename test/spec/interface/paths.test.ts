/** Paths as they arrive over HTTP: the request line is written as given, without a URL parser in the client. */
import { request } from "node:http";
import { expect, test } from "vitest";
import { BASE_URL, call, obtainToken, SANDBOX_FI } from "./bank.ts";

/** The request line's target is sent as it is. */
function get(path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(BASE_URL);
    request({ hostname, port, path, headers: SANDBOX_FI }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more: string) => {
        text += more;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on("error", reject)
      .end();
  });
}

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
  const { status, text } = await get(`/v1/oauth2/account/${segment}/tokens`);
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
