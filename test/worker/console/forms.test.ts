/** Who may send a form, and what every page's answer carries. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { PAGES } from "../../../src/console/pages.ts";
import { countRoundTrips } from "../bindings.ts";
import { loadSandbox } from "../sandbox.ts";
import { CREDENTIALS, ORIGIN, tokenOf, Visitor } from "./visitor.ts";

const START = "/console/check";
const OUT = "/console/sign-out";
const OWN = { "Sec-Fetch-Site": "same-origin", Origin: ORIGIN };

beforeAll(loadSandbox);
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const signedIn = async (who: "sandbox" | "other" = "sandbox"): Promise<Visitor> => {
  const visitor = new Visitor();
  await visitor.signIn(who);
  return visitor;
};
/** One for all that only looks: sign-ins are limited. */
let kept: Promise<Visitor> | undefined;
const reader = (): Promise<Visitor> => {
  kept ??= signedIn();
  return kept;
};
const isIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get(START)).status === 200;
const formToken = async (visitor: Visitor): Promise<string> => tokenOf((await visitor.get(START)).text);

describe("a form changes nothing", () => {
  test.each<[string, Record<string, string>]>([
    ["that another site's page sent", { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }],
    ["that a neighbouring host's page sent", { "Sec-Fetch-Site": "same-site", Origin: "http://evil.localhost" }],
    ["with another site's origin alone", { Origin: "https://evil.example" }],
    ["of a page without an origin", { Origin: "null" }],
    ["of an own origin as another site's", { "Sec-Fetch-Site": "cross-site", Origin: ORIGIN }],
    ["of which nothing says who sent it", {}],
  ])("%s", async (_, headers) => {
    const visitor = await signedIn();
    const form_token = await formToken(visitor);
    const answer = await visitor.post(OUT, { form_token }, headers);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("The form was not taken");
    expect(await isIn(visitor)).toBe(true);
    expect((await new Visitor().post("/console/sign-in", {}, headers)).status).toBe(403);
  });

  test("without the token, with a made-up one, or with another session's", async () => {
    const visitor = await signedIn();
    const others = [await formToken(await signedIn("other")), await formToken(await signedIn())];
    for (const form_token of ["", "x", "A".repeat(43), ...others]) {
      expect((await visitor.post(OUT, { form_token }, OWN)).status).toBe(403);
      expect(await isIn(visitor)).toBe(true);
    }
    expect((await visitor.post(OUT, { form_token: await formToken(visitor) }, { Origin: ORIGIN })).status).toBe(303);
  });

  test("after the session", async () => {
    const visitor = await signedIn();
    const form_token = await formToken(visitor);
    const copy = new Visitor();
    copy.cookie = visitor.cookie;
    await visitor.post(OUT, { form_token });
    const answer = await copy.post(OUT, { form_token });
    expect([answer.status, answer.text.includes("You are signed out")]).toEqual([403, true]);
  });

  test("that is no form, is cut off, or is too large", async () => {
    const visitor = await signedIn();
    const send = async (type: string, body: BodyInit) => {
      const answer = await visitor.send("POST", OUT, { ...OWN, "Content-Type": type }, body);
      return [answer.status, /<h1>([^<]+)/.exec(answer.text)?.[1]];
    };
    expect(await send("application/json", "{}")).toEqual([400, "Not a form"]);
    expect(await send("multipart/form-data; boundary=x", "--x\r\nContent-")).toEqual([400, "The form cannot be read"]);
    const much = new URLSearchParams({ form_token: "x".repeat(20_000) });
    expect(await send("application/x-www-form-urlencoded", much.toString())).toEqual([413, "Too much at once"]);
    expect(await isIn(visitor)).toBe(true);
  });
});

test("a link on another site is followed to a page that loads itself again: the cookie comes with that", async () => {
  const visitor = new Visitor();
  const answer = await visitor.get(START, { "Sec-Fetch-Site": "cross-site" });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('<meta http-equiv="refresh" content="0" />');
  expect((await visitor.get(START)).headers.get("Location")).toBe("/console/sign-in?next=%2Fconsole%2Fcheck");
});

const PATHS = PAGES.map(({ path }) => path.replace(/\{\w+\}/g, "x"));

