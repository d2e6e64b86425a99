/** Interface, "Versioning". */
import { describe, expect } from "vitest";
import { askForCcgToken, call, ccg, eidas, errorForm, fixtureAnswer } from "./bank.ts";
import { says } from "./says.ts";

describe("Versioning", () => {
  const withVersion = (version: string) => call("GET", "/v1/oauth2/account/x/tokens", { headers: { version } });
  says("Versioning", "latest and 1 are allowed, and no other", async () => {
    for (const version of ["latest", "1"]) expect((await withVersion(version)).status).toBe(200);
    for (const version of ["2", "1.7", "LATEST", "1, 1", "v1"]) {
      const answer = await withVersion(version);
      expect([version, answer.status, answer.body]).toEqual([version, 404, errorForm("version_invalid")]);
    }
  });
  says("Versioning", "what the check rests on is shown with `latest` only", async () => {
    const check = async (version: string) =>
      (await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { version, ...(await eidas()) } })).body;
    const [one, { decision, evidence, ...rest }] = [await check("1"), await check("latest")];
    expect(rest).toEqual(one);
    expect(one).toEqual(await fixtureAnswer("scenario-1"));
    expect(decision).toMatchObject({ payments: { allowed: true }, accounts: { allowed: true } });
    expect(evidence.anchor).toMatchObject({ source: "sandbox", jurisdiction: "XX", status: "granted" });
  });
  says("Versioning", "the old headers are not read", async () => {
    const headers = { "x-ccg-token": (await ccg()).ccg_token };
    const answer = await call("GET", "/v1/obie/tokens/x", { headers });
    expect([answer.status, answer.body]).toEqual([401, errorForm("ccg_token_missing")]);
  });
  for (const [method, path] of [
    ["POST", "/v1/obie/ccg_token"],
    ["POST", "/v1/obie/authorization_code"],
    ["POST", "/v1/obie/token"],
    ["GET", "/v1/obie/token/x"],
    ["GET", "/v1/tpp/eidas"],
  ] as const)
    says("Versioning", `${method} ${path} is gone`, async () => {
      const answer = await call(method, path, { body: method === "POST" ? {} : undefined });
      expect([answer.status, answer.body]).toEqual([404, errorForm("path_not_found")]);
    });
  says("Versioning", "a CCG token has a scope", async () => {
    const { body } = await askForCcgToken();
    expect(body).toMatchObject({ scope: "accounts" });
    expect(body).not.toHaveProperty("psd2_role");
    expect(body).not.toHaveProperty("tpp_id");
  });
});
