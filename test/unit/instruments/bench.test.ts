/** The bench (test/bench/) can fail: on a wrong answer, a missed goal, a change beyond the noise, a heap that grows. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LoadGenerator } from "../../bench/generator-process.ts";
import { judgeHeap } from "../../bench/load.ts";
import { compareReports, judge, pair, type Report } from "../../bench/measure.ts";

const server = createServer((request, response) => {
  response.statusCode = request.url === "/refused" ? 403 : 201;
  response.end(`{"code":"c${request.url}"}`);
});
const generator = new LoadGenerator();
let url: string;
let folder: string;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), "psp-gate-generator-"));
});
afterAll(async () => {
  generator.stop();
  server.close();
  await rm(folder, { recursive: true });
});

test("a turn captures what another route needs, and ends in words at another status", async () => {
  const calls = Array.from({ length: 200 }, (_, number) => ({ path: `/${number}`, headers: {} }));
  const route = { name: "a route", method: "POST", status: 201, url, first: 0, seconds: 60 } as const;
  const { captured } = await generator.run({ ...route, calls, once: true, captures: '"code":"([^"]+)"' });
  expect(captured.toSorted()).toEqual(calls.map(({ path }) => `c${path}`).sort());
  const refused = { ...route, calls: [{ path: "/refused", headers: {} }], once: false, captures: null };
  await expect(generator.run(refused)).rejects.toThrow('a route: answered 403 where 201 belongs: {"code":"c/refused"}');
});

test("the mixed load counts every answer that is not as the contract says", async () => {
  const contract = join(folder, "contract.mjs");
  // one that promises nothing: that of the service takes seconds to compile
  await writeFile(contract, "export const [validators, operations] = [{}, []];");
  const certificates = { leaves: ["MAA="], scenarios: [{ eidas: "MAA=", jurisdiction: "xx", answer: {} }] };
  await generator.makeBanks({ url, contract, ...certificates, connections: 2, seed: 1, largeHeaders: false });
  const { wrong, firstWrong, actions } = await generator.act(0.1);
  expect(wrong).toBe(Object.values(actions).reduce((sum, count) => sum + count));
  expect(wrong).toBeGreaterThan(0);
  expect(firstWrong[0]).toContain("a path that is not in the document");
});

test("a goal is reached, missed, or within the noise; a change beyond it is told", () => {
  const ratio = pair([20, 21, 22], [10, 10, 10]);
  expect([2.5, 1.5, 2.11].map((atMost) => judge(ratio, atMost))).toEqual(["reached", "missed", "inconclusive"]);
  const report = (...values: readonly number[]): Report => {
    const microseconds = pair(values, [1, 1, 1]);
    const route = { name: "check", requestsPerSecond: microseconds, microseconds, cores: 1, p50: 1, p99: 1 };
    return {
      date: "",
      version: "",
      processor: "",
      load: [0, 0],
      groups: [{ title: "PSP", routes: [route], comparisons: [] }],
    };
  };
  expect(compareReports(report(1, 2, 3), report(2, 2, 2))).toEqual({ compared: 1, changes: [] });
  expect(compareReports(report(1, 2, 3), report(7, 8, 9)).changes).toMatchObject([{ change: "worse" }]);
});

test("a heap that grows by more than a tenth between the second quarter and the last is not flat", () => {
  const run = (heapAt: (progress: number) => number) =>
    judgeHeap(
      Array.from({ length: 21 }, (_, i) => ({ progress: i / 20, heap: heapAt(i / 20) })),
      10,
    );
  expect(run((progress) => 20 + 20 * progress)).toMatchObject({ ok: false });
  // what fills in the first quarter does not count
  expect(run((progress) => Math.min(20, 100 * progress))).toMatchObject({ ok: true, second: 20, last: 20 });
});

test("the refresh's stand-in exports every class of a Durable Object: else wrangler bundles none", () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, "../../..", path), "utf8");
  const bound = [...read("wrangler.toml").matchAll(/^class_name = "(\w+)"$/gm)].map(([, name = ""]) => name);
  const exported = [...read("test/bench/refresh-worker.ts").matchAll(/^export \{ (\w+) \}/gm)].map(([, name]) => name);
  expect(bound.length).toBeGreaterThan(0);
  expect(bound.filter((name) => !exported.includes(name))).toEqual([]);
});
