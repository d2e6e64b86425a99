/** Refresh of a list of lists that no pinned signer signed: its pivots are fetched, and only from the origin of the list itself. */

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { pointer } from "../../fixtures/makers/signed-list.ts";
import { type ListSigner, publishList } from "../../fixtures/suites/trusted-lists/list-signer.ts";
import { makeListOfLists, makePivots, PINNED, SIGNERS } from "../../fixtures/suites/trusted-lists/list-world.ts";
import type { RefreshEnv } from "../../src/refresh/schedule.ts";
import { withOwnStores } from "../cli/own-stores.ts";
import { Sources } from "./sources.ts";
import { clear, dump, withSources } from "./stores.ts";

vi.mock("../../src/trust/lists/pinned-signers.ts", () => ({ PINNED_SIGNERS: PINNED }));

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

describe("once the list of lists is loaded, number 30 of 2026-08-09, by way of the pivots", () => {
  const { journal, second, present } = SIGNERS;
  interface Issue {
    readonly number?: number;
    readonly issued?: string;
    readonly names?: readonly ListSigner[];
    readonly pivots?: readonly string[];
  }
  const makeIssue = (signer: ListSigner, { number = 31, issued = LATER, names = present, pivots = [] }: Issue) => {
    const information = pivots.map((path) => `<URI xml:lang="en">${sources.url}${path}</URI>`).join("");
    const pointers = pointer("EU", names) + pointer("XA", SIGNERS.XA);
    return publishList(
      { territory: "EU", sequenceNumber: number, issued, providers: null, pointers, information },
      signer,
    );
  };
  const LATER = "2026-08-10T00:00:00Z";

  /** The next issue on the same stores. */
  const refreshAgain = (
    next: () => Promise<Uint8Array>,
    meanwhile: (env: RefreshEnv) => Promise<void> = async () => {},
  ) =>
    withOwnStores(async ({ env }) => {
      await clear(env);
      const input = { stepState: null, now: NOW, maxWrites: 100, maxListBytes: 1_000_000 };
      const step = { ...input, env: withSources(env, sources) };
      sources.file("/eu-lotl.xml", await makeListOfLists(sources.url));
      for (const [path, bytes] of pivots) sources.file(path, bytes);
      expect(await refreshListOfLists(step)).toMatchObject({ ok: true });
      await meanwhile(step.env);
      sources.file("/eu-lotl.xml", await next());
      return await refreshListOfLists(step);
    });

  test.each<[what: string, next: () => Promise<Uint8Array>]>([
    ["by a signer that it names", () => makeIssue(present[1], {})],
    ["of a lower number and a later date", () => makeIssue(present[0], { number: 29 })],
    [
      "by way of a pivot that a signer of its own signed",
      async () => {
        sources.file("/eu-lotl-pivot-31.xml", await makeIssue(present[0], { names: second }));
        return await makeIssue(second[0], { number: 32, pivots: ["/eu-lotl-pivot-31.xml", SECOND, FIRST] });
      },
    ],
  ])("one is taken %s", async (_, next) => {
    expect(await refreshAgain(next)).toMatchObject({ ok: true });
  });

  test.each<[what: string, reason: string, next: () => Promise<Uint8Array>]>([
    ["by a pinned key that it names no longer", "unknown signer", () => makeIssue(journal[0], { names: journal })],
    [
      "by such a key, with a pivot of its own",
      "unknown signer",
      async () => {
        sources.file("/eu-lotl-pivot-31.xml", await makeIssue(journal[0], { names: journal }));
        return await makeIssue(journal[1], { number: 32, pivots: ["/eu-lotl-pivot-31.xml"] });
      },
    ],
    [
      "by a key that was retired before it, with the pivot that still named that key",
      "unknown signer",
      async () => {
        const before = { number: 25, issued: "2026-07-01T00:00:00Z", names: second };
        sources.file("/eu-lotl-pivot-25.xml", await makeIssue(present[0], before));
        return await makeIssue(second[0], { pivots: ["/eu-lotl-pivot-25.xml"] });
      },
    ],
    [
      "of the same number and an earlier date",
      "older than loaded",
      () => makeIssue(present[0], { number: 30, issued: "2026-08-09T00:00:00Z" }),
    ],
    [
      "of a lower number and the same date",
      "older than loaded",
      () => makeIssue(present[0], { number: 29, issued: "2026-08-09T20:30:00Z" }),
    ],
  ])("one is refused %s", async (_, reason, next) => {
    expect(await refreshAgain(next)).toMatchObject({ ok: false, message: expect.stringContaining(reason) });
  });

  test.each<[string, object, object]>([
    ["the pins of another release", { pins: "of another release", pinnedSoFar: [] }, { ok: true }],
    // the list of lists had retired them when these were pinned, too
    ["other pins, with these among them", { pins: "of another release" }, UNKNOWN],
  ])("under %s: whether a pinned signer counts", async (_, stored, expected) => {
    const result = await refreshAgain(
      () => makeIssue(journal[0], { names: journal }),
      async ({ KV }) => {
        const loaded = await KV.get<object>("trust/list-of-lists", "json");
        await KV.put("trust/list-of-lists", JSON.stringify({ ...loaded, ...stored }));
      },
    );
    expect(result).toMatchObject(expected);
  });
});
