/** Operators: by Cloudflare Access, whose assertions are verified, and by `npm start` on the own machine. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findAccessKeys } from "../../../src/http/access.ts";
import { AUDIENCE, assertBy, encode, makeKey, type Pair, TEAM } from "../access-team.ts";
import { loadSandbox } from "../sandbox.ts";
import { Visitor } from "./visitor.ts";

const START = "/console/check";
let team: Pair;
const assert = (claims: object = {}, header: object = {}, key: Pair = team) => assertBy(key, claims, header);
let stranger: Pair;
/** What the team's address answers, and how often it was asked. */
let published: unknown[];
let asked = 0;
beforeAll(async () => {
  await loadSandbox();
  [team, stranger] = [await makeKey("first"), await makeKey("first")];
});
beforeEach(() => {
  published = [team.jwk];
  asked = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    expect(String(input)).toBe(`${TEAM}/cdn-cgi/access/certs`);
    asked++;
    return Response.json({ keys: published, public_cert: {} });
  });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const byAccess = (vars: object = {}) =>
  new Visitor({ ...env, ACCESS_TEAM_DOMAIN: TEAM, ACCESS_AUDIENCE: AUDIENCE, ...vars });
const open = async (assertion: string, visitor = byAccess()) =>
  visitor.get(START, { "Cf-Access-Jwt-Assertion": assertion });

test("whom Access let in reads as an operator, without a sign-in, and its keys are read once", async () => {
  const visitor = byAccess();
  for (let i = 0; i < 3; i++) {
    const page = await open(await assert(), visitor);
    expect(page.status).toBe(200);
    expect(page.text).toContain("ops@bank.example");
  }
  expect(asked).toBeLessThanOrEqual(1);
});

test("the team may be named with or without https:// and a slash", async () => {
  for (const ACCESS_TEAM_DOMAIN of ["bank.cloudflareaccess.com", `${TEAM}/`])
    expect((await open(await assert(), byAccess({ ACCESS_TEAM_DOMAIN }))).status).toBe(200);
});

describe("an assertion is refused", () => {
  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, () => Promise<string>]>([
    ["it is not a JWT", async () => "x.y.z"],
    ["it is not a JWT", async () => `${await assert()}.more`],
    ["it is not a JWT", async () => `${await assert()}${"x".repeat(20_000)}`],
    ["it is not signed with RS256", () => assert({}, { alg: "none" })],
    ["it is not signed with RS256", () => assert({}, { alg: "HS256" })],
    ["does not publish", () => assert({}, { kid: "third" })],
    ["its signature does not verify", () => assert({}, {}, stranger)],
    ["its signature does not verify", async () => (await assert()).replace(/\.[^.]+\./, `.${encode({ email: "x" })}.`)],
    ["its issuer is not", () => assert({ iss: "https://evil.cloudflareaccess.com" })],
    ["its audience is not", () => assert({ aud: ["b".repeat(64)] })],
    ["its audience is not", () => assert({ aud: undefined })],
    ["it has expired", () => assert({ exp: now() - 60 })],
    ["it has expired", () => assert({ exp: undefined })],
    ["it is not valid yet", () => assert({ nbf: now() + 120 })],
    ["it names no person", () => assert({ email: undefined, common_name: "robot.access" })],
    ["it names neither", () => assert({ email: undefined })],
  ])("%s (%#)", async (reason, make) => {
    const answer = await open(await make());
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(reason);
    expect(answer.text).not.toContain("Sandbox Bank");
  });
});

test("a key that Access begins to use is found, and an unknown one is not looked for at each request", async () => {
  const visitor = byAccess();
  await open(await assert(), visitor);
  const second = await makeKey("second");
  published = [team.jwk, second.jwk];
  const by = await assert({}, { kid: "second" }, second);
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ["Date"] });
  try {
    expect((await open(by, visitor)).status).toBe(200);
    const before = asked;
    for (let i = 0; i < 5; i++) expect((await open(await assert({}, { kid: "third" }), visitor)).status).toBe(403);
    expect(asked).toBe(before);
  } finally {
    vi.useRealTimers();
  }
});

test("a team that cannot be reached is a fault of the service, not a refusal", async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("unreachable"));
  const visitor = byAccess({ ACCESS_TEAM_DOMAIN: "https://unreachable.cloudflareaccess.com" });
  expect((await open(await assert(), visitor)).status).toBe(503);
});

