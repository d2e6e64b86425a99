/** What `npm ci --omit=dev` installs is enough for `npm start`, `admin`, `demo` and `deploy`, and for the Worker that they build. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const ENTRIES = [
  ...[
    "src/cli/start/start.ts",
    "src/cli/main.ts",
    "src/cli/deployment/deploy.ts",
    "src/cli/demo/main.ts",
    "src/index.ts",
  ],
  // npm ci itself runs it
  "src/client/package/generate.ts",
];

/** The packages that the entries import, by whatever path. */
async function findImported(): Promise<Set<string>> {
  const imported = new Set<string>();
  await build({
    absWorkingDir: ROOT,
    ...{ entryPoints: ENTRIES, bundle: true, write: false, outdir: "none", format: "esm", platform: "node" },
    plugins: [
      {
        name: "packages",
        setup({ onResolve }) {
          onResolve({ filter: /^[^.]/ }, ({ path, kind }) => {
            if (kind === "entry-point") return null;
            // hono/jsx is of hono, @peculiar/x509 has two names
            if (!/^(node|cloudflare):/.test(path)) imported.add(/^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
            return { path, external: true };
          });
        },
      },
    ],
  });
  return imported;
}

test("npm ci makes the client's types, without which `npx tsc` does not pass in a fresh clone", async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(scripts.prepare).toBe("node src/client/package/generate.ts");
  expect(scripts["client:types"]).toBe(scripts.prepare);
});

test("every package that a command or the Worker imports is one of `dependencies`, and each of those is used", async () => {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const imported = await findImported();
  expect([...imported].filter((name) => !(name in dependencies))).toEqual([]);
  // wrangler is required, not imported
  expect(Object.keys(dependencies).filter((name) => !imported.has(name) && name !== "wrangler")).toEqual([]);
});
