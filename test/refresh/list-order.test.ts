/** An older trusted list is refused where KV still shows what was loaded before the newer one, as another location does for a minute. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pointer } from "../../fixtures/makers/signed-list.ts";
import { publishList } from "../../fixtures/suites/trusted-lists/list-signer.ts";
import { contentOf, PINNED, SIGNERS } from "../../fixtures/suites/trusted-lists/list-world.ts";
import type { RefreshEnv } from "../../src/refresh/schedule.ts";
import type { TrustListManifest } from "../../src/trust/anchors.ts";
import { withOwnStores } from "../cli/own-stores.ts";
import { Sources } from "./sources.ts";
import { clear, withSources } from "./stores.ts";

vi.mock("../../src/trust/lists/pinned-signers.ts", () => ({ PINNED_SIGNERS: PINNED }));

const { runStep } = await import("../../src/refresh/scheduled.ts");
const { readSources } = await import("../../src/refresh/status.ts");
const { addRefreshes, listRefreshes } = await import("../../src/refresh/refreshes.ts");

const NOW = Date.parse("2026-11-21T12:00:00Z");
const MINUTE = 60_000;
const LISTS = { EU: "trust/eIDAS/EU", XA: "trust/eIDAS/XA" } as const;
const MANIFEST = "trust/list/eIDAS/XA";

let sources: Sources;
beforeAll(async () => {
  sources = await Sources.start();
});
afterAll(() => sources.stop());

async function serveListOfLists(sequenceNumber: number, names: boolean): Promise<void> {
  const national = names ? pointer("XA", SIGNERS.XA) : "";
  const pointers = pointer("EU", SIGNERS.journal) + national;
  const content = { territory: "EU", sequenceNumber, providers: null, pointers };
  sources.file("/eu-lotl.xml", await publishList(content, SIGNERS.journal[0]));
}

const serveNational = async (sequenceNumber: number, more: { readonly issued?: string } = {}) =>
  sources.file("/XA.xml", await publishList({ ...contentOf("XA"), sequenceNumber, ...more }, SIGNERS.XA[0]));

/** What KV shows by then, whatever was imported before. */
const SETTLED = 4 * MINUTE;
let now = NOW;

/** The next step of a list's task, with what D1 has of the one before. */
async function refresh(env: RefreshEnv, list: keyof typeof LISTS, later = SETTLED) {
  now += later;
  const task = LISTS[list];
  await addRefreshes(env.DB, [task], now);
  const found = (await listRefreshes(env.DB)).find((each) => each.task === task);
  if (!found) throw new Error(`no task ${task}`);
  return await runStep(env, found, { now, maxWrites: 100, maxListBytes: 1_000_000 });
}

const run = (work: (env: RefreshEnv) => Promise<void>) =>
  withOwnStores(async ({ env }) => {
    await clear(env);
    await serveListOfLists(30, true);
    await serveNational(7);
    const own = withSources(env, sources);
    expect(await refresh(own, "EU")).toMatchObject({ ok: true });
    expect(await refresh(own, "XA")).toMatchObject({ ok: true });
    await work(own);
  });

/** KV as it is now, for later. */
async function keep({ KV }: RefreshEnv): Promise<() => Promise<void>> {
  const { keys } = await KV.list({ prefix: "trust/" });
  const kept = await Promise.all(keys.map(async ({ name }) => [name, (await KV.get(name)) ?? ""] as const));
  return async () => {
    for (const [name, value] of kept) await KV.put(name, value);
  };
}

test("the list of lists", () =>
  run(async (env) => {
    const showThePast = await keep(env);
    await serveListOfLists(31, true);
    expect(await refresh(env, "EU")).toMatchObject({ ok: true });
    await showThePast();
    await serveListOfLists(30, true);
    const message = expect.stringContaining("number 30, but 31 is loaded");
    expect(await refresh(env, "EU")).toMatchObject({ ok: false, message });
  }));

