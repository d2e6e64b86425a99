/** What `npm run check` holds of the source can fail: the rooms in one column, and what a start evaluates. */
import type { Metafile } from "esbuild";
import { expect, test } from "vitest";
import { findFaults } from "../../checks/layers.ts";
import { findStartModules, isOfStart } from "../../checks/start-modules.ts";

const importing = (target: string) => `import { one } from "${target}";\n`;

test("a room imports from below it alone, late imports and types among them; a file in no room fails", () => {
  for (const [file, target] of [
    ["x509/path.ts", "../platform/once.ts"],
    ["grants/authorization-code.ts", "cloudflare:workers"],
    ["client/package/generate.ts", "../../reference/document.ts"],
    ["cli/migrations.ts", "commander"],
  ] as const)
    expect(findFaults(file, importing(target))).toEqual([]);
  for (const [file, target, fault] of [
    ["platform/once.ts", "../x509/name.ts", "imports x509/name.ts: x509 is not above platform"],
    ["x509/path.ts", "../app.ts", "imports app.ts: app.ts is not above x509"],
    ["client/call.ts", "../platform/once.ts", "imports platform/once.ts: platform is not above client"],
    ["x509/path.ts", "cloudflare:workers", "imports cloudflare:workers: only grants, evidence, events, http do"],
  ] as const)
    expect(findFaults(file, importing(target))).toEqual([expect.stringContaining(`src/${file} ${fault}`)]);
  const late = 'const { a } = await import("../routes/a.ts");\nimport type { B } from "../console/b.ts";\n';
  expect(findFaults("grants/codes.ts", late)).toHaveLength(2);
  expect(findFaults("clock.ts", "")).toEqual([expect.stringMatching(/^src\/clock\.ts is in no room/)]);
});

test("a start evaluates what is imported by statements, directly or through others, and nothing else", () => {
  const output = (
    entryPoint: string | undefined,
    input: string,
    ...imports: (readonly [kind: "import-statement" | "dynamic-import", path: string])[]
  ): Metafile["outputs"][string] => ({
    ...(entryPoint !== undefined && { entryPoint }),
    ...{ bytes: 1, exports: [], imports: imports.map(([kind, path]) => ({ kind, path })) },
    inputs: { [input]: { bytesInOutput: 5 } },
  });
  const outputs = {
    "index.js": output(
      "src/index.ts",
      "src/index.ts",
      ["import-statement", "shared.js"],
      ["dynamic-import", "scheduled.js"],
    ),
    "shared.js": output(undefined, "src/platform/clock.ts"),
    "scheduled.js": output("src/refresh/scheduled.ts", "fflate.js", ["import-statement", "shared.js"]),
  };
  const modules = findStartModules({ outputs }, "src/index.ts");
  expect(modules.map(({ entry, atStart }) => [entry, atStart])).toEqual([
    ["src/index.ts", true],
    [null, true],
    ["src/refresh/scheduled.ts", false],
  ]);
  expect(() => findStartModules({ outputs }, "src/other.ts")).toThrow("no entry src/other.ts");
  const refused = ["src/console/console.ts", "src/routes/obie/tokens.ts", "src/http/errors/requests.ts"];
  expect(["src/trust/anchors.ts", "src/routes/psp/eidas.ts", ...refused].map(isOfStart)).toEqual([
    ...[true, true],
    ...refused.map(() => false),
  ]);
});
