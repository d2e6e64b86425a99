/** Static files as the Worker answers them: which there are, with which headers, and what else is refused as elsewhere. */
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { app } from "../../../src/app.ts";
import type { OpenApiDocument } from "../../../src/reference/open-api.ts";
import { holdDeadlines, passDeadline } from "../faults/deadlines.ts";

const ask = (path: string, init?: RequestInit, { host = "http://service.test", BASE_URL = "" } = {}) =>
  app.fetch(new Request(`${host}${path}`, init), { ...env, BASE_URL }, {
    waitUntil: () => {},
  } as unknown as ExecutionContext);

test.each([
  ["/", "text/html"],
  ["/errors", "text/html"],
  ["/errors/certificate_revoked", "text/html"],
  ["/assets/site.css", "text/css"],
  ["/openapi.json", "application/json"],
  ["/openapi.yaml", "application/yaml"],
  ["/docs/psp-gate.http", "text/plain"],
  ["/licenses.txt", "text/plain"],
])("GET %s: the file, with an ETag that spares its content", async (path, type) => {
  const answer = await ask(path, { headers: { Accept: "text/html" } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toContain(type);
  expect(answer.headers.get("x-request-id")).toMatch(/./);
  expect(answer.headers.get("RateLimit")).toMatch(/./);
  expect((await answer.text()).length).toBeGreaterThan(100);

  const etag = answer.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
  const again = await ask(path, { headers: { Accept: "text/html", "If-None-Match": etag } });
  expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", etag]);

  const head = await ask(path, { method: "HEAD", headers: { Accept: "text/html" } });
  expect([head.status, await head.text(), head.headers.get("ETag")]).toEqual([200, "", etag]);
});

describe.each([
  ["/openapi.json", (text: string) => JSON.parse(text).servers[0].url],
  ["/openapi.yaml", (text: string) => parse(text).servers[0].url],
  ["/docs/psp-gate.http", (text: string) => /^@gate = (.*)$/m.exec(text)?.[1]],
])("%s", (path, find) => {
  const own = "https://gate.bank.example/psp";
  test.each([
    ["the request's, where BASE_URL is not set", "http://service.test", "", "http://service.test"],
    ["BASE_URL", "http://service.test", own, own],
    ["BASE_URL, whatever the Host header says", "https://evil.example", own, own],
    ["the request's, where BASE_URL is none", "http://service.test", "gate.bank.example", "http://service.test"],
  ])("names the address of the service, so that tools can send requests: %s", async (_, host, BASE_URL, address) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = await ask(path, {}, { host, BASE_URL });
    const text = await answer.text();
    expect([find(text), text.includes("8787")]).toEqual([address, false]);
    // a cache that several hosts share gives none the address of another
    expect(answer.headers.get("Vary")).toBe("Host");
  });

  test("an ETag is of one address: of another the content is sent again", async () => {
    const tagOf = async (...of: Parameters<typeof ask>) => (await ask(...of)).headers.get("ETag") ?? "";
    const tags = [
      await tagOf(path),
      await tagOf(path, {}, { host: "https://other.example" }),
      await tagOf(path, {}, { BASE_URL: own }),
    ];
    expect(tags.every((tag) => /^(W\/)?"[^"]+"$/.test(tag))).toBe(true);
    const [here = "", there = ""] = tags;
    const withTag = (tag: string) => ask(path, { headers: { "If-None-Match": tag } });
    const plain = here.replace(/;.*/, '"');
    const statuses = await Promise.all([here, there, plain].map(async (tag) => (await withTag(tag)).status));
    expect(statuses).toEqual([304, 200, 200]);
  });
});

test("files that do not come: 503 after the time of a store, as of any other", async () => {
  holdDeadlines();
  const silent = { ...env, ASSETS: { fetch: passDeadline } } as unknown as Cloudflare.Env;
  const answer = await app.fetch(new Request("http://service.test/docs"), silent, {
    waitUntil: () => {},
  } as unknown as ExecutionContext);
  vi.restoreAllMocks();
  const { errors } = await answer.json<{ errors: { code: string }[] }>();
  expect([answer.status, errors[0]?.code]).toEqual([503, "temporarily_unavailable"]);
});

test("a page may load only what is the service's own, and is shown in no frame", async () => {
  const { headers } = await ask("/errors");
  const policy = headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Referrer-Policy")).toBe("no-referrer");
});

test("the document may be read by programs of any origin, and both forms say the same", async () => {
  const [json, yaml] = await Promise.all([ask("/openapi.json"), ask("/openapi.yaml")]);
  for (const { headers } of [json, yaml]) expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  const document = await json.json<OpenApiDocument>();
  expect(document.paths["/v1/psp/eidas"]?.["get"]?.operationId).toBe("checkPsp");
  expect(parse(await yaml.text())).toEqual(document);
  expect((await ask("/errors")).headers.get("Access-Control-Allow-Origin")).toBeNull();
});

test.each([
  "/docs/nothing",
  "/assets/nothing.css",
  "/assets/..%2ferrors.html",
  "/errors/",
  "/errors/nothing",
  "/errors.html",
  "/index.html",
])("GET %s is 404 in the form of errors", async (path) => {
  const answer = await ask(path);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ errors: [{ code: "path_not_found" }] });
});

test.each(["/docs/nothing", "/nothing", "/docs/core-flow/"])(
  "GET %s is a page with 404 for a browser",
  async (path) => {
    const answer = await ask(path, { headers: { Accept: "text/html,*/*;q=0.8", "If-None-Match": '"x"' } });
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([404, "no-store"]);
    expect(answer.headers.get("Content-Type")).toContain("text/html");
    expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(await answer.text()).toContain("There is no page at this address");
  },
);

test.each(["/v1", "/v1/nothing", "/V1/psp"])("GET %s is 404 in the form of errors for a browser, too", async (path) => {
  const answer = await ask(path, { headers: { Accept: "text/html" } });
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ errors: [{ code: "path_not_found" }] });
});

test.each(["/", "/errors", "/assets/site.css"])("POST %s is 405", async (path) => {
  const answer = await ask(path, { method: "POST" });
  expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  expect(await answer.json()).toMatchObject({ errors: [{ code: "method_not_allowed" }] });
});
