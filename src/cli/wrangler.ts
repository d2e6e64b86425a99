/** Runs the wrangler that is installed in this repository. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "./configuration.ts";
import { EXIT, fail } from "./fail.ts";

export const BINARY = join(ROOT, "node_modules/.bin/wrangler");
/**
 * Compiled modules, and those without their types. The scripts of package.json name it, too: a preload would load the compiler
 * of types for itself, and does not reach threads.
 */
const COMPILED = join(ROOT, "node_modules/.cache/compiled");
/** Without wrangler's local traces: they keep the URL of every request on disk, with its token or account. */
export const ENVIRONMENT = {
  ...process.env,
  // else it compiles its ten megabytes each time; whole, as it runs the command of [build] in another folder
  NODE_COMPILE_CACHE: COMPILED,
  // for the command of [build]: this Node, because the system's may be too old
  PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
  WRANGLER_SEND_METRICS: "false",
  X_LOCAL_OBSERVABILITY: "false",
  // else it asks Cloudflare where this machine is, and complains where there is no network
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/** Runs wrangler to its end and collects its output. */
export async function wrangler(
  args: readonly string[],
  options: { input?: string } = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [BINARY, ...args], { cwd: ROOT, env: ENVIRONMENT });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  child.stdin.end(options.input);
  const [code] = (await once(child, "close")) as [number | null];
  // wrangler itself advises --temporary here: another account's stores, and no option of ours
  if (code !== 0 && NOT_SIGNED_IN.test(output))
    fail("not signed in to Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN", EXIT.unknown);
  return { code: code ?? 1, output: stripVTControlCharacters(output) };
}

const NOT_SIGNED_IN = /necessary to set a CLOUDFLARE_API_TOKEN|rerun this command with `--temporary`/;

/** Of wrangler's output: the error with its indented lines, without the frame; the whole without one. */
export function readComplaint(output: string): string {
  const [, complaint] = /\[ERROR\] (.*(?:\n(?!\s*(?:🪵|If you think this is a bug))(?:[ \t].*)?)*)/u.exec(output) ?? [];
  return (complaint ?? output).replaceAll(/\s*\n\s*/g, "\n").trim();
}

const require = createRequire(import.meta.url);

/** Half a second and more: only commands that need it call this. */
export const loadWrangler = (): typeof import("wrangler") => require("wrangler");

/** As far as it is used. */
interface MiniflarePackage {
  readonly Miniflare: new (
    options: object,
  ) => {
    readonly getBindings: () => Promise<Record<string, unknown>>;
    readonly dispose: () => Promise<void>;
  };
  readonly convertV4MiniflareOptions: (options: object) => object;
}

/** wrangler's own copy: what `npm start` writes, the commands have to read. */
export const loadMiniflare = (): MiniflarePackage => createRequire(require.resolve("wrangler"))("miniflare");
