/** A parameter of the query that nothing names: mistakes/every-parameter.ts has the endpoints that refuse it. */
import { beforeAll, expect, test } from "vitest";
import { ENDPOINTS } from "../../../../src/http/endpoints.ts";
import { sampleOf, send } from "../../samples.ts";
import { loadSandbox } from "../../sandbox.ts";

beforeAll(loadSandbox);

test.each(ENDPOINTS.filter(({ query }) => !query))("$method $path ignores it", async ({ method, path }) => {
  const endpoint = `${method} ${path}`;
  const { query = "?" } = sampleOf(endpoint);
  const answers = [await send(endpoint), await send(endpoint, { query: `${query}&nonsense=1` })];
  expect(answers[1]?.status).toBe(answers[0]?.status);
});

test("who is not known is told nothing of the endpoint's parameters", async () => {
  const answer = await send("GET /v1/audit/records", { query: "?psp=x", headers: { Authorization: undefined } });
  expect([answer.status, answer.body.errors[0].code]).toEqual([401, "credentials_missing"]);
});
