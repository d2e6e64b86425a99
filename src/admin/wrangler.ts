/** Runs the wrangler that is installed in this repository. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { COMPILED } from "./compile-cache.ts";
import { ROOT } from "./configuration.ts";
import { EXIT, fail } from "./fail.ts";

const BINARY = join(ROOT, "node_modules/.bin/wrangler");
/** Without wrangler's local traces: they keep the URL of every request on disk, with its token or account. */
const ENVIRONMENT = {
  // else it compiles its ten megabytes each time
  NODE_COMPILE_CACHE: COMPILED,
  ...process.env,
  WRANGLER_SEND_METRICS: "false",
  X_LOCAL_OBSERVABILITY: "false",
};

/** Runs wrangler to its end and collects its output. */
export async function wrangler(
  args: readonly string[],
  options: { input?: string } = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(BINARY, args, { cwd: ROOT, env: ENVIRONMENT });
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
export async function serveWithWrangler(args: readonly string[]): Promise<number> {
  const color = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(BINARY, args, {
    cwd: ROOT,
    env: { ...ENVIRONMENT, ...color },
    stdio: ["inherit", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!REQUEST_LINE.test(stripVTControlCharacters(line))) console.log(line);
  });
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

/**
 * wrangler's own line per request. Hidden, because it contains the path and so possibly a token; the service logs the
 * route instead (middleware/request-log.ts).
 */
const REQUEST_LINE = /^\[wrangler:info\] [A-Z]+ \//;
const STOP_GRACE_MILLISECONDS = 300;
