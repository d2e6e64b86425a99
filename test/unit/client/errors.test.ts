/** What a call throws: the kind of failure, what to do about it, and no secret. */
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { CallError, type PspGate, PspGateError } from "../../../src/client/index.ts";
import { CATALOGUE } from "../../../src/http/errors/error-response.ts";
import { ENTRIES } from "../../../src/http/errors/every-code.ts";
import { failureOf, json, lost, makeClient, type Play, refusal, SECRET } from "./fake-service.ts";

const errorOf = async (play: Play, call = (gate: PspGate): PromiseLike<unknown> => gate.status()) =>
  failureOf(call(makeClient([play], { retry: { limit: 0 } }).gate));

describe("an error of the service", () => {
  test("has all that the answer says", async () => {
    const problem = {
      id: "r-1",
      code: "redirect_uri_missing",
      title: "is missing",
      link: "https://gate.test/errors#r",
    };
    const second = { ...problem, code: "scope_missing" };
    const play = json(400, { errors: [problem, second] }, { "x-request-id": "r-1", "Retry-After": "2" });
    const error = await errorOf(play);
    expect(error).toBeInstanceOf(CallError);
    expect({ ...(error as PspGateError) }).toEqual({
      name: "PspGateError",
      operation: "GET /status",
      attempts: 1,
      status: 400,
      code: "redirect_uri_missing",
      link: "https://gate.test/errors#r",
      problems: [problem, second],
      requestId: "r-1",
      retryAfter: 2,
      retry: "never",
      whose: "psp",
    });
    expect(String(error)).toBe(
      "PspGateError: GET /status: 400 redirect_uri_missing: is missing; scope_missing: is missing",
    );
  });

  test.each([...CATALOGUE.keys()])("%s is whose, and to be repeated, as the catalogue says", async (code) => {
    const { statuses } = CATALOGUE.get(code) ?? expect.fail();
    // some are of an element of an answer 200 only
    const error = (await errorOf(refusal(Math.max(statuses[0], 400), code))) as PspGateError;
    const { whose, retry } = ENTRIES[code];
    expect(error).toMatchObject({ code, whose, retry });
    expect(error.isRefusal).toBe(["psp", "qtsp", "bank"].includes(whose));
  });

  test.each([
    [400, "caller", "never", false],
    [403, "psp", "never", true],
    [429, "caller", "after", false],
    [500, "service", "never", false],
    [503, "service", "after", false],
  ] as const)(
    "a code that the client does not know is judged by its status %s",
    async (status, whose, retry, isRefusal) => {
      expect(await errorOf(refusal(status, "new_code"))).toMatchObject({ code: "new_code", whose, retry, isRefusal });
    },
  );
});

describe("an answer that is not the service's", () => {
  const page: Play = () =>
    new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Content-Type": "text/html" } });

  test.each<[string, Play, object]>([
    ["a proxy's page", page, { name: "UnexpectedAnswerError", status: 502, contentType: "text/html", retry: "now" }],
    [
      "a portal's page",
      () => new Response("<h1>Welcome"),
      { name: "UnexpectedAnswerError", status: 200, retry: "never" },
    ],
    ["another service's JSON", json(404, { message: "no route" }), { name: "UnexpectedAnswerError", status: 404 }],
    ["errors of another form", json(400, { errors: ["bad"] }), { name: "UnexpectedAnswerError", status: 400 }],
    ["no error at all", json(400, { errors: [] }), { name: "UnexpectedAnswerError", status: 400 }],
    [
      "nothing",
      () => new Response(null, { status: 204 }),
      { name: "UnexpectedAnswerError", status: 204, contentType: null },
    ],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { Location: "https://login.test/?back=secret" } }),
      { name: "RedirectError", status: 302, origin: "https://login.test" },
    ],
    [
      "a redirect within the host",
      () => new Response(null, { status: 308, headers: { Location: "/other" } }),
      { name: "RedirectError", status: 308, origin: null },
    ],
    // what a browser shows of it
    ["an opaque redirect", () => Response.error(), { name: "RedirectError", status: 0, origin: null }],
    ["a lost connection", lost, { name: "NetworkError", retry: "now", cause: expect.any(TypeError) }],
  ])("%s", async (_, play, expected) => {
    const error = await errorOf(play);
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({ operation: "GET /status", attempts: 1, ...expected });
    expect(String(error)).not.toContain("secret");
  });
});

