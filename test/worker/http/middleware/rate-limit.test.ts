/** The limit per source address in workerd, with a limit of five: exact, sliding, over all isolates. */
import {
  createExecutionContext,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { app } from "../../../../src/app.ts";
import { WINDOW_SECONDS } from "../../../../src/http/rate-limit/request-window.ts";
import { type Answer, call, codesOf } from "../../bank.ts";
import { failingDatabase } from "../../faults/failing-database.ts";
import { loadSandbox, SANDBOX_FI } from "../../sandbox.ts";

const LIMIT = 5;
const limited = { ...env, RATE_LIMIT_REQUESTS: LIMIT };
const START = Date.UTC(2098, 0, 1);

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
/** Until the address's Durable Object was told that so many passed: an isolate tells it about once in a second. */
async function toldOf(passed: number, address: string): Promise<void> {
  const second = START / 1000;
  const told = async () => (await env.RATE_WINDOW.getByName(address).add({}))[second] ?? 0;
  while ((await told()) < passed) await scheduler.wait(100);
}

test("exactly the limit passes, and one more is 429 with Retry-After and the error form", async () => {
  expect(await askTimes(LIMIT, "192.0.2.10")).toEqual(passed(LIMIT));
  const refused = await ask("192.0.2.10");
  expect(refused.status).toBe(429);
  expect(refused.headers.get("x-evidence-id")).toMatch(/^[0-9a-z]{9}[\w-]{22}$/);
  expect(refused.headers.get("Retry-After")).toBe(String(WINDOW_SECONDS + 1));
  expect(refused.body).toEqual({
    errors: [
      {
        id: refused.headers.get("x-request-id"),
        code: "rate_limit_exceeded",
        title: "Too many requests from this address: try again in 301 seconds",
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
    await toldOf(3, "192.0.2.16");
    const second = START / 1000;
    expect(await env.RATE_WINDOW.getByName("192.0.2.16").add({})).toEqual({ [second]: 3 });
  });

  test("what another one let through counts here", async () => {
    const address = "192.0.2.17";
    await env.RATE_WINDOW.getByName(address).add({ [START / 1000]: LIMIT - 2 });
    expect(await askTimes(1, address)).toEqual(passed(1));
    await toldOf(LIMIT - 1, address);
    expect(await askTimes(2, address)).toEqual([...passed(1), 429]);
  });

  test("a Durable Object that cannot be reached refuses nobody, and is told all of it later", async () => {
    const address = "192.0.2.18";
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const down = { ...limited, RATE_WINDOW: { getByName: () => ({ add: () => Promise.reject(new Error("down")) }) } };
    const headers = { "CF-Connecting-IP": address };
    await call("GET", "/v1/nothing", { headers, env: down as unknown as Cloudflare.Env });
    while (!error.mock.calls.join().includes("rate_window_unreachable")) await scheduler.wait(100);
    error.mockRestore();
    expect(await askTimes(1, address)).toEqual(passed(1));
    await toldOf(2, address);
    const second = START / 1000;
    expect(await env.RATE_WINDOW.getByName(address).add({})).toEqual({ [second]: 2 });
  });
});

test("the counts of an address are kept until its last request has left the window, and then go", async () => {
  const window = env.RATE_WINDOW.getByName("192.0.2.230");
  const [first, last] = [START / 1000, START / 1000 + 200];
  const at = <Result>(ask: (storage: DurableObjectStorage) => Result) =>
    runInDurableObject(window, (_, { storage }) => ask(storage));
  const alarmAt = () => at((storage) => storage.getAlarm());
  await window.add({ [first]: 1 });
  vi.setSystemTime(last * 1000);
  await window.add({ [last]: 2 });
  // set by the first report, and not again by the second
  expect(await alarmAt()).toBe((first + WINDOW_SECONDS + 1) * 1000);

  vi.setSystemTime((first + WINDOW_SECONDS + 1) * 1000);
  expect(await runDurableObjectAlarm(window)).toBe(true);
  expect(await at(({ kv }) => kv.get("counts"))).toEqual({ [first]: 1, [last]: 2 });
  expect(await alarmAt()).toBe((last + WINDOW_SECONDS + 1) * 1000);

  vi.setSystemTime((last + WINDOW_SECONDS + 1) * 1000);
  expect(await runDurableObjectAlarm(window)).toBe(true);
  expect(await at(({ kv }) => [...kv.list()])).toEqual([]);
  expect(await alarmAt()).toBeNull();
});

test("an object whose clock is behind that of its alarms sets each alarm later than the one before", async () => {
  const window = env.RATE_WINDOW.getByName("192.0.2.232");
  await window.add({ [START / 1000]: 1 });
  const alarms: (number | null)[] = [];
  for (let rung = 0; rung < 4; rung++) {
    expect(await runDurableObjectAlarm(window)).toBe(true);
    alarms.push(await runInDurableObject(window, (_, { storage }) => storage.getAlarm()));
  }
  const end = START + (WINDOW_SECONDS + 1) * 1000;
  expect(alarms).toEqual([0, 1, 2, 3].map((early) => end + early * WINDOW_SECONDS * 1000));

  vi.setSystemTime(end);
  expect(await runDurableObjectAlarm(window)).toBe(true);
  expect(await runInDurableObject(window, (_, { storage }) => [...storage.kv.list()])).toEqual([]);
});

test("11: a clock that is set back by an hour leaves no address limited for 65 minutes", async () => {
  const address = "192.0.2.231";
  expect(await askTimes(LIMIT + 1, address)).toEqual([...passed(LIMIT), 429]);
  await toldOf(LIMIT, address);
  const back = START - 3_600_000;
  vi.setSystemTime(back);
  // by the isolate's own counts, and by those of the Durable Object
  expect(await askTimes(LIMIT + 1, address)).toEqual([...passed(LIMIT), 429]);
  const second = back / 1000;
  const told = async () => (await env.RATE_WINDOW.getByName(address).add({}))[second] ?? 0;
  while ((await told()) < LIMIT) await scheduler.wait(100);
  expect(await env.RATE_WINDOW.getByName(address).add({})).toEqual({ [second]: LIMIT });
});

test("11: an isolate whose clock is an hour off does not make the counts of others disappear", async () => {
  const window = env.RATE_WINDOW.getByName("192.0.2.232");
  const second = START / 1000;
  await window.add({ [second]: 3 });
  expect(await window.add({ [second + 3600]: 2 })).toEqual({ [second]: 3 });
  expect(await window.add({ [second - 3600]: 2 })).toEqual({ [second]: 3 });
  // a clock that is a little ahead is that of another machine
  expect(await window.add({ [second + 2]: 2 })).toEqual({ [second]: 3, [second + 2]: 2 });
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

/** One request, as it is answered: pages have no JSON. What it began in the background has ended then. */
async function fetchFrom(address: string, path: string, init: RequestInit = {}, bindings: Cloudflare.Env = limited) {
  const headers = { ...SANDBOX_FI, "CF-Connecting-IP": address, ...init.headers };
  const ctx = createExecutionContext();
  const answer = await app.fetch(new Request(`http://service.test${path}`, { ...init, headers }), bindings, ctx);
  await waitOnExecutionContext(ctx);
  return answer;
}

test.each(["/errors", "/health/", "/status", "/metrics", "/nothing", "/", "/v1", "/v1/psp/eidas"])(
  "%s is limited",
  async (path) => {
    const address = `path ${path}`;
    await askTimes(LIMIT - 1, address);
    expect((await fetchFrom(address, path)).status).not.toBe(429);
    expect((await fetchFrom(address, path)).status).toBe(429);
  },
);

describe("the operator's monitor, behind the address of a bank", () => {
  const METRICS_TOKEN = "q7Vb2nR9sLx4tW8kPz3cYd6fHg1jMa5e";
  const watched = { ...limited, METRICS_TOKEN } as unknown as Cloudflare.Env;
  const paths = ["/health", "/metrics", "/status"];
  const read = async (address: string, path: string, token = METRICS_TOKEN) =>
    await fetchFrom(address, path, { headers: { Authorization: `Bearer ${token}` } }, watched);
  beforeAll(loadSandbox);

  test("is answered when the bank has sent all that it may, be it to another isolate, and sees what is left", async () => {
    await askTimes(LIMIT, "192.0.2.30");
    await env.RATE_WINDOW.getByName("192.0.2.31").add({ [START / 1000]: LIMIT + 1 });
    await askTimes(1, "192.0.2.31");
    await toldOf(LIMIT + 2, "192.0.2.31");
    for (const [address, path] of ["192.0.2.30", "192.0.2.31"].flatMap((each) => paths.map((path) => [each, path]))) {
      const answer = await read(address ?? "", path ?? "");
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get("RateLimit")).toBe('"per-ip";r=0;t=301');
      expect(await askTimes(1, address ?? "")).toEqual([429]);
    }
  });

  test("takes nothing from the bank", async () => {
    for (const path of paths)
      for (let i = 0; i <= LIMIT; i++)
        expect((await read("192.0.2.32", path)).headers.get("RateLimit")).toBe('"per-ip";r=5;t=1');
    expect(await askTimes(LIMIT + 1, "192.0.2.32")).toEqual([...passed(LIMIT), 429]);
  });

  test("is counted with a token that is not the operator's", async () => {
    for (let i = 0; i < LIMIT; i++)
      expect((await read("192.0.2.33", "/metrics", METRICS_TOKEN.toLowerCase())).status).toBe(401);
    expect((await read("192.0.2.33", "/metrics", METRICS_TOKEN.toLowerCase())).status).toBe(429);
  });
});

describe("RateLimit-Policy and RateLimit", () => {
  const NEVER_SEEN = { Authorization: `Basic ${btoa("nobody:nothing")}` };
  const noDatabase = { ...limited, DB: failingDatabase(env.DB, () => true, "before") };
  const noKeys = { ...limited, TOKEN_KEY_20990101T000000Z: undefined } as unknown as Cloudflare.Env;
  beforeAll(loadSandbox);

  test.each<[number, string, RequestInit?, Cloudflare.Env?]>([
    [200, "/errors"],
    [200, "/errors", { method: "HEAD" }],
    [200, "/v1/oauth2/account/a/tokens"],
    [400, "/v1/oauth2/tokens", { method: "POST" }],
    [401, "/v1/oauth2/account/a/tokens", { headers: NEVER_SEEN }],
    [404, "/v1/oauth2/tokens/a"],
    [404, "/nothing"],
    [405, "/v1/oauth2/tokens", { method: "PUT" }],
    [500, "/v1/oauth2/tokens/a", {}, noKeys],
    [503, "/v1/oauth2/account/a/tokens", { headers: { Authorization: `Basic ${btoa("new:new")}` } }, noDatabase],
  ])("are on an answer with %i: %s", async (status, path, init, bindings) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = await fetchFrom(`answer ${status} ${path} ${init?.method}`, path, init, bindings);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("RateLimit-Policy")).toBe('"per-ip";q=5;w=300');
    expect(answer.headers.get("RateLimit")).toBe('"per-ip";r=4;t=301');
    vi.restoreAllMocks();
  });

  test("say what is left, and until when that is all", async () => {
    const address = "192.0.2.20";
    const left = async () => (await ask(address)).headers.get("RateLimit");
    expect([await left(), await left()]).toEqual(['"per-ip";r=4;t=301', '"per-ip";r=3;t=301']);
    vi.setSystemTime(START + 100_000);
    expect([await left(), await left(), await left()]).toEqual([2, 1, 0].map((r) => `"per-ip";r=${r};t=201`));
    const refused = await ask(address);
    expect([refused.headers.get("RateLimit"), refused.headers.get("Retry-After")]).toEqual([
      '"per-ip";r=0;t=201',
      "201",
    ]);
    vi.setSystemTime(START + 301_000);
    expect([await left(), await left()]).toEqual(['"per-ip";r=1;t=100', '"per-ip";r=0;t=100']);
  });
});

test("a source that was forgotten is asked about with its first request, not after the interval", async () => {
  const address = "192.0.2.21";
  await env.RATE_WINDOW.getByName(address).add({ [START / 1000]: LIMIT });
  const wait = vi.spyOn(scheduler, "wait");
  expect((await fetchFrom(address, "/nothing")).status).toBe(404);
  expect((await fetchFrom(address, "/nothing")).status).toBe(429);
  // a turn of its own, and no time
  expect(wait.mock.calls.every(([milliseconds]) => milliseconds === 0)).toBe(true);
  wait.mockRestore();
});

describe("the platform's limiter", () => {
  const limiter = (limit: () => Promise<{ success: boolean }>) => ({ ...limited, RATE_LIMITER: { limit } });

  test("refuses for a second, and what it refuses does not count", async () => {
    const full = limiter(async () => ({ success: false }));
    const answer = await fetchFrom("192.0.2.22", "/nothing", {}, full);
    expect(answer.status).toBe(429);
    expect(answer.headers.get("Retry-After")).toBe("1");
    expect(answer.headers.get("RateLimit")).toBe('"per-ip";r=0;t=1');
    expect(((await answer.json()) as Answer["body"]).errors[0].title).toMatch(/: try again in 1 second$/);
    expect(await askTimes(LIMIT + 1, "192.0.2.22")).toEqual([...passed(LIMIT), 429]);
  });

  test("out of reach refuses nobody", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const down = limiter(() => Promise.reject(new Error("down")));
    expect((await fetchFrom("192.0.2.23", "/nothing", {}, down)).status).toBe(404);
    expect(error.mock.calls.join()).toContain("rate_limiter_unreachable");
    error.mockRestore();
  });
});
