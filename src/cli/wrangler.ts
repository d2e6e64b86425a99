/** Runs the wrangler that is installed in this repository. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { COMPILED } from "./compile-cache.ts";
import { ROOT } from "./configuration.ts";
import { EXIT, fail } from "./fail.ts";
import { makeLineFilter } from "./wrangler-output.ts";

const BINARY = join(ROOT, "node_modules/.bin/wrangler");
/** Without wrangler's local traces: they keep the URL of every request on disk, with its token or account. */
const ENVIRONMENT = {
  // else it compiles its ten megabytes each time
  NODE_COMPILE_CACHE: COMPILED,
  ...process.env,
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

/** Runs wrangler in the foreground until a signal arrives. Returns its exit code, 0 if it was stopped by a signal. */
export async function serveWithWrangler(args: readonly string[], onReady: () => void): Promise<number> {
  const color = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd: ROOT,
    // for build.ts
    env: { ...ENVIRONMENT, ...color, SANDBOX_SITE: "on" },
    stdio: ["inherit", "pipe", "pipe"],
  });
  for (const stream of ["stdout", "stderr"] as const) {
    const isShown = makeLineFilter();
    createInterface({ input: child[stream] }).on("line", (line) => {
      if (isShown(line)) process[stream].write(`${line}\n`);
      if (READY.test(stripVTControlCharacters(line))) onReady();
    });
  }
  let stopped = false;
  const stop = () => {
    stopped = true;
    // Ctrl-C reaches wrangler too; a signal to this process alone does not
    setTimeout(() => child.kill("SIGTERM"), STOP_GRACE_MILLISECONDS).unref();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const [code] = (await once(child, "close")) as [number | null];
  return stopped ? 0 : (code ?? 1);
}

const READY = /^\[wrangler:info\] Ready on /;
const STOP_GRACE_MILLISECONDS = 300;
