/** A body is read as one value, or refused: two readers never see two accounts or two redirect URIs in it. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { clock } from "../../../src/platform/clock.ts";
import { type Answer, call, codeRequest, codesOf, obtainCode, obtainToken, tokenRequest } from "../bank.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";

beforeAll(loadSandbox);

const EIDAS = { eidas: eidasHeader("scenario-1") };
const askForCode = (body: unknown) => call("POST", "/v1/oauth2/authorization_codes", { headers: EIDAS, body });
const exchange = (body: unknown) => call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body });
const expectMalformed = (answer: Answer, title: RegExp) => {
  expect([answer.status, codesOf(answer)]).toEqual([400, ["body_malformed"]]);
  expect(answer.body.errors[0].title).toMatch(title);
};
/** The text in ISO 8859-1: a byte for each character. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test("invalid UTF-8 does not make two accounts one", async () => {
  const code = latin1(JSON.stringify(codeRequest({}, "J\u00e9")));
  expectMalformed(await askForCode(code), /not UTF-8: byte 17 is 0xE9$/);
  const redeemed = latin1(JSON.stringify(tokenRequest(await obtainCode("J\ufffd"), "J\u00e8")));
  expectMalformed(await exchange(redeemed), /not UTF-8: byte 17 is 0xE8$/);
});

test("the same account in UTF-8 is taken, with a byte order mark in front or without", async () => {
  for (const mark of ["", "\ufeff"]) {
    const code = mark + JSON.stringify(codeRequest({}, "J\u00e9"));
    expect((await askForCode(code)).status).toBe(201);
  }
  expect(await obtainToken("J\u00e9")).toEqual(expect.any(String));
});

describe("a member given twice", () => {
  const body = JSON.stringify(codeRequest({}, "twice"));
  const evil = "https://evil.example/callback";
  test.each([
    ["redirect_uri, the second last", `"redirect_uri":"${evil}",`, /"redirect_uri" twice in "client_request_query_/],
    ["spelled with an escape", `"redirect\\u005furi":"${evil}",`, /"redirect_uri" twice in "client_request_query_/],
    ["scope", '"scope":"payments",', /"scope" twice/],
  ])("%s, is refused", async (_, member, title) => {
    expectMalformed(await askForCode(body.replace('"response_type"', `${member}"response_type"`)), title);
  });

  test.each([
    [
      "at the top",
      body.replace("{", '{"account_id":"another",'),
      /"account_id" twice: the second is at character \d+ \(/,
    ],
    ["in a part that is not read", body.replace("{", '{"x":[{"y":{"z":1,"z":1}}],'), /"z" twice in "x\[0\]\.y"/],
    [
      "a whole part",
      body.replace("{", '{"client_request_query_parameters":{},'),
      /"client_request_query_parameters" twice/,
    ],
  ])("%s, is refused", async (_, text, title) => {
    expectMalformed(await askForCode(text), title);
  });

  test("in two different objects is allowed", async () => {
    expect((await askForCode(body.replace("{", '{"scope":{"scope":1},'))).status).toBe(201);
  });
});

describe("what is wrong with a body is said", () => {
  test.each([
    ["empty", "", /^The body is empty$/],
    ["blank", " \r\n ", /^The body is empty$/],
    ["cut off", '{"account_id":', /not JSON: at character 15 \(line 1, column 15\) should be a value; it ends there$/],
    [
      "with a comma too many",
      '{\n  "a": 1,\n}',
      /at character 13 \(line 3, column 1\) should be the name of .*; found "\}"$/,
    ],
    ["a form", "account_id=1", /should be a value; found "a"$/],
    ["JSON in a string", JSON.stringify('{"account_id":"1"}'), /^The body is a string that contains JSON: send /],
    ["a string in a string", '"\\"x\\""', /^The body is a string, not an object$/],
    ["a string", '"x"', /^The body is a string, not an object$/],
    ["an array", "[{}]", /^The body is an array, not an object$/],
    ["a number", "7", /^The body is a number, not an object$/],
    ["null", "null", /^The body is null, not an object$/],
    ["true", "true", /^The body is a boolean, not an object$/],
  ])("%s", async (_, body, title) => {
    expectMalformed(await askForCode(body), title);
  });

  test.each([
    ["broken off by the caller", { "Content-Length": "100" }],
    ["broken off by a caller who has not said how long it is", {}],
  ])("%s", async (_, length) => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
      pull: (controller) => controller.error(new Error("gone")),
    });
    const headers = { ...SANDBOX_FI, ...EIDAS, "Content-Type": "application/json", ...length };
    const request = new Request("http://service.test/v1/oauth2/tokens", { method: "POST", headers, body });
    const response = await app.fetch(request, env, createExecutionContext());
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("the connection was closed before its end"),
    ]);
  });

  test("no secret is in the answer, whatever follows it", async () => {
    const answer = await exchange('{"account_id":"a","client_request_query_parameters":{"code":"s3cret"!');
    expectMalformed(answer, /should be "," or "\}"; found "!"$/);
    expect(JSON.stringify(answer.body)).not.toContain("s3cret");
  });
});

test("a code that expires while the body is still being sent has expired", async () => {
  const text = JSON.stringify(tokenRequest(await obtainCode("slow-body"), "slow-body"));
  const arrived = clock.now();
  const time = vi.spyOn(clock, "now").mockReturnValue(arrived);
  const send = (controller: ReadableStreamDefaultController) => {
    time.mockReturnValue(arrived + 61_000);
    controller.enqueue(new TextEncoder().encode(text));
    controller.close();
  };
  // without a buffer, so that nothing is sent before it is read
  const body = new ReadableStream({ pull: send }, { highWaterMark: 0 });
  const headers = { ...SANDBOX_FI, ...EIDAS, "Content-Type": "application/json" };
  const request = new Request("http://service.test/v1/oauth2/tokens", { method: "POST", headers, body });
  const response = await app.fetch(request, env, createExecutionContext());
  time.mockRestore();
  expect([response.status, await response.json()]).toMatchObject([403, { errors: [{ code: "code_expired" }] }]);
});