test("health that is down is an answer; a proxy's 503 is not", async () => {
  const down = { status: "down", reasons: ["store_unreachable"], version: "0.2.0" };
  expect(await makeClient([json(503, down)]).gate.health()).toEqual(down);
  expect(await errorOf(refusal(503, "temporarily_unavailable"), (gate) => gate.health())).toBeInstanceOf(PspGateError);
  expect(
    await errorOf(
      () => new Response("down", { status: 503 }),
      (gate) => gate.health(),
    ),
  ).toMatchObject({
    name: "UnexpectedAnswerError",
  });
});

describe("a refused code", () => {
  const uri = {
    base_url: "https://psp.test/cb",
    parameters: { error: "access_denied" },
    full_uri: "https://psp.test/cb?error",
  };
  const errors = [{ id: "r-1", code: "account_blocked", title: "blocked", link: "https://gate.test/errors#b" }];
  const call = (gate: PspGate) =>
    gate.obie.createAuthorizationCode({
      ccg_token: "ccg",
      consent_id: "c",
      psu_account_id: "a",
      redirect_uri: "https://psp.test/cb",
      scope: "accounts",
    });

  test("is a result: the redirect is there as for a code", async () => {
    const { gate } = makeClient([json(403, { data: { redirect_uri: uri }, errors })]);
    expect(await call(gate)).toEqual({ granted: false, redirect_uri: uri, errors });
  });

  test("without a redirect is an error", async () => {
    expect(await errorOf(json(403, { errors }), call)).toMatchObject({ code: "account_blocked", isRefusal: true });
  });
});

describe("no secret", () => {
  const secrets = [SECRET, btoa(`my-bank:${SECRET}`), "token-t1", "code-c1", "account-a1", "ccg-1", "MIIEcert"];
  const shownOf = (value: unknown) =>
    [inspect(value, { depth: 20, showHidden: true, getters: true }), String(value), JSON.stringify(value)].join("\n");
  const expectNone = (shown: string) => expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);

  test("in what is printed of a client", () => {
    const { gate } = makeClient([]);
    expectNone(shownOf(gate));
    expectNone(shownOf({ ...gate }));
    expectNone(shownOf(gate.oauth2));
  });

  const calls: ((gate: PspGate) => PromiseLike<unknown>)[] = [
    (gate) => gate.oauth2.getToken({ token: "token-t1" }),
    (gate) => gate.oauth2.listTokens({ account_id: "account-a1" }),
    (gate) => gate.introspect({ token: "token-t1", eidas: "MIIEcert" }),
    (gate) => gate.obie.createToken({ ccg_token: "ccg-1", auth_code: "code-c1", redirect_uri: "https://psp.test/cb" }),
    (gate) => gate.request({ method: "GET", path: "/v1/oauth2/tokens/token-t1" }),
  ];
  test.each<[string, Play]>([
    ["a lost connection", lost],
    ["an error of the service", refusal(403, "code_used")],
    ["a proxy that repeats the request", () => new Response(`GET /token-t1 Authorization: ${SECRET}`, { status: 502 })],
    [
      "a redirect that repeats the path",
      () => new Response(null, { status: 301, headers: { Location: "https://x.test/token-t1" } }),
    ],
  ])("in the errors of %s", async (_, play) => {
    for (const call of calls.slice(0, 4)) expectNone(shownOf(await errorOf(play, call)));
  });

  test("in the error of a raw request that is not answered", async () => {
    expectNone(shownOf(await errorOf(lost, calls[4])));
  });

  // fetch's own message would quote the header's value
  test.each<[string, (gate: PspGate) => PromiseLike<unknown>]>([
    ["a CCG token with a line break", (gate) => gate.obie.getToken({ ccg_token: "ccg-1\nMIIEcert", token: "t" })],
    ["a certificate with a NUL", (gate) => gate.introspect({ token: "t", eidas: "MIIEcert\0" })],
    ["a raw header", (gate) => gate.request({ method: "GET", path: "/", headers: { eidas: "MIIEcert\n" + "\0" } })],
    ["a path of dots", (gate) => gate.oauth2.getToken({ token: ".." })],
    ["lone surrogates", (gate) => gate.oauth2.getToken({ token: "token-t1\ud800" })],
  ])("in the TypeError of %s", async (_, call) => {
    const error = await errorOf(json(200, {}), call);
    expect(error).toBeInstanceOf(TypeError);
    expectNone(shownOf(error));
  });
});
