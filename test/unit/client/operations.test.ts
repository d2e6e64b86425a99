/** Each operation of the client: what it sends, and when it sends it again. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PspGateError } from "../../../src/client/index.ts";
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import { failureOf, json, lost, makeClient, type Play, refusal } from "./fake-service.ts";
import { OPERATIONS, type Row } from "./operations.ts";

// the waits between attempts pass at once
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answerOf = ({ answer, answered }: Row): Play =>
  answer === undefined
    ? () => (answered ? new Response(null, { headers: answered }) : new Response(null, { status: 204 }))
    : answer instanceof Uint8Array
      ? () => new Response(Uint8Array.from(answer), { headers: { "Content-Type": "application/octet-stream" } })
      : json(200, answer);

/** How many requests are sent if these are the answers. */
async function countRequests(row: Row, first: Play): Promise<number> {
  const { gate, asked } = makeClient([first, answerOf(row)]);
  const done = Promise.resolve(row.call(gate)).catch(() => {});
  await vi.runAllTimersAsync();
  await done;
  return asked.length;
}

test("each endpoint of the interface has its method", () => {
  const own = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  const all = [...own, "GET /status", "GET /health"];
  expect(OPERATIONS.map(({ endpoint }) => endpoint).sort()).toEqual(all.sort());
});

describe.each(OPERATIONS)("$endpoint", (row) => {
  test("is sent as the interface says", async () => {
    const { gate, asked } = makeClient([answerOf(row)]);
    await row.call(gate);
    expect(asked).toHaveLength(1);
    const [{ url, method, headers, body, init } = expect.fail("no request")] = asked;
    expect(`${method} ${url}`).toBe(`${row.endpoint.split(" ")[0]} https://gate.test${row.sent}`);
    expect(init.redirect).toBe("manual");
    expect(body === undefined ? undefined : JSON.parse(body)).toEqual(row.body);
    expect(Object.fromEntries(headers)).toEqual({
      authorization: `Basic ${btoa("my-bank:s3cret-of-the-bank")}`,
      fi_reference_id: "PSDXX-TEST-FI0001",
      version: "1",
      ...(row.body !== undefined && { "content-type": "application/json" }),
      ...row.headers,
    });
  });

  // a request that may have been carried out is repeated only where that does no harm
  test.each<[string, Play, Row["repeat"][]]>([
    ["the connection was lost", lost, ["always"]],
    ["a proxy says 503", () => new Response("<html>", { status: 503 }), ["always"]],
    ["a proxy says 502", () => new Response("<html>", { status: 502 }), ["always"]],
    [
      "the service says 503",
      refusal(503, "temporarily_unavailable", { "Retry-After": "1" }),
      ["always", "unless_done"],
    ],
    ["the service says 429", refusal(429, "rate_limit_exceeded", { "Retry-After": "3" }), ["always", "unless_done"]],
    ["the service says 500", refusal(500, "internal_error"), []],
    ["the service says 401", refusal(401, "credentials_invalid"), []],
    ["the service says 404", refusal(404, "token_not_found"), []],
    ["something else answers", () => new Response("<html>hello</html>"), []],
  ])("when %s", async (_, first, repeated) => {
    expect(await countRequests(row, first)).toBe(repeated.includes(row.repeat) ? 2 : 1);
  });

  test("an answer of something else at this address is an error, never a result", async () => {
    const others = [json(200, []), json(200, "text"), json(200, { hello: "world" }), () => new Response("<html>")];
    // nothing says that it was deleted
    for (const other of [...others, () => new Response(null)]) {
      const { gate } = makeClient([other]);
      expect(await failureOf(row.call(gate))).toMatchObject({
        name: "UnexpectedAnswerError",
        status: 200,
        retry: "never",
      });
    }
  });

  test("an error of the service is an error by its code", async () => {
    const { gate } = makeClient([refusal(403, "payment_service_invalid")]);
    const error = await failureOf(row.call(gate));
    expect(error).toBeInstanceOf(PspGateError);
    expect(error).toMatchObject({ operation: row.endpoint, status: 403, code: "payment_service_invalid" });
  });
});
