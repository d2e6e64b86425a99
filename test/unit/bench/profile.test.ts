/** Reading a profile of V8's sampler (test/bench/profile.ts). */
import { expect, it } from "vitest";
import { listCosts, readModules } from "../../bench/profile.ts";

it("finds the module of each line by esbuild's comments", () => {
  const bundle = [
    '"use strict";',
    "// src/platform/clock.ts",
    "var clock = 1;",
    "  // a remark",
    "// src/app.ts",
    "var app = 2;",
  ];
  expect(readModules(bundle.join("\n"))).toEqual([
    "",
    ...Array(3).fill("src/platform/clock.ts"),
    ...Array(2).fill("src/app.ts"),
  ]);
});

it("tells microseconds of a request by function, and leaves out idleness and waits", () => {
  const frame = (functionName: string, url = "", lineNumber = -1) => ({ functionName, url, lineNumber });
  const profile = {
    nodes: [
      { id: 1, callFrame: frame("(idle)") },
      { id: 2, callFrame: frame("decide", "file:///worker.js", 1) },
      { id: 3, callFrame: frame("Hash", "node-internal:crypto_hash", 1) },
      { id: 4, callFrame: frame("Response") },
    ],
    samples: [1, 2, 2, 3, 4],
    // the last one waited for the machine: it counts as two samples at most
    timeDeltas: [5000, 200, 200, 200, 90_000],
  };
  expect(listCosts(profile, ["src/platform/clock.ts", "src/psp-check/decision.ts"], 10)).toEqual([
    { name: "src/psp-check/decision.ts decide", microseconds: 40 },
    { name: "Response", microseconds: 40 },
    { name: "node-internal:crypto_hash Hash", microseconds: 20 },
  ]);
});
