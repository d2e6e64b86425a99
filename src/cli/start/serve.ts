/** The `wrangler dev` of `npm start`: its port, what a user sees of its output, and changes of the local secrets. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { utimes } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { clock } from "../../platform/clock.ts";
import { ROOT } from "../configuration.ts";
import { EXIT, fail } from "../fail.ts";
import { BINARY, ENVIRONMENT } from "../wrangler.ts";

/**
 * Runs wrangler in the foreground until a signal arrives. Returns its exit code, 0 if it was stopped by a signal. `onReady`: with
 * the address that it serves, each time that it has loaded the Worker.
 */
export async function serveWithWrangler(args: readonly string[], onReady: (address: string) => void): Promise<number> {
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
      const address = READY.exec(stripVTControlCharacters(line))?.[1];
      if (address !== undefined) onReady(address);
    });
  }
  let stopped = false;
  const stop = () => {
    stopped = true;
    // one to the whole group (process-group.ts) reaches wrangler too; one to this process alone does not
    setTimeout(() => child.kill("SIGTERM"), STOP_GRACE_MILLISECONDS).unref();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const closed = once(child, "close");
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  // what it has started holds its outputs open, if it was killed and could not end them
  if (signal === null) await closed;
  return stopped ? 0 : (code ?? 1);
}

const READY = /^\[wrangler:info\] Ready on (\S+)/;
const STOP_GRACE_MILLISECONDS = 300;

/** Each line of them, and the empty lines that follow. */
const HIDDEN = [
  // its own line for each request: it has the path, and so possibly a token; the service logs the route (http/middleware/request-log.ts)
  /^\[wrangler:info\] [A-Z]+ \//,
  /^ ?⛅️ wrangler /u,
  /^─+$/,
  /^⎔ /,
  /^Using secrets defined in /,
  // what [build] made (build.ts), as a table
  /^\[custom build\] Running: /,
  /^Attaching additional modules:$/,
  /^[┌├│└]/,
  // a table of the bindings and settings: they are those of wrangler.toml
  /^Your Worker has access to the following bindings:/,
  /^Binding +Resource /,
  /^env\.\w+.* (local|remote|not supported)\s*$/,
  // what is due is refreshed by a command: npm run admin -- refresh
  /^▲ \[WARNING\] Scheduled Workers are not automatically triggered/,
  /^ {2}To manually trigger a scheduled event/,
  /^ {4}curl "http.*\/cdn-cgi\/local\/scheduled"/,
  /^ {2}For more details, see .*#test-cron-triggers-locally/,
];

/** For one stream: whether a line of it, with its colours, is shown. */
export function makeLineFilter(): (line: string) => boolean {
  let hidden = true;
  return (line) => {
    const text = stripVTControlCharacters(line);
    hidden = text.trim() === "" ? hidden : HIDDEN.some((pattern) => pattern.test(text));
    return !hidden;
  };
}

/** Editors write a file in several steps. */
const SETTLED_MS = 200;

/** `configuration`: the file that wrangler was started with. Close the watcher to end. */
export function watchDevVars(devVars: string, configuration: string): FSWatcher {
  let timer: NodeJS.Timeout | undefined;
  // the folder, because a file that is replaced is not the watched one any more
  return watch(dirname(devVars), { persistent: false }, (_, file) => {
    if (file !== basename(devVars)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const touched = clock.now() / 1000;
      utimes(configuration, touched, touched).catch(() => {});
    }, SETTLED_MS);
  });
}

/** `given`: true if the option has no value. 0: any that is free, which the machine chooses when it is opened. */
export function readPort(given: string | boolean): number {
  const port = typeof given === "string" && /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  return port < 65_536
    ? port
    : fail("--port: a number up to 65535 is needed, such as --port 9000, or 0 for any that is free", EXIT.usage);
}

/** Of --address-file. `given`: true if the option has no value. */
export const readPath = (given: string | boolean): string =>
  typeof given === "string" && /^[^-]/.test(given)
    ? given
    : fail("--address-file: a path is needed, such as --address-file gate.address", EXIT.usage);

export async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, "listening").catch(({ code, message }: NodeJS.ErrnoException) =>
    code === "EADDRINUSE"
      ? fail(
          `Address already in use (${host}:${port}): is npm start running in another terminal? For another port: npm start -- --port 9000`,
        )
      : fail(message),
  );
  await once(server.close(), "close");
}
