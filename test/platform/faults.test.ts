/** Rows of the fault table; `npm run node test/platform/faults.ts` makes all of them. */
import "../cli/own-configuration.ts";
import "./in-process.ts";
import { expect, test } from "vitest";
import { platform } from "./deployed-platform.ts";
import type { Choice, Row } from "./fault-rows.ts";
import { FAULTS } from "./platform.ts";

// loaded behind what they read of the environment
const { runFaults } = await import("./fault-rows.ts");

/** What ends badly. */
async function judge(command: string, choose?: Choice): Promise<{ rows: number; bad: Row[] }> {
  let rows = 0;
  const bad: Row[] = [];
  for await (const row of runFaults(platform, command, choose)) {
    rows++;
    if (row.faults.length > 0) bad.push(row);
  }
  return { rows, bad };
}

test.each([
  ["fi add", 1],
  ["fi add, second database", 1],
  ["backup", 1],
  ["restore", 2],
  ["restore over others", 2],
])("%s: when a call fails (every %i), each in another way, the next run ends well", async (command, step) => {
  const kindOf = (call: number) => FAULTS[(call / step) % FAULTS.length];
  const { rows, bad } = await judge(command, (call, when) => kindOf(call) === when);
  expect(bad).toEqual([]);
  expect(rows).toBeGreaterThanOrEqual(10);
});

test.each([
  ["key rotate", "PATCH /workers/scripts/psp-gate/secrets-bulk", "gone"],
  ["first deployment", "POST /storage/kv/namespaces", "gone"],
  ["second deployment", "PUT /workers/scripts/psp-gate", "after"],
  ["staging", "POST /queues", "before"],
  ["database add", "POST /d1/database", "lost"],
])("%s: when the call %s fails (%s), the next run ends well", async (command, call, when) => {
  const { rows, bad } = await judge(command, (_, kind, path) => kind === when && path === call);
  expect(bad).toEqual([]);
  expect(rows).toBe(1);
});
