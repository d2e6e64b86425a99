/** Workers KV as many checks of one request read it: few calls, each key once at a time, and the same values. */
import { expect, test } from "vitest";
import { shareReads } from "../../../src/psp-check/shared-reads.ts";

function makeStore() {
  const calls: (string | string[])[] = [];
  const state = { fails: false };
  const store = {
    get: async (keys: string | string[]) => {
      calls.push(keys);
      await Promise.resolve();
      if (state.fails) throw new Error("unreachable");
      return typeof keys === "string"
        ? new TextEncoder().encode(keys).buffer
        : new Map(keys.map((key) => [key, key.startsWith("absent") ? null : { key }]));
    },
    put: async (key: string) => void calls.push(`put ${key}`),
  };
  return { kv: store as unknown as KVNamespace, calls, state };
}
const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `key-${from + i}`);

test("what is asked for at once is read in calls of a hundred keys, each key once", async () => {
  const { kv, calls } = makeStore();
  const shared = shareReads(kv);
  const [first, second] = await Promise.all([
    shared.get<object>([...numbered(60), "absent"], "json"),
    shared.get<object>(numbered(90, 30), "json"),
  ]);
  expect(calls.map((keys) => keys.length)).toEqual([100, 21]);
  expect([...first.keys()]).toEqual([...numbered(60), "absent"]);
  expect(first.get("key-59")).toEqual({ key: "key-59" });
  expect(first.get("absent")).toBeNull();
  expect([...second.keys()]).toEqual(numbered(90, 30));
});

test("a key that is being read is not read again, and one that has been read is", async () => {
  const { kv, calls } = makeStore();
  const shared = shareReads(kv);
  const first = shared.get<object>(["a"], "json");
  await Promise.resolve();
  await Promise.resolve();
  const second = shared.get<object>(["a", "b"], "json");
  expect((await first).get("a")).toBe((await second).get("a"));
  expect(calls).toEqual([["a"], ["b"]]);
  await shared.get<object>(["a"], "json");
  expect(calls).toHaveLength(3);
});

test("bytes are shared in the same way, and writes go through", async () => {
  const { kv, calls } = makeStore();
  const shared = shareReads(kv);
  const [one, two] = await Promise.all([shared.get("a", "arrayBuffer"), shared.get("a", "arrayBuffer")]);
  expect([one === two, new TextDecoder().decode(one ?? undefined)]).toEqual([true, "a"]);
  await shared.put("a", "x");
  expect(calls).toEqual(["a", "put a"]);
});

test("a failure reaches all who wait, and is not remembered", async () => {
  const { kv, calls, state } = makeStore();
  const shared = shareReads(kv);
  state.fails = true;
  const reads = [shared.get(["a"], "json"), shared.get(["a", "b"], "json"), shared.get("a", "arrayBuffer")];
  for (const read of await Promise.allSettled(reads)) expect(read.status).toBe("rejected");
  await expect(shared.get(["a"], "json")).rejects.toThrow("unreachable");
  expect(calls).toEqual(["a", ["a", "b"], ["a"]]);
});