describe("27: requests that need the team's keys", () => {
  const NOW = Date.UTC(2098, 0, 1);
  const of = (name: string) => `https://${name}.cloudflareaccess.com`;
  /** Each in an invocation of its own, as requests are: what one has begun another may not await. */
  const ask = (name: string, after = 0) =>
    runInDurableObject(env.RATE_WINDOW.get(env.RATE_WINDOW.newUniqueId()), (_, state) =>
      findAccessKeys(state, of(name), "first", NOW + after).then(
        (keys) => keys.map(({ kid }) => kid),
        (error: Error) => error.message.replace(/^\S+ /, ""),
      ),
    );
  const askAtOnce = (name: string) => Promise.all(Array.from({ length: 20 }, () => ask(name)));
  /** So that the others arrive while it is under way. */
  const answerLate = (answer: () => Response) =>
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return answer();
    });

  test("share one fetch", async () => {
    answerLate(() => Response.json({ keys: published }));
    expect(await askAtOnce("shared")).toEqual(Array(20).fill(["first"]));
    expect(asked).toBe(1);
  });

  test.each([
    ["failing", () => new Response(null, { status: 500 }), "answered with status 500"],
    ["unusable", () => new Response("<html>"), "is not a JWK set"],
  ])("share its failure, which is remembered for some seconds: %s", async (name, answer, message) => {
    answerLate(answer);
    expect(await askAtOnce(name)).toEqual(Array(20).fill(message));
    expect(asked).toBe(1);
    expect([await ask(name, 999), asked]).toEqual([message, 1]);
    expect([await ask(name, 1_000), asked]).toEqual([message, 2]);
    // twice as long after a second failure
    expect([await ask(name, 2_999), asked]).toEqual([message, 2]);
    answerLate(() => Response.json({ keys: published }));
    expect([await ask(name, 3_000), asked]).toEqual([["first"], 3]);
  });
});

test.each([
  ["without a team", { ACCESS_TEAM_DOMAIN: "" }],
  ["without an audience", { ACCESS_AUDIENCE: "" }],
  ["with a team that is no https address", { ACCESS_TEAM_DOMAIN: "http://bank.cloudflareaccess.com" }],
])("%s no header makes an operator", async (_, vars) => {
  const answer = await open(await assert(), byAccess(vars));
  expect([answer.status, asked]).toEqual([303, 0]);
});

test("an operator's form needs the token of this assertion", async () => {
  const [visitor, assertion] = [byAccess(), await assert()];
  const page = await open(assertion, visitor);
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const own = { "Sec-Fetch-Site": "same-origin", Origin: "http://localhost" };
  const sendWith = async (form_token: string, by: string) =>
    (await visitor.post("/console/sign-out", { form_token }, { ...own, "Cf-Access-Jwt-Assertion": by })).status;
  expect(await sendWith(token, assertion)).toBe(303);
  expect(await sendWith("", assertion)).toBe(403);
  expect(await sendWith(token, await assert({ email: "other@bank.example" }))).toBe(403);
});

describe("the operator of npm start", () => {
  const local = () => new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });

  test("signs in without credentials, at a loopback address", async () => {
    const visitor = local();
    expect((await visitor.get("/console/sign-in")).text).toContain("Continue as the operator");
    expect((await visitor.post("/console/sign-in/operator", {})).status).toBe(303);
    expect((await visitor.get(START)).text).toContain("of this machine");
  });

  test("ends the session that the browser had", async () => {
    const visitor = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
    await visitor.signIn();
    const copy = new Visitor();
    copy.cookie = visitor.cookie;
    expect((await copy.get("/console/check")).status).toBe(200);
    await visitor.post("/console/sign-in/operator", {});
    expect((await copy.get("/console/check")).status).toBe(303);
  });

  test("is not there in a deployment, nor is a session of his", async () => {
    const visitor = local();
    await visitor.post("/console/sign-in/operator", {});
    const deployed = new Visitor();
    deployed.cookie = visitor.cookie;
    expect((await deployed.get(START)).status).toBe(303);
    expect((await new Visitor().get("/console/sign-in")).text).not.toContain("Continue as the operator");
    expect((await new Visitor().post("/console/sign-in/operator", {})).status).toBe(404);
  });

  test("is not there at another host, whatever the variable says", async () => {
    const visitor = local();
    await visitor.post("/console/sign-in/operator", {});
    for (const host of ["gate.bank.example", "127.0.0.1.evil.example", "192.168.0.1"]) {
      const at = { origin: `http://${host}` };
      expect((await visitor.get(START, {}, at)).status).toBe(303);
      expect((await visitor.post("/console/sign-in/operator", {}, { Origin: at.origin }, at)).status).toBe(404);
    }
  });
});

// the last: it remembers keys of a later time
test("what is no key beside the team's is passed over", async () => {
  published = [null, 1, { kid: "first" }, team.jwk];
  // later than what is remembered
  vi.useFakeTimers({ now: Date.now() + 7_200_000, toFake: ["Date"] });
  try {
    expect((await open(await assert())).status).toBe(200);
    expect(asked).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
