/** Interface, "Errors". */
import { describe, expect, test } from "vitest";
import { askForCode, call, ccg, errorForm, newAccount } from "./bank.ts";

describe("Errors", () => {
  test("id is the request's, link opens", async () => {
    const answer = await call("GET", "/v1/oauth2/tokens/x");
    expect(answer.body).toEqual(errorForm("token_not_found"));
    const [error] = answer.body.errors;
    expect(Object.keys(error)).toEqual(["id", "code", "title", "link"]);
    expect(error.id).toBe(answer.headers.get("x-request-id"));
    const page = await fetch(error.link);
    expect(page.headers.get("Content-Type")).toContain("text/html");
    expect(await page.text()).toContain('id="token_not_found"');
  });
  test("each of several faults is one element", async () => {
    const answer = await call("POST", "/v1/obie/tokens", { headers: await ccg(), body: {} });
    expect([answer.status, answer.body]).toEqual([400, errorForm("auth_code_missing", "redirect_uri_missing")]);
  });
  test("an unknown path and a wrong method have the same form", async () => {
    const path = await call("GET", "/v1/nothing");
    expect([path.status, path.body]).toEqual([404, errorForm("path_not_found")]);
    const method = await call("PUT", "/v1/oauth2/tokens", { body: {} });
    expect([method.status, method.body]).toEqual([405, errorForm("method_not_allowed")]);
    expect(method.headers.get("Allow")).toBe("POST");
  });
  test("a body of 1 MB is body_too_large each time, not at times a 500 of the local proxy", async () => {
    const body = { eIDAS: "A".repeat(1_048_576), scope: "accounts" };
    for (let i = 0; i < 20; i++) {
      const answer = await call("POST", "/v1/obie/ccg_tokens", { body });
      expect([answer.status, answer.body]).toEqual([400, errorForm("body_too_large")]);
    }
  });
  test("answers and errors say so", async () => {
    for (const answer of [await askForCode(newAccount()), await call("GET", "/v1/nothing")])
      expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  });
});
