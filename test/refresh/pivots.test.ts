/** Refresh of a list of lists that no pinned signer signed: its pivots are fetched, and only from the origin of the list itself. */

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeListOfLists, makePivots, PINNED } from "../../fixtures/suites/trusted-lists/list-world.ts";
import type { RefreshEnv } from "../../src/refresh/step.ts";
import { withOwnStores } from "../admin/own-stores.ts";
import { Sources } from "./sources.ts";
import { clear, dump, withSources } from "./stores.ts";

vi.mock("../../src/trusted-lists/pinned-signers.ts", () => ({ PINNED_SIGNERS: PINNED }));

const { refreshListOfLists } = await import("../../src/refresh/trusted-lists.ts");

const NOW = Date.parse("2026-11-21T12:00:00Z");
const [FIRST, SECOND] = ["/eu-lotl-pivot-10.xml", "/eu-lotl-pivot-20.xml"];
const pivots = await makePivots();
const bytesOf = (path: string) => pivots.get(path) ?? new Uint8Array();

let sources: Sources;
beforeAll(async () => {
  sources = await Sources.start();
});
afterAll(() => sources.stop());

/** One step on empty stores, with the list of lists and both pivots at the source, but for what `spoil` changes. */
const refresh = (spoil: (env: RefreshEnv) => void | Promise<void>) =>
  withOwnStores(async ({ env }) => {
    await clear(env);
    sources.file("/eu-lotl.xml", await makeListOfLists(sources.url));
    for (const [path, bytes] of pivots) sources.file(path, bytes);
    await spoil(withSources(env, sources));
    sources.asked.length = 0;
    const input = { stepState: null, now: NOW, maxWrites: 100, maxListBytes: 1_000_000 };
    const result = await refreshListOfLists({ ...input, env: withSources(env, sources) });
    return { result, asked: [...sources.asked], loaded: Object.keys(await dump(env.KV, "trust/")) };
  });

const UNKNOWN = { ok: false, message: expect.stringContaining("unknown signer") };

test("they lead from the signers that the Journal names to the present ones, and are fetched newest first", async () => {
  const { result, asked, loaded } = await refresh(() => {});
  expect(result).toMatchObject({ ok: true, summary: expect.stringContaining("the list of EU, number 30") });
  expect(asked).toEqual(["/eu-lotl.xml 200", `${SECOND} 200`, `${FIRST} 200`]);
  expect(loaded).toContain("trust/list-of-lists");
});

test.each<[what: string, spoil: () => void | Promise<void>]>([
  ["one of them is missing", () => sources.set(FIRST, { sends: "status", status: 404 })],
  ["one of them breaks off", () => sources.set(SECOND, { sends: "half", bytes: bytesOf(SECOND) })],
  ["one stands in the other's place", () => sources.file(FIRST, bytesOf(SECOND))],
  ["one of them was altered", () => sources.file(SECOND, Buffer.from(bytesOf(SECOND)).fill("X", 2000, 2001))],
])("when %s, the list is refused and nothing is loaded", async (_, spoil) => {
  const { result, loaded } = await refresh(spoil);
  expect(result).toMatchObject({ ok: false });
  expect(loaded).toEqual([]);
});

// the list of lists of August 2026 still names five that lead to the signers of the Journal
test("older ones that are not needed may be gone, and be many", async () => {
  const older = Array.from({ length: 9 }, (_, i) => `/eu-lotl-pivot-${9 - i}.xml`);
  const { result, asked } = await refresh(async () => {
    sources.file("/eu-lotl.xml", await makeListOfLists(sources.url, older));
    for (const path of older) sources.set(path, { sends: "status", status: 404 });
  });
  expect(result).toMatchObject({ ok: true });
  expect(asked).toEqual(["/eu-lotl.xml 200", `${SECOND} 200`, `${FIRST} 200`, `${older[0]} 404`]);
});

test("an address elsewhere is not asked, whatever the list of lists says", async () => {
  const { result, asked } = await refresh(async () =>
    sources.file("/eu-lotl.xml", await makeListOfLists("http://127.0.0.1:9")),
  );
  expect(result).toMatchObject(UNKNOWN);
  expect(asked).toEqual(["/eu-lotl.xml 200"]);
});
