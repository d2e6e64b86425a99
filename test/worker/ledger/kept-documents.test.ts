/** What a check rested on, and what it answered, is in R2: each document once, and never in the way of the answer. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { knownDocuments } from "../../../src/ledger/known-documents.ts";
import type { Basis } from "../../../src/psp-check/basis.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import { recordOf } from "./records.ts";

let now = Date.parse("2026-11-22T10:00:00.250Z");
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

beforeAll(loadSandbox);
/** Later than what an isolate remembers of a check, its answer, or a write that did not end. */
const MUCH_LATER_MS = 120_000;
function wait(milliseconds: number): void {
  now += milliseconds;
  vi.setSystemTime(now);
}
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  wait(MUCH_LATER_MS);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await emptyBucket();
});

const keptKeys = async () => (await env.EVIDENCE.list({ prefix: "evidence/" })).objects.map(({ key }) => key);

/** Remembers nothing. */
async function coldIsolate() {
  for (const key of await keptKeys()) knownDocuments.delete(key);
  wait(MUCH_LATER_MS);
}

async function emptyBucket() {
  await coldIsolate();
  await env.EVIDENCE.delete(await keptKeys());
}

/** One request, and all that goes on behind its answer. */
async function ask(path: string, { eidas, body, bindings = env, version = "latest" }: Asked) {
  const ctx = createExecutionContext();
  const headers = new Headers({ ...SANDBOX_FI, version, ...(eidas !== undefined && { eidas }) });
  if (body) headers.set("Content-Type", "application/json");
  const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const answer = await app.fetch(new Request(`http://service.test${path}`, init), bindings, ctx);
  return {
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
    ended: () => waitOnExecutionContext(ctx),
  };
}
interface Asked {
  readonly eidas?: string;
  readonly body?: object;
  readonly bindings?: Cloudflare.Env;
  readonly version?: string;
}
const check = async (name: string, country: string, more: Asked = {}) => {
  const answer = await ask(`/v1/psp/eidas?jurisdiction=${country}`, { eidas: eidasHeader(name), ...more });
  await answer.ended();
  return answer;
};

/** By their SHA-256, which is held against their bytes. */
async function keptDocuments(): Promise<Map<string, Uint8Array>> {
  const kept = new Map<string, Uint8Array>();
  for (const key of await keptKeys()) {
    const bytes = new Uint8Array((await (await env.EVIDENCE.get(key))?.arrayBuffer()) ?? []);
    expect(key).toBe(`evidence/2026/${sha256(bytes)}`);
    kept.set(sha256(bytes), bytes);
  }
  return kept;
}
const parse = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes));

/** A bucket whose calls are noted, and can be answered in another way. */
function watchedBucket(change: Partial<Record<"head" | "put", (key: string) => Promise<unknown>>> = {}) {
  const calls: string[] = [];
  const EVIDENCE = new Proxy(env.EVIDENCE, {
    get(bucket, method: "head" | "put") {
      return (key: string, ...rest: unknown[]) => {
        calls.push(`${method} ${key}`);
        return change[method]?.(key) ?? Reflect.apply(Reflect.get(bucket, method), bucket, [key, ...rest]);
      };
    },
  });
  return { calls, bindings: { ...env, EVIDENCE } };
}

test("the record names the basis and the answer, the basis all the rest, and nothing else is kept", async () => {
  const answer = await check("scenario-9", "xy");
  const record = await recordOf(answer);
  const kept = await keptDocuments();
  const [checked] = record.checks;
  const basis: Basis = parse(kept.get(checked?.basis ?? ""));
  const body = JSON.parse(answer.text);
  expect(basis.chain[0]).toBe(checked?.certificate);
  expect(basis.revocation).toEqual(
    body.evidence.revocation.map(({ certificate, source, url, sha256 }: Record<string, string>) => ({
      certificate,
      answers: [{ source, url, sha256, issuer: body.evidence.path[1].sha256 }],
    })),
  );
  expect(Object.keys(basis.hosts)).toEqual(["XY"]);
  expect(parse(kept.get(basis.hosts["XY"] ?? ""))).toMatchObject({ country: "XY" });
  expect(parse(kept.get(basis.home ?? ""))).toMatchObject({ country: "XX" });
  expect(parse(kept.get(basis.anchors))).toEqual(
    expect.arrayContaining([expect.objectContaining({ source: "sandbox" })]),
  );
  const named = JSON.stringify([basis, record.checks, record.answer]).match(/[0-9a-f]{64}/g);
  expect([...kept.keys()].toSorted()).toEqual([...new Set(named)].toSorted());
});

