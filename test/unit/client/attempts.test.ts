/** The attempts of one call: how many, how long apart, until when. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NetworkError, PspGateError, TimeoutError } from "../../../src/client/index.ts";
import { failureOf, json, lost, makeClient, type Play, refusal } from "./fake-service.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answered = json(200, { data: { token: "t1" } });
const silent: Play = () => new Promise<Response>(() => {});

/** The milliseconds from the first request to each of the others. */
async function timesOf(plays: readonly Play[], options: Parameters<typeof makeClient>[1] = {}): Promise<number[]> {
  const times: number[] = [];
  const timed = plays.map(
    (play): Play =>
      () => {
        times.push(performance.now());
        return play();
      },
  );
  const { gate } = makeClient(timed, options);
  const done = gate.oauth2.getToken({ token: "t1" }).catch(() => {});
  await vi.runAllTimersAsync();
  await done;
  return times.slice(1).map((time) => Math.round(time - (times[0] ?? 0)));
}

describe("the waits", () => {
  test.each<[string, Play[], Parameters<typeof makeClient>[1], number[]]>([
    ["grow twofold, of each at least the half", [lost, lost, answered], {}, [125, 125 + 250]],
    ["are longer by chance", [lost, lost, answered], { retry: { random: () => 1 } }, [250, 250 + 500]],
    [
      "end growing",
      Array(9).fill(lost),
      { retry: { limit: 7, random: () => 0 } },
      [125, 375, 875, 1875, 3875, 7875, 11875],
    ],
    [
      "are not shorter than Retry-After",
      [refusal(429, "rate_limit_exceeded", { "Retry-After": "7" }), answered],
      {},
      [7125],
    ],
    [
      "count a date by the answer's own",
      [
        refusal(503, "temporarily_unavailable", {
          Date: "Sun, 22 Nov 2026 04:00:00 GMT",
          "Retry-After": "Sun, 22 Nov 2026 04:00:09 GMT",
        }),
        answered,
      ],
      {},
      [9125],
    ],
    [
      "take an odd Retry-After for none",
      [refusal(503, "temporarily_unavailable", { "Retry-After": "soon" }), answered],
      {},
      [125],
    ],
    ["are two unless told otherwise", [lost, lost, lost, lost], {}, [125, 375]],
    ["are none with the limit 0", [lost, answered], { retry: { limit: 0 } }, []],
  ])("%s", async (_, plays, options, expected) => {
    expect(await timesOf(plays, options)).toEqual(expected);
  });
});

test("a wait beyond the timeout is not begun: the error comes at once, and says how long", async () => {
  const { gate, asked } = makeClient([refusal(429, "rate_limit_exceeded", { "Retry-After": "301" }), answered]);
  const error = await failureOf(gate.oauth2.getToken({ token: "t1" }));
  expect(error).toBeInstanceOf(PspGateError);
  expect(error).toMatchObject({ code: "rate_limit_exceeded", retry: "after", retryAfter: 301, attempts: 1 });
  expect(asked).toHaveLength(1);
});

test("the last of several failures is thrown, with the number of attempts", async () => {
  const { gate } = makeClient([refusal(503, "temporarily_unavailable"), lost]);
  const failure = failureOf(gate.oauth2.getToken({ token: "t1" }));
  await vi.runAllTimersAsync();
  const error = await failure;
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({
    attempts: 3,
    retry: "now",
    message: "GET /v1/oauth2/tokens/{token}: no answer from https://gate.test (ECONNRESET)",
  });
});

describe("the timeout", () => {
  test.each<[string, Play[], number]>([
    ["of a connection that stays silent", [silent], 1],
    ["counts all attempts and waits", [lost, silent], 2],
    [
      "ends an answer that stops half-way",
      [() => new Response(new ReadableStream({ start: (half) => half.enqueue(new TextEncoder().encode("{")) }))],
      1,
    ],
  ])("%s", async (_, plays, attempts) => {
    const { gate, asked } = makeClient(plays, { timeout: 1_000 });
    const begun = performance.now();
    const failure = failureOf(gate.oauth2.getToken({ token: "t1" }));
    await vi.runAllTimersAsync();
    const error = await failure;
    expect(performance.now() - begun).toBe(1_000);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      attempts,
      retry: "now",
      message: expect.stringContaining("no answer within 1000 ms"),
    });
    expect(asked.at(-1)?.init.signal?.aborted).toBe(true);
  });

  test("a call has its own in the place of the client's", async () => {
    const { gate } = makeClient([silent]);
    const begun = performance.now();
    const failure = failureOf(gate.oauth2.getToken({ token: "t1" }, { timeout: 50 }));
    await vi.runAllTimersAsync();
    await failure;
    expect(performance.now() - begun).toBe(50);
  });

  test("of a redemption: it is not to be sent again", async () => {
    const { gate } = makeClient([silent]);
    const exchange = { grant_type: "authorization_code", code: "c", redirect_uri: "https://psp.test/cb" } as const;
    const parameters = { eidas: "MIIE", account_id: "a", client_request_query_parameters: exchange };
    const failure = failureOf(gate.oauth2.createToken(parameters));
    await vi.runAllTimersAsync();
    expect(await failure).toMatchObject({ name: "TimeoutError", retry: "never", attempts: 1 });
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])("%s is none", async (timeout) => {
    expect(() => makeClient([], { timeout })).toThrow(TypeError);
    const { gate } = makeClient([answered]);
    expect(await failureOf(gate.status({ timeout }))).toBeInstanceOf(TypeError);
    expect(await failureOf(gate.request({ method: "GET", path: "/health" }, { timeout }))).toBeInstanceOf(TypeError);
  });
});

describe("an AbortSignal", () => {
  const reason = new Error("the customer has gone");

  test("ends a request, with its own reason", async () => {
    const { gate } = makeClient([silent]);
    const aborting = new AbortController();
    const failure = failureOf(gate.status({ signal: aborting.signal }));
    aborting.abort(reason);
    expect(await failure).toBe(reason);
  });

  test("ends a wait", async () => {
    const { gate, asked } = makeClient([lost]);
    const aborting = new AbortController();
    const failure = failureOf(gate.status({ signal: aborting.signal }));
    await vi.advanceTimersByTimeAsync(1);
    aborting.abort(reason);
    expect(await failure).toBe(reason);
    expect(asked).toHaveLength(1);
  });

  test("that is aborted already sends nothing", async () => {
    const { gate, asked } = makeClient([answered]);
    expect(await failureOf(gate.status({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(await failureOf(gate.request({ method: "GET", path: "/" }, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(asked).toHaveLength(0);
  });
});

test("a call that has ended leaves no timer behind, which would keep a process alive", async () => {
  const { gate } = makeClient([lost, answered]);
  const done = gate.oauth2.getToken({ token: "t1" });
  await vi.advanceTimersByTimeAsync(1_000);
  await done;
  const aborting = new AbortController();
  const failure = failureOf(makeClient([lost]).gate.status({ signal: aborting.signal }));
  await vi.advanceTimersByTimeAsync(1);
  aborting.abort();
  await failure;
  expect(vi.getTimerCount()).toBe(0);
});
