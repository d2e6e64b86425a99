/** Runs the wrangler of this repo. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "./stores.ts";

const BINARY = join(ROOT, "node_modules/.bin/wrangler");
const ENVIRONMENT = { ...process.env, WRANGLER_SEND_METRICS: "false" };

/** To the end, with its output collected. */
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
  return { code: code ?? 1, output };
}

/** In the foreground, on this terminal, until it is told to stop. Answers its exit code, 0 when it was stopped. */
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
    // Ctrl-C reaches wrangler by itself, a signal to this process alone does not
    setTimeout(() => child.kill("SIGTERM"), STOP_GRACE_MILLISECONDS).unref();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const [code] = (await once(child, "close")) as [number | null];
  return stopped ? 0 : (code ?? 1);
}

/** wrangler's own line per request has the path, and so a token; the service's has the route (middleware/request-log.ts). */
const REQUEST_LINE = /^\[wrangler:info\] [A-Z]+ \//;
const STOP_GRACE_MILLISECONDS = 300;
