/**
 * The Worker as it is deployed: its entry with all that each request may need, and the modules that `import()` loads (the
 * console, the refresh), which share what both need with it.
 *
 * wrangler makes one file. There each module that something loaded later shares is wrapped in a function, which nearly
 * all are: that doubled the processor time of a start. So a deployment is built here and sent as it is; `npm start` and the
 * tests keep wrangler's file, which follows changes.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { ROOT } from "./configuration.ts";
import { loadWrangler } from "./wrangler.ts";

/** Where a deployment takes it from. */
export const WORKER_MODULES = join(ROOT, "dist/worker");
/** wrangler.toml names them so, in `[[rules]]`. */
const SHARED_MODULES = "modules/[name]-[hash]";
/** Sources that only pick from large tables: their exports are data, and stand in the Worker without the tables. */
const COMPUTED = ["src/http/errors/what-is-answered.ts", "src/console/remedies.ts"].map((path) => join(ROOT, path));

/** Writes index.js and its modules, minified, with source maps. Returns what each was made of. */
export async function buildWorkerModules(folder: string, entry = join(ROOT, "src/index.ts")): Promise<Metafile> {
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { index: entry },
    outdir: folder,
    chunkNames: SHARED_MODULES,
    bundle: true,
    splitting: true,
    format: "esm",
    minify: true,
    sourcemap: true,
    metafile: true,
    logLevel: "warning",
    // as wrangler builds a Worker
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    define: { "process.env.NODE_ENV": '"production"', "navigator.userAgent": '"Cloudflare-Workers"' },
    external: ["cloudflare:*", "node:*"],
    plugins: [replaceAliases(), computeData()],
  });
  return metafile;
}

/** The aliases of wrangler.toml, as wrangler applies them: esbuild's own may not begin with a dot. */
function replaceAliases(): Plugin {
  const { alias = {} } = loadWrangler().unstable_readConfig({ config: join(ROOT, "wrangler.toml") });
  return {
    name: "aliases",
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path }) => (alias[path] === undefined ? null : { path: join(ROOT, alias[path]) }));
    },
  };
}

/** Evaluates the sources of COMPUTED here, and puts what they export in their place. */
function computeData(): Plugin {
  return {
    name: "computed data",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!COMPUTED.includes(path)) return null;
        const members = Object.entries((await import(pathToFileURL(path).href)) as object);
        return {
          contents: members.map(([name, data]) => `export const ${name} = ${JSON.stringify(data)};`).join("\n"),
        };
      });
    },
  };
}
