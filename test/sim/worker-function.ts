/** The Worker as a function: each call is an isolate, with module state, clock and randomness of its own. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { parse } from "smol-toml";

const ROOT = join(import.meta.dirname, "../..");

/** What the Worker may not take from the process. */
const GLOBALS = [
  "module",
  "exports",
  "require",
  "Date",
  "Math",
  "performance",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "scheduler",
  "AbortSignal",
  "crypto",
  "fetch",
  "Request",
  "Response",
  "Headers",
  "caches",
  "console",
  "navigator",
  "process",
  "Blob",
  "CompressionStream",
  "DecompressionStream",
] as const;

export type Globals = Readonly<Record<(typeof GLOBALS)[number], unknown>>;

/** A change of the bundle's text: `from` stands in it exactly once. */
export interface Patch {
  readonly from: string;
  readonly to: string;
}

export type WorkerFunction = (globals: Globals) => void;

/** The aliases of wrangler.toml, as src/cli/build/worker-modules.ts applies them. */
const aliases: Plugin = {
  name: "aliases",
  setup({ onResolve }) {
    const { alias } = parse(readFileSync(join(ROOT, "wrangler.toml"), "utf8")) as { alias: Record<string, string> };
    onResolve({ filter: /./ }, ({ path }) => {
      const file = alias[path];
      return file === undefined ? null : { path: resolve(ROOT, file) };
    });
  },
};

const bundled = new Map<string, Promise<string>>();

/** The text of the Worker, whose modules are loaded by `require`: `import()` of Node would escape the simulation. */
export const bundleText = (entry = "src/index.ts"): Promise<string> => {
  const known = bundled.get(entry) ?? bundle(entry);
  bundled.set(entry, known);
  return known;
};

/** `others`: what takes the place of source files. */
export const bundle = (entry: string, others: readonly Plugin[] = []): Promise<string> =>
  build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "cjs",
    supported: { "dynamic-import": false },
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    define: { "process.env.NODE_ENV": '"production"', "navigator.userAgent": '"Cloudflare-Workers"' },
    external: ["cloudflare:*", "node:*"],
    plugins: [...others, aliases],
    logLevel: "warning",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");

function applyPatch(text: string, { from, to }: Patch): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`stands ${parts.length - 1} times in the Worker, not once: ${from}`);
  return parts.join(to);
}

export function compileWorker(text: string, patches: readonly Patch[] = []): WorkerFunction {
  const compiled = new Function(...GLOBALS, patches.reduce(applyPatch, text));
  return (globals) => compiled(...GLOBALS.map((name) => globals[name]));
}
