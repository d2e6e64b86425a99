/** What a check rested on, and what it answered, is in R2: in few objects, each once, and never in the way of the answer. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { app } from "../../../../src/app.ts";
import type { Sandbox } from "../../../../src/cli/sandbox/files.ts";
import { bundleKey, decodeBundle } from "../../../../src/evidence/ledger/document-bundle.ts";
import { keepEvidence } from "../../../../src/evidence/ledger/kept-documents.ts";
import { openEvidence } from "../../../../src/evidence/ledger/kept-evidence.ts";
import type { LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import { replay } from "../../../../src/evidence/replay/replay.ts";
import type { Basis } from "../../../../src/psp-check/basis.ts";
import { importRegister } from "../../../../src/registers/import/import-register.ts";
import { readRegisterFile } from "../../../../src/registers/import/own-form.ts";
import { codeRequest } from "../../bank.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../../sandbox.ts";
import { forgetKept, listKept, recordOf } from "./records.ts";

let now = Date.parse("2026-11-22T10:00:00.250Z");
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

beforeAll(async () => {
  // by the clock of the tests: else the day on which they run decides when a register is stale
  vi.useFakeTimers({ toFake: ["Date"], now });
  await loadSandbox();
});
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

const keptKeys = async () => (await listKept()).map(({ key }) => key);

/** Remembers nothing. */
async function coldIsolate() {
  await forgetKept(now);
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

const bytesOf = async (key: string) => new Uint8Array((await (await env.EVIDENCE.get(key))?.arrayBuffer()) ?? []);

/** By their SHA-256, which is held against their bytes. */
async function keptDocuments(): Promise<Map<string, Uint8Array>> {
  const kept = new Map<string, Uint8Array>();
  for (const key of await keptKeys()) {
    const bytes = await bytesOf(key);
    const bundle = key.startsWith("evidence/2026/bundles/") ? await decodeBundle(bytes) : null;
    if (!bundle) expect(key).toBe(`evidence/2026/${sha256(bytes)}`);
    for (const [digest, document] of bundle?.documents ?? [[sha256(bytes), bytes] as const]) kept.set(digest, document);
  }
  return kept;
}
const parse = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes));

/** A bucket whose calls are noted, and can be answered in another way. */
function watchedBucket(change: Partial<Record<"head" | "put", (key: string) => Promise<unknown> | undefined>> = {}) {
  const calls: string[] = [];
  const EVIDENCE = new Proxy(env.EVIDENCE, {
    get(bucket, method: "head" | "put") {
      return (key: string, ...rest: unknown[]) => {
        calls.push(`${method} ${key}`);
        return change[method]?.(key) ?? Reflect.apply(Reflect.get(bucket, method), bucket, [key, ...rest]);
      };
    },
  });
  /** Of what one answer alone rests on. */
  const ofBundles = () => calls.splice(0).flatMap((call) => (call.includes("/bundles/") ? [call] : []));
  return { calls, ofBundles, bindings: { ...env, EVIDENCE } };
}

const replayed = async (record: LedgerRecord) => await replay(record, openEvidence(env, record));
const EQUAL = { ok: true, equal: true, compared: "answer" };

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

  test("of one certificate rest on one basis, also where checks of different instants are remembered", async () => {
    await check("scenario-9", "fi");
    wait(20_000);
    await check("scenario-9", "xx");
    await withdraw("PSDXX-TEST-000009");
    // what was read of the register is remembered for 30 seconds, and so is each check
    wait(15_000);
    const newer = JSON.parse((await check("scenario-9", "xy")).text);
    wait(2_000);
    const checks = [{ eIDAS: eidasHeader("scenario-9"), jurisdictions: ["XX", "XY"] }];
    const many = await ask("/v1/psp/checks", { body: { checks } });
    await many.ended();
    const [{ results }] = JSON.parse(many.text).data;
    for (const { result } of results)
      expect(result.homeRegister.categoryEntries).toMatchObject([{ pspAuthStatus: "Withdrawn" }]);
    expect(newer.homeRegister.categoryEntries).toMatchObject([{ pspAuthStatus: "Withdrawn" }]);
    expect(await replayed(await recordOf(many))).toEqual(EQUAL);
    await loadSandbox();
  });

  async function withdraw(authNumber: string): Promise<void> {
    const sandbox: Sandbox = JSON.parse(env.TEST_SANDBOX);
    const register = sandbox.registers.map((text) => JSON.parse(text)).find(({ country }) => country === "XX");
    for (const psp of register.psps)
      if (psp.authNumber === authNumber) for (const category of psp.categories) category.status = "Withdrawn";
    const file = readRegisterFile(JSON.stringify({ ...register, published: new Date(now).toISOString() }));
    if (!file.ok) throw new Error(JSON.stringify(file.problems));
    await importRegister(env, file.register, { now, force: true });
  }
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
    const before = await keptKeys();
    await coldIsolate();
    await check("scenario-1", "xx", { bindings });
    // the second could not put its answer into the certificate's object: it may be another one
    expect(calls.filter((call) => call.startsWith("put"))).toHaveLength(2 * before.length + 1);
    expect(await keptKeys()).toEqual(expect.arrayContaining(before));
    expect(await replayed(await recordOf(await check("scenario-1", "xx")))).toEqual(EQUAL);
  });
});

