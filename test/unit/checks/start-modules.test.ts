/** What `npm run check` says that a start evaluates. */
import type { Metafile } from "esbuild";
import { expect, test } from "vitest";
import { findStartModules, isOfStart } from "../../checks/start-modules.ts";

const output = (
  entryPoint: string | undefined,
  inputs: Record<string, number>,
  imports: readonly (readonly [kind: "import-statement" | "dynamic-import", path: string])[] = [],
): Metafile["outputs"][string] => ({
  ...(entryPoint !== undefined && { entryPoint }),
  bytes: 1,
  exports: [],
  imports: imports.map(([kind, path]) => ({ kind, path })),
  inputs: Object.fromEntries(Object.entries(inputs).map(([name, bytesInOutput]) => [name, { bytesInOutput }])),
});

const OUTPUTS = {
  "index.js": output("src/index.ts", { "src/index.ts": 9 }, [
    ["import-statement", "modules/shared.js"],
    ["import-statement", "node:buffer"],
    ["dynamic-import", "modules/scheduled.js"],
  ]),
  "modules/shared.js": output(undefined, { "src/platform/clock.ts": 5, "src/only-types.ts": 0 }),
  "modules/scheduled.js": output("src/refresh/scheduled.ts", { "node_modules/fflate/index.js": 7 }, [
    ["import-statement", "modules/shared.js"],
    ["import-statement", "modules/lists.js"],
  ]),
  "modules/lists.js": output(undefined, { "src/trust/lists/list.ts": 4 }),
  "index.js.map": output(undefined, {}),
};

test("a start evaluates what is imported by statements, directly or through others, and nothing else", () => {
  const modules = findStartModules({ outputs: OUTPUTS }, "src/index.ts");
  expect(modules.map(({ entry, atStart, inputs }) => [entry, atStart, inputs])).toEqual([
    ["src/index.ts", true, ["src/index.ts"]],
    [null, true, ["src/platform/clock.ts"]],
    ["src/refresh/scheduled.ts", false, ["node_modules/fflate/index.js"]],
    [null, false, ["src/trust/lists/list.ts"]],
  ]);
});

test("an entry that was not built is an error, not an empty start", () => {
  expect(() => findStartModules({ outputs: OUTPUTS }, "src/other.ts")).toThrow("no entry src/other.ts");
});

test.each([
  ["src/refresh/status.ts", false],
  ["src/trust/anchors.ts", true],
  ["src/registers/lookup.ts", true],
  ["node_modules/zod/v4/core/core.js", false],
  ["src/routes/psp/eidas.ts", true],
  ["src/routes/obie/tokens.ts", false],
  ["src/routes/obie/tokens.errors.ts", false],
  ["src/routes/obie/endpoints.ts", true],
  ["src/http/errors/errors.ts", true],
  ["src/http/errors/what-is-answered.ts", false],
  ["src/http/errors/requests.ts", false],
  ["src/http/errors/every-code.ts", false],
  ["src/refresh/scheduled.ts", false],
  ["src/trust/lists/list.ts", false],
  ["src/registers/import/import-register.ts", false],
  ["src/console/console.ts", false],
  ["node_modules/@xmldom/xmldom/lib/index.js", false],
  ["node_modules/fflate/esm/browser.js", false],
])("%s may be evaluated by a start: %s", (input, expected) => {
  expect(isOfStart(input)).toBe(expected);
});