test("a national list", () =>
  run(async (env) => {
    const showThePast = await keep(env);
    await serveNational(8);
    expect(await refresh(env, "XA")).toMatchObject({ ok: true });
    await showThePast();
    await serveNational(7);
    const message = expect.stringContaining("number 7, but 8 is loaded");
    expect(await refresh(env, "XA")).toMatchObject({ ok: false, message });
    await serveNational(8);
    expect(await refresh(env, "XA")).toMatchObject({ ok: true });
  }));

test("a number that falls is taken with a later issue, and told until the next one", () =>
  run(async (env) => {
    const told = async () => (await readSources(env, now)).remarks.get("eIDAS/XA");
    await serveNational(5, { issued: "2026-11-20T00:00:00Z" });
    expect(await refresh(env, "XA")).toMatchObject({ ok: true, summary: expect.stringContaining("fell from 7") });
    const said = "its number is lower than 7, that of the issue before: it counts because it was issued later";
    expect(await told()).toEqual([said]);
    // verified again after a new list of lists
    await serveListOfLists(31, true);
    expect(await refresh(env, "EU")).toMatchObject({ ok: true });
    expect(await refresh(env, "XA")).toMatchObject({ ok: true });
    expect(await told()).toEqual([said]);
    await serveNational(6, { issued: "2026-11-21T00:00:00Z" });
    expect(await refresh(env, "XA")).toMatchObject({ ok: true });
    expect(await told()).toEqual([]);
  }));

test("one whose import was cut short", () =>
  run(async (env) => {
    const broken = { ...env, KV: new Proxy(env.KV, { get: failAtManifest }) };
    await serveNational(8);
    expect(await refresh(broken, "XA")).toMatchObject({ ok: false });
    await serveNational(7);
    const message = expect.stringContaining("number 7, but 8 is loaded");
    expect(await refresh(env, "XA")).toMatchObject({ ok: false, message });
  }));

test("a list that is dropped keeps the number that was loaded last", () =>
  run(async (env) => {
    const showThePast = await keep(env);
    await serveNational(8);
    expect(await refresh(env, "XA")).toMatchObject({ ok: true });
    await showThePast();
    await serveListOfLists(31, false);
    expect(await refresh(env, "EU")).toMatchObject({ ok: true });
    expect(await refresh(env, "XA")).toMatchObject({ ok: true });
    const manifest = await env.KV.get<TrustListManifest>(MANIFEST, "json");
    expect(manifest).toMatchObject({ sequenceNumber: 8, anchors: 0 });
  }));

test("what another issue has added is not looked for until KV shows it: a list that is dropped soon after waits, and loses all", () =>
  run(async (env) => {
    await serveListOfLists(31, false);
    expect(await refresh(env, "EU", MINUTE)).toMatchObject({ ok: true });
    expect(await refresh(env, "XA", MINUTE)).toMatchObject({
      ...{ ok: true, unfinished: true, waits: true },
      summary: expect.stringContaining("imported last (7 "),
    });
    expect(await env.KV.get(MANIFEST, "json")).toMatchObject({ sequenceNumber: 7, anchors: 7 });
    expect(await refresh(env, "XA", MINUTE)).toMatchObject({ ok: true, unfinished: false });
    expect((await env.KV.list({ prefix: "trust/anchors/" })).keys).toEqual([]);
  }));

test("while KV shows an older list of lists, no national list is taken by it", () =>
  run(async (env) => {
    const showThePast = await keep(env);
    await serveListOfLists(31, false);
    expect(await refresh(env, "EU")).toMatchObject({ ok: true });
    await showThePast();
    const message = "Workers KV does not show yet the list of lists that was loaded last";
    expect(await refresh(env, "XA")).toMatchObject({ ok: false, message });
  }));

/** Its manifest is written last. */
function failAtManifest(kv: KVNamespace, name: string): unknown {
  const put = async (key: string, value: string) => {
    if (key === MANIFEST) throw new Error("KV PUT failed: 500");
    await kv.put(key, value);
  };
  if (name === "put") return put;
  const value: unknown = Reflect.get(kv, name);
  return typeof value === "function" ? value.bind(kv) : value;
}
