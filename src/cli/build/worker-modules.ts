/**
 * The Worker as wrangler serves and sends it: its entry with all that each request may need, and the modules that
 * `import()` loads (the console, the refresh), which share what both need with it.
 *
 * wrangler would make one file. There each module that something loaded later shares is wrapped in a function, which nearly
 * all are: that doubled the processor time of a start. So wrangler.toml names this build (build.ts), and no bundling.
 */
import { readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { parse } from "smol-toml";
import { ROOT } from "../configuration.ts";
import { buildFolder, type Contents } from "./folder.ts";

/** `main` of wrangler.toml is in it. */
const WORKER_MODULES = join(ROOT, "dist/worker");
/** wrangler.toml names them so, in `[[rules]]`. */
const SHARED_MODULES = "modules/[name]-[hash]";
/** Sources that only pick from large tables: their exports are data, and stand in the Worker without the tables. */
const COMPUTED = [
  "src/eidas/verdict-codes.ts",
  "src/psp-check/whose-reason.ts",
  "src/http/errors/what-is-answered.ts",
  "src/console/remedies.ts",
].map((path) => join(ROOT, path));

interface Bundled {
  /** index.js and its modules, minified, with source maps; by their path. */
  readonly contents: Contents;
  /** What each was made of. */
  readonly metafile: Metafile;
}

let bundled: Promise<Bundled> | null = null;
/** Of the service, once for a process: the site takes from it whose licences it names. */
export const bundleWorker = (): Promise<Bundled> => {
  bundled ??= bundle(WORKER_MODULES, join(ROOT, "src/index.ts"));
  return bundled;
};

/** What wrangler serves and sends, unless it was made from the same inputs. */
export const buildWorker = (): Promise<void> =>
  buildFolder(WORKER_MODULES, async () => (await bundleWorker()).contents);

/** Writes another build, or of another entry, into a folder of its own. Returns what each module was made of. `aliases`: files by what is imported. */
export async function buildWorkerModules(
  folder: string,
  entry = join(ROOT, "src/index.ts"),
  aliases: Readonly<Record<string, string>> = {},
): Promise<Metafile> {
  const { contents, metafile } = await bundle(folder, entry, aliases);
  await rm(folder, { recursive: true, force: true });
  for (const [path, content] of contents) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return metafile;
}

async function bundle(folder: string, entry: string, aliases: Readonly<Record<string, string>> = {}): Promise<Bundled> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { index: entry },
    outdir: folder,
    chunkNames: SHARED_MODULES,
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    // else where a linked node_modules lies would be in them, too
    preserveSymlinks: true,
    minify: true,
    sourcemap: true,
    metafile: true,
    logLevel: "warning",
    // as wrangler builds a Worker
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    define: { "process.env.NODE_ENV": '"production"', "navigator.userAgent": '"Cloudflare-Workers"' },
    external: ["cloudflare:*", "node:*"],
    plugins: [replaceAliases(aliases), computeData(), joinStart(entry)],
  });
  return {
    contents: new Map(outputFiles.map(({ path, contents }) => [relative(folder, path), contents])),
    metafile,
  };
}

/** The aliases of wrangler.toml and `more`, as wrangler applies them: esbuild's own may not begin with a dot. */
function replaceAliases(more: Readonly<Record<string, string>>): Plugin {
  const { alias } = parse(readFileSync(join(ROOT, "wrangler.toml"), "utf8")) as { alias: Record<string, string> };
  const files = new Map(Object.entries({ ...alias, ...more }).map(([name, path]) => [name, resolve(ROOT, path)]));
  return {
    name: "aliases",
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path: imported }) => {
        const path = files.get(imported);
        return path === undefined ? null : { path };
      });
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

/**
 * Has what is loaded later import the entry, which has run by then. So all that a start evaluates is shared by the same
 * modules, and esbuild makes one of it; else it makes one for each set of modules that share it, sixty with their imports.
 */
function joinStart(entry: string): Plugin {
  const later = new Set<string>();
  return {
    name: "one module for a start",
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === "asked") return null;
        const found = await resolve(path, { kind, resolveDir, importer, pluginData: "asked" });
        later.add(found.path);
        return found;
      });
      onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        if (!later.has(path)) return null;
        const text = await readFile(path, "utf8");
        // a path from the root would be in the source maps, and so in every module's name
        const name = `./${relative(dirname(path), entry)}`;
        return { contents: `${text}\nimport ${JSON.stringify(name)};`, loader: path.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}