describe("the kept form of an answer", () => {
  test("is the answer without what belongs to the request, which the record has", async () => {
    const answer = await check("scenario-9", "xy");
    const record = await recordOf(answer);
    const { evidence, ...said } = JSON.parse(answer.text);
    const { id, checked_at, release, oldest, ...held } = evidence;
    expect([id, checked_at, release]).toEqual([record.id, record.time, record.release]);
    const { age_seconds, ...source } = oldest;
    expect(age_seconds).toBe(Math.floor((now - Date.parse(source.at)) / 1000));
    const kept = parse((await keptDocuments()).get(record.answer ?? ""));
    expect(kept).toEqual({ ...said, evidence: { ...held, oldest: source } });
  });

  test("is the same for equal answers, and another one for a version, a country, another instant's status", async () => {
    const digest = async (...given: Parameters<typeof check>) => (await recordOf(await check(...given))).answer;
    const first = await digest("scenario-9", "xy");
    expect(await digest("scenario-9", "xy")).toBe(first);
    wait(31_000);
    expect(await digest("scenario-9", "xy")).toBe(first);
    const others = [
      await digest("scenario-9", "xx"),
      await digest("scenario-9", "xy", { version: "1" }),
      await digest("scenario-1", "xy"),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
    // in a warm isolate: the register is stale by then
    wait(33 * 86_400_000);
    expect(await digest("scenario-9", "xy")).not.toBe(first);
  });

  test("of version 1 it is the answer as it was sent", async () => {
    const answer = await check("scenario-1", "xx", { version: "1" });
    const { answer: digest } = await recordOf(answer);
    expect(digest).toBe(sha256(new TextEncoder().encode(answer.text)));
  });

  test("of many checks names the answers of the single ones, and no id of the caller", async () => {
    const single = await recordOf(await check("scenario-9", "xy"));
    const body = {
      checks: [
        { id: "caller-4711", eIDAS: eidasHeader("scenario-9"), jurisdictions: ["XY", "nowhere", "XX"] },
        { id: "caller-4712", eIDAS: "no certificate", jurisdictions: ["XX"] },
      ],
    };
    const answer = await ask("/v1/psp/checks", { body });
    await answer.ended();
    const record = await recordOf(answer);
    const kept = await keptDocuments();
    const { data } = parse(kept.get(record.answer ?? ""));
    expect(data).toEqual([
      {
        results: [
          { jurisdiction: "XY", result: single.answer },
          { jurisdiction: null, errors: ["jurisdiction_invalid"] },
          { jurisdiction: "XX", result: expect.stringMatching(/^[0-9a-f]{64}$/) },
        ],
      },
      { errors: ["certificate_unreadable"] },
    ]);
    // one for each certificate with a result; its basis has the hosts of all its jurisdictions
    expect(record.checks).toEqual([
      expect.objectContaining({ jurisdictions: ["XY", "XX"], decisions: [expect.anything(), expect.anything()] }),
    ]);
    expect(record.checks[0]?.basis).toBe(single.checks[0]?.basis);
    expect([...kept.keys()]).toEqual(expect.arrayContaining([data[0].results[2].result]));
    for (const bytes of kept.values()) expect(Buffer.from(bytes).includes("caller-47")).toBe(false);
  });
});

describe("each document once", () => {
  test("by an isolate: a check made again 30 seconds later asks R2 for nothing", async () => {
    const { calls, bindings } = watchedBucket();
    await check("scenario-1", "xx", { bindings });
    const first = calls.length;
    expect(first).toBeGreaterThan(0);
    wait(31_000);
    await check("scenario-1", "xx", { bindings });
    expect(calls).toHaveLength(first);
  });

  test("by another isolate, which finds them: the CRL and the list are not sent again", async () => {
    await check("scenario-1", "xx");
    await coldIsolate();
    const { calls, bindings } = watchedBucket();
    await check("scenario-1", "xx", { bindings });
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter((call) => call.startsWith("put"))).toEqual([]);
    // another certificate of the same issuer: its own documents only
    await check("scenario-9", "xx", { bindings });
    const { sha256: crl } = JSON.parse((await check("scenario-1", "xx")).text).evidence.revocation[0];
    const puts = calls.filter((call) => call.startsWith("put"));
    expect(puts.length).toBeGreaterThan(0);
    expect(puts).not.toContain(`put evidence/2026/${crl}`);
  });

  test("by two isolates at once: the second write changes nothing", async () => {
    const { calls, bindings } = watchedBucket({ head: async () => null });
    await check("scenario-1", "xx", { bindings });
    const before = await keptDocuments();
    await coldIsolate();
    await check("scenario-1", "xx", { bindings });
    expect(calls.filter((call) => call.startsWith("put")).length).toBe(2 * before.size);
    expect([...(await keptDocuments()).keys()]).toEqual([...before.keys()]);
  });
});

describe("R2 is never in the way", () => {
  test("what fails is logged once, and tried again by the next check", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const failing = watchedBucket({ put: async () => Promise.reject(new Error("put: internal error (10001)")) });
    const good = await check("scenario-1", "xx");
    await emptyBucket();
    const answer = await check("scenario-1", "xx", failing);
    const { evidence: _, ...said } = JSON.parse(answer.text);
    expect(JSON.parse(good.text)).toMatchObject(said);
    const lines = logged.mock.calls.map(([line]) => JSON.parse(line)).filter(({ event }) => event !== undefined);
    // what the check rests on, its basis and its answer are handed over one after another
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines)
      expect(line).toEqual({
        event: "evidence_not_kept",
        documents: expect.any(Number),
        error: "put: internal error (10001)",
      });
    const failed = lines.reduce((sum, { documents }) => sum + documents, 0);
    expect(await keptDocuments()).toEqual(new Map());
    wait(31_000);
    await check("scenario-1", "xx");
    expect((await keptDocuments()).size).toBe(failed);
  });

  test("a bucket that never answers delays no answer", async () => {
    const { calls, bindings } = watchedBucket({ head: () => new Promise(() => {}) });
    const { status } = await ask("/v1/psp/eidas?jurisdiction=xx", { eidas: eidasHeader("scenario-1"), bindings });
    expect([status, calls.length > 0]).toEqual([200, true]);
  });

  test.each([
    ["an account without R2", { EVIDENCE: undefined }],
    ["a service that keeps no records", { LEDGER_RECORDS: "off" }],
  ])("%s answers all the same, and keeps nothing", async (_, without) => {
    const bindings = { ...env, ...without } as unknown as Cloudflare.Env;
    expect((await check("scenario-1", "xx", { bindings })).status).toBe(200);
    expect(await keptDocuments()).toEqual(new Map());
  });
});