describe("what one answer alone rests on is one object", () => {
  test("of a new certificate two calls, of a seen one none, of another jurisdiction or version two", async () => {
    const { calls, ofBundles, bindings } = watchedBucket();
    const { certificate } = JSON.parse((await check("scenario-9", "xx", { bindings })).text).evidence;
    const own = `evidence/2026/bundles/${certificate}`;
    expect(ofBundles()).toEqual([`head ${own}`, `put ${own}`]);
    await check("scenario-9", "xx", { bindings });
    wait(31_000);
    await check("scenario-9", "xx", { bindings });
    expect(calls).toEqual([]);
    for (const [country, version] of [["xy", "latest"] as const, ["xx", "1"] as const]) {
      const record = await recordOf(await check("scenario-9", country, { bindings, version }));
      const [head = "", ...more] = ofBundles();
      expect([head, ...more]).toEqual([expect.stringMatching(/^head /), head.replace("head", "put")]);
      expect(head).not.toContain(certificate);
      expect(await replayed(record)).toEqual(EQUAL);
    }
  });

  test("another isolate asks for it, once if the certificate's object has that very answer", async () => {
    await check("scenario-9", "xx");
    await coldIsolate();
    const { ofBundles, bindings } = watchedBucket();
    await check("scenario-9", "xx", { bindings });
    expect(ofBundles()).toEqual([expect.stringMatching(/^head /)]);
    await coldIsolate();
    const record = await recordOf(await check("scenario-9", "xy", { bindings }));
    expect(ofBundles().map((call) => call.split(" ")[0])).toEqual(["head", "head", "put"]);
    expect(await replayed(record)).toEqual(EQUAL);
  });

  test("an equal answer that rests on another basis, or is to another certificate, is another one", async () => {
    const answers = await Promise.all([1, 2].map((hours) => recordOf1(hours)));
    expect(answers[0]?.answer).toBe(answers[1]?.answer);
    expect(answers[0]?.checks[0]?.basis).not.toBe(answers[1]?.checks[0]?.basis);
    for (const record of answers) expect(await replayed(record)).toEqual(EQUAL);
  });
  /** Of version 1, which names nothing that it rests on. The setting is part of the basis; nothing is as old. */
  async function recordOf1(hours: number): Promise<LedgerRecord> {
    const bindings = { ...env, REGISTER_MAX_AGE_HOURS_NCA: 1_000_000 + hours } as unknown as Cloudflare.Env;
    wait(MUCH_LATER_MS);
    return await recordOf(await check("scenario-9", "xx", { bindings, version: "1" }));
  }

  test("also of a check that the isolate made for another request: many, a check without answer, a grant", async () => {
    const checks = [
      { eIDAS: eidasHeader("scenario-9"), jurisdictions: ["XY", "XX", "FI"] },
      { eIDAS: eidasHeader("scenario-1"), jurisdictions: ["XX"] },
    ];
    const { ofBundles, bindings } = watchedBucket();
    const many = await ask("/v1/psp/checks", { body: { checks }, bindings });
    await many.ended();
    // an object for each certificate, and one for all the answers
    expect(ofBundles().filter((call) => call.startsWith("put"))).toHaveLength(3);
    const single = await check("scenario-9", "xy", { bindings });
    const refused = await check("scenario-9", "xz", { bindings });
    const code = await ask("/v1/oauth2/authorization_codes", {
      ...{ body: codeRequest(), eidas: eidasHeader("scenario-1"), bindings },
    });
    await code.ended();
    expect([many, single, refused, code].map(({ status }) => status)).toEqual([200, 200, 404, 201]);
    for (const [answer, compared] of [
      [many, "answer"],
      [single, "answer"],
      [refused, "checks"],
      [code, "checks"],
    ] as const)
      expect(await replayed(await recordOf(answer))).toEqual({ ok: true, equal: true, compared });
  });

  test("of many answers in parts of 4 MiB, the first part last: what was interrupted is not there, and is repeated", async () => {
    const documents = [3, 3, 3, 0.1].map((mebibytes, i) => {
      const bytes = new Uint8Array(mebibytes * 1024 ** 2).fill(i);
      return { sha256: sha256(bytes), bytes: () => bytes };
    });
    const name = documents[0]?.sha256 ?? "";
    const record = { time: new Date(now).toISOString(), event: "psps.checked", answer: name, checks: [] };
    const read = (each: string) => openEvidence(env, record as unknown as LedgerRecord)(each);
    const keep = async (bindings: Cloudflare.Env) => {
      const ctx = createExecutionContext();
      keepEvidence(bindings, ctx, { answer: { name, certificate: null, documents: () => documents } }, now);
      await waitOnExecutionContext(ctx);
    };
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const key = bundleKey(name, now);
    const broken = async () => Promise.reject(new Error("put: broken"));
    await keep(watchedBucket({ put: (each) => (each === key ? broken() : undefined) }).bindings);
    expect([logged.mock.calls.length, await keptKeys()]).toEqual([1, [`${key}.1`, `${key}.2`]]);
    expect(await read(name)).toBeNull();
    const { calls, bindings } = watchedBucket();
    await keep(bindings);
    expect(calls).toEqual([`head ${key}`, `put ${key}.2`, `put ${key}.1`, `put ${key}`]);
    for (const each of documents) expect(sha256((await read(each.sha256)) ?? Uint8Array.of())).toBe(each.sha256);
    // repetitive bytes: compressed
    expect((await env.EVIDENCE.head(key))?.size).toBeLessThan(100_000);
    await env.EVIDENCE.delete(`${key}.2`);
    expect(await read(name)).toHaveLength(0);
  });
});