test.each([...PATHS, "/console/nothing", "/console/check/a/b/c/d"])(
  "%s: nobody keeps, frames or sniffs it",
  async (path) => {
    const visitors = [new Visitor(), await reader()];
    for (const visitor of visitors)
      for (const method of ["GET", "POST", "HEAD", "PUT"]) {
        const { status, headers } = await visitor.send(method, path, OWN);
        const said = Object.fromEntries(
          ["Cache-Control", "X-Content-Type-Options", "Referrer-Policy"].map((name) => [name, headers.get(name)]),
        );
        expect([status, said]).toEqual([
          expect.any(Number),
          { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin" },
        ]);
        expect(status).toBeLessThan(500);
        const policy = headers.get("Content-Security-Policy") ?? "";
        expect(policy).not.toContain("unsafe");
        for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self'"])
          expect(policy).toContain(part);
        expect(headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
      }
  },
);

test.each(PATHS)("%s: no page has a style or a script in itself, as its policy demands", async (path) => {
  for (const visitor of [new Visitor(), await reader()])
    expect((await visitor.get(path)).text).not.toMatch(/ style="| on\w+="|<style|<script(?! src=)/);
});

test("errors are pages with the request's id; a wrong method names the right ones", async () => {
  const visitor = await signedIn();
  const lost = await visitor.get("/console/nothing");
  expect([lost.status, lost.headers.get("Content-Type")]).toEqual([404, "text/html; charset=UTF-8"]);
  expect(lost.text).toContain(lost.headers.get("x-request-id") ?? "none");
  const wrong = await visitor.send("DELETE", START, OWN);
  expect([wrong.status, wrong.headers.get("Allow")]).toEqual([405, "GET, POST"]);
});

test("a store that does not answer is a page, too, and says nothing of it", async () => {
  const broken = { prepare: () => ({ bind: () => ({ first: () => Promise.reject(new Error("D1_SECRET_DETAIL")) }) }) };
  const visitor = new Visitor({ ...env, DB: broken as unknown as D1Database });
  visitor.cookie = (await signedIn()).cookie;
  const answer = await visitor.get(START);
  expect(answer.status).toBe(503);
  expect(answer.text).toContain("Part of the service cannot be reached");
  expect(answer.text).not.toContain("D1_SECRET");
});

test("beyond the per-IP limit the console is refused like the API, as a page", async () => {
  const visitor = new Visitor({ ...env, RATE_LIMIT_REQUESTS: 1 });
  const headers = { "CF-Connecting-IP": "192.0.2.231" };
  await visitor.get("/console/sign-in", headers);
  const answer = await visitor.get("/console/sign-in", headers);
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([429, "text/html; charset=UTF-8"]);
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
});

test("behind a path prefix links, forms and redirects have it, and the public origin is our own", async () => {
  const visitor = new Visitor({ ...env, BASE_URL: "https://bank.example/psp-gate" });
  const own = { "Sec-Fetch-Site": "same-origin", Origin: "https://bank.example" };
  const answer = await visitor.post("/console/sign-in", CREDENTIALS.sandbox, own);
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/psp-gate/console"]);
  const page = await visitor.get(START);
  const addresses = [...page.text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, address]) => address ?? "");
  expect(addresses.length).toBeGreaterThan(5);
  expect(addresses.filter((address) => !address.startsWith("/psp-gate/"))).toEqual([]);
});

test("a page asks D1 once for its session, and KV once for the form's countries", async () => {
  const cookie = (await signedIn()).cookie;
  const { env: counted, trips } = countRoundTrips(env);
  const visitor = new Visitor(counted);
  visitor.cookie = cookie;
  await visitor.get(START);
  expect(trips.calls).toEqual(["DB", "KV"]);
});

test("the log line names the page and the institution, and nothing of the forms", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  const visitor = await signedIn();
  const token = await formToken(visitor);
  await visitor.get("/console/check/an-id-that-is-secret");
  await visitor.post(OUT, { form_token: token });
  const cookie = lines.join("\n");
  expect(
    lines.map((line) => JSON.parse(line)).map(({ route, fi, client, status }) => [route, fi, client, status]),
  ).toEqual([
    ["/console/sign-in", "PSDXX-TEST-FI0001", "sandbox-fi", 303],
    ["/console/check", "PSDXX-TEST-FI0001", "sandbox-fi", 200],
    ["/console/check/{id}", "PSDXX-TEST-FI0001", "sandbox-fi", 404],
    ["/console/sign-out", "PSDXX-TEST-FI0001", "sandbox-fi", 303],
  ]);
  for (const secret of [token, "sandbox-secret", "an-id-that-is-secret", "__Host"])
    expect(cookie).not.toContain(secret);
});
