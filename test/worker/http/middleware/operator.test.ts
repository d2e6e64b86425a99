/** GET /status: the operator's monitor reads it without a bank's credentials. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { app } from "../../../../src/app.ts";
import { loadSandbox } from "../../sandbox.ts";

const TOKEN = "q7Vb2nR9sLx4tW8kPz3cYd6fHg1jMa5e";

beforeAll(loadSandbox);

function ask(Authorization: string, METRICS_TOKEN: string | undefined, path = "/status"): Promise<Response> {
  const request = new Request(`http://service.test${path}`, { headers: { Authorization } });
  const bindings = { ...env, METRICS_TOKEN } as unknown as Cloudflare.Env;
  return Promise.resolve(app.fetch(request, bindings, createExecutionContext()));
}

test("the operator's token opens the status", async () => {
  const answer = await ask(`Bearer ${TOKEN}`, TOKEN);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ trustedLists: expect.any(Array), registers: expect.any(Array) });
});

test.each([
  ["another token", `Bearer ${TOKEN.toLowerCase()}`, TOKEN],
  ["a part of it", `Bearer ${TOKEN.slice(0, -1)}`, TOKEN],
  ["the token as Basic", `Basic ${btoa(`operator:${TOKEN}`)}`, TOKEN],
  ["a deployment without a token", "Bearer undefined", undefined],
  ["a token that can be guessed", `Bearer ${TOKEN.slice(1)}`, TOKEN.slice(1)],
])("%s opens nothing", async (_, authorization, token) => {
  expect((await ask(authorization, token)).status).toBe(401);
});

test("it opens nothing of an institution", async () => {
  for (const path of ["/v1/events", "/v1/psp/watches", "/v1/audit/records"])
    expect([path, (await ask(`Bearer ${TOKEN}`, TOKEN, path)).status]).toEqual([path, 401]);
});
