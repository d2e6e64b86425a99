/** `npm ci --omit=dev` has what `npm start`, `npm run admin` and `npm run deploy` load, and the Worker that they build. */
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const ENTRIES = [
  "cli/compile-cache.ts",
  "cli/start.ts",
  "cli/main.ts",
  "cli/deploy.ts",
  "reference/pages.ts",
  "index.ts",
];
/** `@scope/name/file` and `name/file`: the package. */
const packageOf = (path: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
/** Not by an import: what `require` loads, and what is run or copied from node_modules. */
const BY_NAME = /\brequire\("([^".:]+)"\)|node_modules\/(?:\.bin\/)?((?:@[\w-]+\/)?\w[\w-]*)/g;

test("each package that npm start, npm run admin or npm run deploy needs is in dependencies", async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES.map((file) => join("src", file)),
    ...{ bundle: true, write: false, metafile: true, outdir: "dist", format: "esm", platform: "node" },
    packages: "external",
    loader: { ".sql": "text" },
    logLevel: "silent",
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ external, path }) => external && !path.startsWith("cloudflare:")).map(({ path }) => path),
  );
  const texts = await Promise.all(Object.keys(metafile.inputs).map((file) => readFile(join(ROOT, file), "utf8")));
  const named = texts.flatMap((text) =>
    [...text.matchAll(BY_NAME)].map(([, required, file]) => required ?? file ?? ""),
  );
  // the scripts begin with `node`, and any Node from 20 on starts them
  const needed = new Set(["node", ...[...imported, ...named].filter((path) => !isBuiltin(path))].map(packageOf));
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect([...needed].filter((name) => !(name in dependencies))).toEqual([]);
  // the walk has found what is loaded in each of the ways
  expect([...needed]).toEqual(expect.arrayContaining(["commander", "zod", "esbuild", "wrangler", "yaml", "marked"]));
  expect(Object.keys(dependencies).filter((name) => !needed.has(name))).toEqual([]);
});