describe("what was kept is read again", () => {
  test("any altered byte of an object is found; of a lost one it is said what is missing", async () => {
    const record = await recordOf(await check("scenario-9", "xy"));
    for (const key of await keptKeys()) {
      const bytes = await bytesOf(key);
      // of each field of a bundle, of its documents, and of its end
      for (const at of new Set(
        [0, 3, 5, 7, 8, 41, 43, bytes.length >> 1, bytes.length - 1].filter((i) => i < bytes.length),
      )) {
        const altered = Uint8Array.from(bytes);
        altered[at] = (altered[at] ?? 0) ^ (1 << (at % 8));
        await env.EVIDENCE.put(key, altered);
        expect([key, at, await replayed(record)]).toMatchObject([
          ...[key, at],
          { ok: false, missing: [{ reason: "altered" }] },
        ]);
      }
      await env.EVIDENCE.delete(key);
      expect(await replayed(record)).toMatchObject({ ok: false, missing: [{ reason: "absent" }] });
      await env.EVIDENCE.put(key, bytes);
    }
    expect(await replayed(record)).toEqual(EQUAL);
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
    expect(lines).toHaveLength(1);
    for (const line of lines)
      expect(line).toEqual({
        event: "evidence_not_kept",
        objects: expect.any(Number),
        error: "R2: put: internal error (10001)",
      });
    const failed = lines.reduce((sum, { objects }) => sum + objects, 0);
    expect(await keptDocuments()).toEqual(new Map());
    wait(31_000);
    await check("scenario-1", "xx");
    expect(await keptKeys()).toHaveLength(failed);
  });

  test("what another isolate wrote in the same second is kept, although R2 refused a second write of it", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const refused = async () => Promise.reject(new Error("put: Reduce your rate for the same object. (10058)"));
    await check("scenario-1", "xy");
    await coldIsolate();
    const written = await keptKeys();
    const asked = new Set<string>();
    // this isolate has asked before the other one wrote
    const head = (key: string) => (asked.has(key) ? undefined : asked.add(key) && Promise.resolve(null));
    const put = (key: string) => (written.includes(key) ? refused() : undefined);
    const { calls, bindings } = watchedBucket({ head, put });
    await check("scenario-1", "xy", { bindings });
    expect(calls).toEqual(expect.arrayContaining(written.map((key) => `put ${key}`)));
    expect(logged).not.toHaveBeenCalled();
    wait(30_000);
    calls.length = 0;
    await check("scenario-1", "xy", { bindings });
    expect(calls).toEqual([]);
  });

  test("a bucket that never answers delays no answer", async () => {
    const { promise: silence, resolve: end } = Promise.withResolvers<null>();
    const { calls, bindings } = watchedBucket({ head: () => silence });
    const answer = await ask("/v1/psp/eidas?jurisdiction=xx", { eidas: eidasHeader("scenario-1"), bindings });
    expect(answer.status).toBe(200);
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(0), { timeout: 60_000 });
    end(null);
    await answer.ended();
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
