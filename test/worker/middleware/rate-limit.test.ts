/** The limit per source address in workerd, with a limit of five: exact, sliding, over all isolates. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WINDOW_SECONDS } from "../../../src/request-window.ts";
import { type Answer, call, codesOf } from "../bank.ts";

const LIMIT = 5;
const limited = { ...env, RATE_LIMIT_REQUESTS: LIMIT };
const START = Date.UTC(2098, 0, 1);
/** Longer than an isolate waits before it tells the address's Durable Object what it let through. */
const REPORTED_MILLISECONDS = 1_300;

// only the clock's face: what waits, waits in real time
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: START }));
afterEach(() => void vi.useRealTimers());

/** The limit comes first: a path that does not exist is answered 404 once it lets through. */
const ask = (address: string, path = "/v1/nothing"): Promise<Answer> =>
  call("GET", path, { headers: { "CF-Connecting-IP": address }, env: limited });
const askTimes = async (times: number, address: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await ask(address)).status);
  return statuses;
};
const passed = (times: number): number[] => Array<number>(times).fill(404);
const wait = (milliseconds: number) => scheduler.wait(milliseconds);

test("exactly the limit passes, and one more is 429 with Retry-After and the error form", async () => {
  expect(await askTimes(LIMIT, "192.0.2.10")).toEqual(passed(LIMIT));
  const refused = await ask("192.0.2.10");
  expect(refused.status).toBe(429);
  expect(refused.headers.get("Retry-After")).toBe(String(WINDOW_SECONDS + 1));
  expect(refused.body).toEqual({
    errors: [
      {
        id: refused.headers.get("x-request-id"),
        code: "rate_limit_exceeded",
        title: "Too many requests from this address",
        link: "http://service.test/errors#rate_limit_exceeded",
      },
    ],
  });
});

test("of many requests at the same instant the limit passes", async () => {
  const answers = await Promise.all(Array.from({ length: 4 * LIMIT }, () => ask("192.0.2.11")));
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(LIMIT);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3 * LIMIT);
});

test("another address is not touched", async () => {
  expect(await askTimes(LIMIT + 1, "192.0.2.12")).toEqual([...passed(LIMIT), 429]);
  expect(await askTimes(1, "192.0.2.13")).toEqual(passed(1));
});

test("the window slides: room is made as each request leaves it, and Retry-After says when", async () => {
  const address = "192.0.2.14";
  expect(await askTimes(2, address)).toEqual(passed(2));
  vi.setSystemTime(START + 100_000);
  expect(await askTimes(LIMIT - 2 + 1, address)).toEqual([...passed(LIMIT - 2), 429]);
  expect((await ask(address)).headers.get("Retry-After")).toBe(String(WINDOW_SECONDS + 1 - 100));
  vi.setSystemTime(START + WINDOW_SECONDS * 1000);
  expect(await askTimes(1, address)).toEqual([429]);
  vi.setSystemTime(START + (WINDOW_SECONDS + 1) * 1000);
  expect(await askTimes(3, address)).toEqual([...passed(2), 429]);
});

test("refused requests are not counted: who goes on asking is let in as soon as who waits", async () => {
  const address = "192.0.2.15";
  await askTimes(LIMIT + 20, address);
  vi.setSystemTime(START + (WINDOW_SECONDS + 1) * 1000);
  expect(await askTimes(LIMIT + 1, address)).toEqual([...passed(LIMIT), 429]);
});

describe("over all isolates", () => {
  test("what this one lets through is told to the address's Durable Object within about a second", async () => {
    await askTimes(3, "192.0.2.16");
    await wait(REPORTED_MILLISECONDS);
    const second = START / 1000;
    expect(await env.RATE_WINDOW.getByName("192.0.2.16").add({}, second)).toEqual({ [second]: 3 });
  });

  test("what another one let through counts here", async () => {
    const address = "192.0.2.17";
    await env.RATE_WINDOW.getByName(address).add({ [START / 1000]: LIMIT - 2 }, START / 1000);
    expect(await askTimes(1, address)).toEqual(passed(1));
    await wait(REPORTED_MILLISECONDS);
    expect(await askTimes(2, address)).toEqual([...passed(1), 429]);
  });

  test("a Durable Object that cannot be reached refuses nobody, and is told all of it later", async () => {
    const address = "192.0.2.18";
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const down = { ...limited, RATE_WINDOW: { getByName: () => ({ add: () => Promise.reject(new Error("down")) }) } };
    const headers = { "CF-Connecting-IP": address };
    await call("GET", "/v1/nothing", { headers, env: down as unknown as Cloudflare.Env });
    await wait(REPORTED_MILLISECONDS);
    expect(error.mock.calls.join()).toContain("rate_window_unreachable");
    error.mockRestore();
    expect(await askTimes(1, address)).toEqual(passed(1));
    await wait(REPORTED_MILLISECONDS);
    const second = START / 1000;
    expect(await env.RATE_WINDOW.getByName(address).add({}, second)).toEqual({ [second]: 2 });
  });
});

test("addresses of one IPv6 /64 count as one", async () => {
  const subscriber = [
    "2001:db8:1:2::1",
    "2001:db8:1:2:ffff::",
    "2001:DB8:1:2:3:4:5:6",
    "2001:db8:1:2::1",
    "2001:0db8:1:2::5",
  ];
  for (const address of subscriber) expect((await ask(address)).status).toBe(404);
  expect(codesOf(await ask("2001:db8:1:2:a:b:c:d"))).toEqual(["rate_limit_exceeded"]);
  expect((await ask("2001:db8:1:3::1")).status).toBe(404);
});

test("the health check counts too, and the error page does not", async () => {
  const address = "192.0.2.19";
  await askTimes(LIMIT, address);
  expect((await ask(address, "/health")).status).toBe(429);
  const { app } = await import("../../../src/app.ts");
  const page = await app.request("http://service.test/errors", { headers: { "CF-Connecting-IP": address } }, limited);
  expect(page.status).toBe(200);
});
