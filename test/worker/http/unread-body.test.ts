/** A large body is refused in an answer that arrives: whatever the reason, the body was read to its end before. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { BODY_TIMEOUT_MS } from "../../../src/http/request-body.ts";
import { loadSandbox, SANDBOX_FI } from "../sandbox.ts";

beforeAll(loadSandbox);
afterEach(() => void vi.restoreAllMocks());

const CHUNK = new Uint8Array(64 * 1024).fill(0x20);
const CHUNKS = 16;

type Headers = Record<string, string>;
const JSON_BODY: Headers = { ...SANDBOX_FI, "Content-Type": "application/json" };

/** Sends a body of `chunks`, and tells the answer's status and code, and how many chunks were asked for. */
async function send(
  path: string,
  headers: Headers,
  chunks: number,
  end = (c: ReadableStreamDefaultController) => c.close(),
) {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (pulled === chunks) return end(controller);
        pulled++;
        controller.enqueue(CHUNK);
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request(`http://service.test${path}`, { method: "POST", headers, body });
  const answer = await app.fetch(request, env, createExecutionContext());
  const { errors } = await answer.json<{ errors: { code: string }[] }>();
  return { status: answer.status, code: errors[0]?.code, pulled };
}

test.each([
  [
    "too large, by its length",
    "/v1/obie/ccg_tokens",
    { ...JSON_BODY, "Content-Length": "1048576" },
    400,
    "body_too_large",
  ],
  ["too large, as it is counted", "/v1/obie/ccg_tokens", JSON_BODY, 400, "body_too_large"],
  ["of nobody", "/v1/obie/ccg_tokens", { "Content-Type": "application/json" }, 401, "credentials_missing"],
  [
    "of another type",
    "/v1/obie/ccg_tokens",
    { ...JSON_BODY, "Content-Type": "text/plain" },
    400,
    "content_type_invalid",
  ],
  ["for no path", "/v1/nothing", JSON_BODY, 404, "path_not_found"],
  ["for a GET", "/v1/events", JSON_BODY, 405, "method_not_allowed"],
] as const)("a body %s", async (_, path, headers, status, code) => {
  expect(await send(path, headers, CHUNKS)).toEqual({ status, code, pulled: CHUNKS });
});

test("a body without end is given up, one that breaks off is no fault of the service, one that stalls is not waited for", async () => {
  const endless = await send("/v1/nothing", JSON_BODY, Number.POSITIVE_INFINITY);
  expect(endless).toMatchObject({ status: 404, code: "path_not_found" });
  expect(endless.pulled).toBeGreaterThanOrEqual(256);
  const broken = await send("/v1/nothing", JSON_BODY, 3, (c) => c.error(new Error("connection lost")));
  expect(broken).toEqual({ status: 404, code: "path_not_found", pulled: 3 });
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  const stalled = await send("/v1/nothing", JSON_BODY, 3, () => new Promise(() => {}));
  expect(stalled).toMatchObject({ status: 404, code: "path_not_found" });
  expect(timeout).toHaveBeenCalledWith(5_000);
});

test.each([
  ["without a length", JSON_BODY],
  ["with its length", { ...JSON_BODY, "Content-Length": "131072" }],
])("a body %s that stalls is not waited for longer than 20 seconds: evidence counts on it", async (_, headers) => {
  const { setTimeout: start } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, milliseconds = 0) =>
    start(end, milliseconds === BODY_TIMEOUT_MS ? 0 : milliseconds)) as typeof setTimeout);
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  expect(BODY_TIMEOUT_MS).toBe(20_000);
  // it ends with the test: what goes on would be of another file's context
  let goOn = () => {};
  const pause = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const stalled = await send("/v1/psp/checks", headers, 1, (c) => pause.then(() => c.close()));
  expect(stalled).toMatchObject({ status: 400, code: "body_malformed" });
  goOn();
  await new Promise((resolve) => setTimeout(resolve, 0));
});
