/** The rooms in one column (test/checks/layers.ts). */
import { expect, test } from "vitest";
import { findFaults } from "../../checks/layers.ts";

const importing = (target: string) => `import { one } from "${target}";\n`;

test.each([
  ["x509/path.ts", "../platform/once.ts"],
  ["x509/path.ts", "./name.ts"],
  ["evidence/replay/replay.ts", "../../psp-check/decision.ts"],
  ["grants/authorization-code.ts", "cloudflare:workers"],
  ["client/package/generate.ts", "../../reference/document.ts"],
  ["client/error-codes.ts", "../http/errors/every-code.ts"],
  ["cli/demo/main.ts", "../../client/index.ts"],
  // a part of a resource belongs to the room that collects it
  ["http/errors/every-code.ts", "../../routes/psp/signatures.errors.ts"],
  ["http/endpoints.ts", "../routes/psp/endpoints.ts"],
  ["reference/resources.ts", "../routes/psp/signatures.reference.ts"],
  ["routes/psp/signatures.reference.ts", "./signatures.ts"],
  ["cli/database/migrations.ts", "commander"],
])("%s may import %s", (file, target) => {
  expect(findFaults(file, importing(target))).toEqual([]);
});

test.each([
  ["platform/once.ts", "../x509/name.ts", "imports x509/name.ts: x509 is not above platform"],
  [
    "routes/status.ts",
    "../reference/texts/about.ts",
    "imports reference/texts/about.ts: reference is not above routes",
  ],
  ["routes/psp/signatures.errors.ts", "./signatures.ts", "imports routes/psp/signatures.ts: routes is not above http"],
  ["routes/psp/signatures.ts", "./signatures.reference.ts", "imports routes/psp/signatures.reference.ts: reference"],
  ["x509/path.ts", "../app.ts", "imports app.ts: app.ts is not above x509"],
  ["client/call.ts", "../platform/once.ts", "imports platform/once.ts: platform is not above client"],
  ["x509/path.ts", "cloudflare:workers", "imports cloudflare:workers: only grants, evidence, events, http do"],
])("%s may not import %s", (file, target, fault) => {
  expect(findFaults(file, importing(target))).toEqual([expect.stringContaining(`src/${file} ${fault}`)]);
});

test("a late import counts, and a type", () => {
  const text = 'const { a } = await import("../routes/a.ts");\nimport type { B } from "../console/b.ts";\n';
  expect(findFaults("grants/codes.ts", text)).toHaveLength(2);
});

test("a file in no room fails", () => {
  expect(findFaults("helpers/text.ts", "")).toEqual([expect.stringMatching(/^src\/helpers\/text\.ts is in no room/)]);
  expect(findFaults("clock.ts", "")).toEqual([expect.stringMatching(/^src\/clock\.ts is in no room/)]);
});
