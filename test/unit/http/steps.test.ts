/** Steps that are loaded late run as if the app had listed them. */
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { expect, test } from "vitest";
import type { AppEnv } from "../../../src/http/context.ts";
import { ApiError } from "../../../src/http/errors/errors.ts";
import { late, loadAhead, steps } from "../../../src/http/steps.ts";

const order: string[] = [];
const outer = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  order.push(`answer ${c.res.status} after the steps`);
});
const first = createMiddleware<AppEnv>(async (c, next) => {
  order.push("first");
  await next();
  order.push(`first sees ${c.res.status}`);
  c.res = c.json({ translated: await c.res.json() }, 202);
});

let loads = 0;
const load = async () => {
  loads++;
  return {
    named: steps(first, async (c) => {
      order.push(`handler of ${c.req.param("name")}`);
      return c.json(c.req.param("name"), 201);
    }),
    refused: steps(first, async () => {
      throw new ApiError({ code: "path_not_found" });
    }),
    single: async () => new Response("one"),
  };
};
const app = new Hono<AppEnv>();
app.use("/:what/*", outer);
app.get("/named/:name", late(load, "named"));
app.get("/refused/:name", late(load, "refused"));
app.get("/single/x", late(load, "single"));
app.onError((error, c) => c.text(error.message, error instanceof ApiError ? 404 : 500));

test("in their order, with the path's parameters; each sees the answer of those behind it", async () => {
  order.length = 0;
  const answer = await app.request("/named/a%20b");
  expect([answer.status, await answer.json()]).toEqual([202, { translated: "a b" }]);
  expect(order).toEqual(["first", "handler of a b", "first sees 201", "answer 202 after the steps"]);
});

test("what a step throws the app answers, and steps outside see that answer", async () => {
  order.length = 0;
  expect((await app.request("/refused/x")).status).toBe(404);
  expect(order).toEqual(["first", "answer 404 after the steps"]);
});

test("a module is loaded once for each endpoint, however many requests it gets", async () => {
  loads = 0;
  for (const path of ["/single/x", "/single/x", "/single/x"])
    expect(await (await app.request(path)).text()).toBe("one");
  expect(loads).toBe(1);
});

test("a module ahead is loaded after the reads of the same step have begun, and its failure is nobody's", async () => {
  const begun: string[] = [];
  loadAhead(async () => {
    begun.push("module");
    throw new Error("not there");
  });
  begun.push("read");
  await new Promise((resolve) => setTimeout(resolve));
  expect(begun).toEqual(["read", "module"]);
});
