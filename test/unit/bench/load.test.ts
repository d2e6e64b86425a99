/** The bench's load (test/bench/load.ts) is sent by undici, as that of the load test: against a server of our own. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LoadGenerator, type Turn } from "../../bench/load.ts";

const received: { line: string; headers: IncomingMessage["headers"]; body: string }[] = [];
const server = createServer(async (request, response) => {
  received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: await text(request) });
  response.statusCode = request.url === "/refused" ? 403 : 201;
  response.end(`{"code":"c${request.url}"}`);
});
const load = new LoadGenerator();

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
beforeEach(() => void received.splice(0));
afterAll(() => {
  load.stop();
  server.close();
});

const turn = (change: Partial<Turn>): Turn => ({
  ...{ name: "a route", method: "POST", status: 201, calls: [], once: false, first: 0, seconds: 0, captures: null },
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ...change,
});

const CALLS = Array.from({ length: 200 }, (_, number) => ({
  path: `/${number}`,
  headers: { "x-number": `${number}` },
  body: `body ${number}`,
}));

test("calls that may be sent once are, with their headers and bodies; what another route needs is captured", async () => {
  const result = await load.run(turn({ calls: CALLS, once: true, seconds: 60, captures: '"code":"([^"]+)"' }));
  expect(received.map(({ line, headers, body }) => [line, headers["x-number"], body]).sort()).toEqual(
    CALLS.map(({ path, headers, body }) => [`POST ${path}`, headers["x-number"], body]).sort(),
  );
  expect(result.captured.toSorted()).toEqual(CALLS.map(({ path }) => `c${path}`).sort());
  expect(result).toMatchObject({ requests: 200, seconds: expect.any(Number), p50: expect.any(Number) });
  expect(result.p99).toBeGreaterThanOrEqual(result.p50);
});

test("a turn begins with the call that it is given, and comes round; no address is sent", async () => {
  const { requests } = await load.run(turn({ calls: CALLS, first: 150 }));
  expect(requests).toBeGreaterThanOrEqual(128);
  const lines = received.map(({ line }) => line);
  expect(lines).toEqual(expect.arrayContaining(["POST /150", "POST /199", "POST /0"]));
  // 128 answers, and what the 16 connections had sent by then
  expect(lines).not.toContain("POST /149");
  expect(received.some(({ headers }) => "cf-connecting-ip" in headers)).toBe(false);
});

test("an answer with another status ends the turn, in words", async () => {
  const refused = turn({ calls: [{ path: "/refused", headers: {} }] });
  await expect(load.run(refused)).rejects.toThrow('a route: answered 403 where 201 belongs: {"code":"c/refused"}');
});

test("too few calls that may be sent once are refused", async () => {
  await expect(load.run(turn({ calls: CALLS.slice(0, 5), once: true }))).rejects.toThrow("5 calls to send");
});
