/** One attempt in flight serves all who wait, across requests of workerd: each has a context of its own. */
import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { fetchOnce, SOURCE_TIMEOUT_MS, type Waiting } from "../../../src/revocation/source-attempts.ts";
import { issueCrl } from "../../../src/sandbox/pki/crl.ts";
import { loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp, PERIOD } from "../trust/made-qtsp.ts";

const CHECKS = 60;
const CRL_URL = "http://crl.test/shared.crl";

beforeAll(loadSandbox);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Resolves when so many requests wait for an attempt, each with a timer of its own. No time passes for them. */
function whenWaiting(requests: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const start = globalThis.setTimeout;
  let waiting = 0;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, milliseconds: number) => {
    if (milliseconds !== SOURCE_TIMEOUT_MS + 500) return start(end, milliseconds);
    if (++waiting === requests) resolve();
    return 0;
  }) as unknown as typeof setTimeout);
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);
  return promise;
}

test("60 concurrent checks of certificates of one CA fetch its CRL once", async () => {
  const names = { organisation: "Shared Ltd", commonName: "Shared CA", pathLength: 1, crlUrl: CRL_URL };
  const authority = await makeQtsp(names);
  await listQtsp(authority, "shared");
  const issue = (n: number) =>
    issuePsp(authority, { organisation: "Shared Payments Ltd", commonName: `psp-${n}.example` });
  const certificates = await Promise.all(Array.from({ length: CHECKS }, (_, n) => issue(n)));
  const [thisUpdate, nextUpdate] = [new Date(Date.now() - 60_000), PERIOD.notAfter];
  const crl = await issueCrl(
    { revoked: certificates.slice(0, 1), revokedAt: thisUpdate, thisUpdate, nextUpdate },
    authority,
  );

  let asked = 0;
  const allWait = whenWaiting(CHECKS);
  vi.stubGlobal("fetch", async (url: string) => {
    expect(url).toBe(CRL_URL);
    asked++;
    await allWait;
    return new Response(crl.rawData);
  });
  const answers = await Promise.all(
    certificates.map(async (certificate) => {
      const headers = { ...SANDBOX_FI, eidas: eidasOf(certificate) };
      const response = await exports["default"].fetch("http://service.test/v1/psp/eidas?jurisdiction=xx", { headers });
      // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is its test's own matter
      return ((await response.json()) as any).eIDAS.validity.notRevoked;
    }),
  );
  expect(answers).toEqual([false, ...Array(CHECKS - 1).fill(true)]);
  expect(asked).toBe(1);
});

const ask = (url: string, ctx: Waiting["ctx"], signal = new AbortController().signal) =>
  fetchOnce(url, { url, method: "GET", maxBytes: 100 }, { ctx, now: Date.now(), signal }, async () => {});

test("a request does not hang when the one that began the attempt is gone", async () => {
  const url = "http://source.test/abandoned";
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    // the first never answers: its request is cancelled before its own timeout
    const first = ++asked === 1;
    await new Promise((resolve) => setTimeout(resolve, first ? 60_000 : 100));
    return new Response("answer");
  });
  const stub = env.RATE_WINDOW.get(env.RATE_WINDOW.newUniqueId());
  const gone = runInDurableObject(stub, async (_, state) => {
    void ask(url, { waitUntil: () => {} });
    await Promise.resolve();
    state.abort("gone");
  });
  await expect(gone).rejects.toThrow("gone");
  expect(asked).toBe(1);
  const pending: Promise<unknown>[] = [];
  const waiting = Array.from({ length: 3 }, () => ask(url, { waitUntil: (promise) => void pending.push(promise) }));
  for (const answer of await Promise.all(waiting)) expect(answer.ok).toBe(true);
  expect(asked).toBe(2);
  await Promise.all(pending);
});

test("a request whose own time is up does not wait for the attempt, and does not blame the source", async () => {
  const url = "http://source.test/slow";
  vi.stubGlobal("fetch", async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return new Response("answer");
  });
  const pending: Promise<unknown>[] = [];
  const ctx = { waitUntil: (promise: Promise<unknown>) => void pending.push(promise) };
  const hurried = await ask(url, ctx, AbortSignal.abort());
  expect(hurried).toEqual({ ok: false, message: "did not answer in time" });
  expect((await ask(url, ctx)).ok).toBe(true);
  await Promise.all(pending);
});

test("a request asks five sources at once: a sixth's time would run while it waits for a connection", async () => {
  const ctx: Waiting["ctx"] = { waitUntil: () => {} };
  let [underWay, most] = [0, 0];
  vi.stubGlobal("fetch", async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 5));
    underWay--;
    return new Response("answer");
  });
  const urls = Array.from({ length: 12 }, (_, i) => `http://source.test/many/${i}`);
  const answers = await Promise.all(urls.map((url) => ask(url, ctx)));
  expect(answers.map(({ ok }) => ok)).toEqual(urls.map(() => true));
  expect(most).toBe(5);
});

test("a request whose time is up before its turn asks nobody, and blames nobody", async () => {
  const ctx: Waiting["ctx"] = { waitUntil: () => {} };
  const asked: string[] = [];
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    await answered;
    return new Response("answer");
  });
  const [late, ...slow] = Array.from({ length: 6 }, (_, i) => `http://source.test/turn/${i}`) as [string, ...string[]];
  const first = slow.map((url) => ask(url, ctx));
  const refused = ask(late, ctx, AbortSignal.abort());
  answer();
  for (const each of await Promise.all(first)) expect(each.ok).toBe(true);
  expect(await refused).toEqual({ ok: false, message: "did not answer in time" });
  expect(asked).toEqual(slow);
  expect((await ask(late, ctx)).ok).toBe(true);
});
