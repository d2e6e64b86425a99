/** Interface, "Token record", the list of an account's tokens, and one token of the core flow. */
import { describe, expect } from "vitest";
import { call, ccg, errorForm, newAccount, OTHER_FI, obtainObieToken, obtainToken } from "./bank.ts";
import { says } from "./says.ts";

const listTokens = (accountId: string, headers = {}) =>
  call("GET", `/v1/oauth2/account/${encodeURIComponent(accountId)}/tokens`, { headers });
const now = () => Math.floor(Date.now() / 1000);

describe("Token record", () => {
  says("Token record", "a record has the interface's eight fields, and no other", async () => {
    const [account, before] = [newAccount(), now()];
    const token = await obtainToken(account, "payments");
    const { body } = await listTokens(account);
    expect(body).toEqual({
      data: [
        {
          token,
          active: true,
          psp_id: "PSDXX-TEST-000001",
          account_id: account,
          scope: "payments",
          exp: body.data[0].iat + 3600,
          iat: expect.any(Number),
          revoked_at: null,
        },
      ],
    });
    expect(body.data[0].iat).toBeGreaterThanOrEqual(before);
    expect(body.data[0].iat).toBeLessThanOrEqual(now());
  });
  says("Token record", "a deleted token has its revocation time and is not active", async () => {
    const [account, before] = [newAccount(), now()];
    const token = await obtainToken(account);
    const deleted = await call("DELETE", `/v1/oauth2/tokens/${token}`);
    expect([deleted.status, deleted.body]).toEqual([204, undefined]);
    const [record] = (await listTokens(account)).body.data;
    expect(record).toMatchObject({ token, active: false, revoked_at: expect.any(Number) });
    expect(record.revoked_at).toBeGreaterThanOrEqual(before);
    expect(record.revoked_at).toBeLessThanOrEqual(now());
    const again = await call("DELETE", `/v1/oauth2/tokens/${token}`);
    expect(again.status).toBe(204);
    expect((await listTokens(account)).body.data).toEqual([record]);
  });
});

describe("GET /v1/oauth2/account/{account_id}/tokens", () => {
  says(
    "GET /v1/oauth2/account/{account_id}/tokens",
    "all tokens of the account, of both flows and all PSPs",
    async () => {
      const account = newAccount();
      const core = await obtainToken(account);
      const headers = await ccg("accounts", "accounts-only");
      const obie = (await obtainObieToken(headers, { psu_account_id: account })).body.data.access_token;
      await obtainToken(newAccount());
      const { data } = (await listTokens(account)).body;
      expect(data.map((record: { token: string; psp_id: string }) => [record.token, record.psp_id]).sort()).toEqual(
        [
          [core, "PSDXX-TEST-000001"],
          [obie, "PSDXX-TEST-000011"],
        ].sort(),
      );
      expect((await listTokens(account, OTHER_FI)).body).toEqual({ data: [] });
    },
  );
  says("GET /v1/oauth2/account/{account_id}/tokens", "an account without tokens has an empty array", async () => {
    const answer = await listTokens(newAccount());
    expect([answer.status, answer.body]).toEqual([200, { data: [] }]);
  });
  says(
    "Limits",
    "active tokens come first; an answer that holds all has no Link, and a cursor of no answer is 404",
    async () => {
      const account = newAccount();
      const older = await obtainToken(account);
      const newer = await obtainToken(account);
      await call("DELETE", `/v1/oauth2/tokens/${newer}`);
      const answer = await listTokens(account);
      expect(answer.body.data.map(({ token }: { token: string }) => token)).toEqual([older, newer]);
      expect(answer.headers.has("Link")).toBe(false);
      const path = `/v1/oauth2/account/${account}/tokens`;
      const wrong = await call("GET", `${path}?cursor=unknown`);
      expect([wrong.status, wrong.body]).toEqual([404, errorForm("cursor_invalid")]);
      expect((await call("GET", `${path}?unknown=1`)).body).toEqual(answer.body);
    },
  );
});

describe("Endpoints that exist but whose request and response shapes are not shown", () => {
  says("Endpoints", "one token record by its token, and its end", async () => {
    const account = newAccount();
    const token = await obtainToken(account);
    const path = `/v1/oauth2/tokens/${token}`;
    expect((await call("GET", path)).body).toEqual({ data: (await listTokens(account)).body.data[0] });
    for (const method of ["GET", "DELETE"]) {
      const foreign = await call(method, path, { headers: OTHER_FI });
      expect([foreign.status, foreign.body]).toEqual([404, errorForm("token_not_found")]);
    }
    expect((await call("DELETE", path)).status).toBe(204);
    expect((await call("GET", path)).body.data.active).toBe(false);
  });
});
