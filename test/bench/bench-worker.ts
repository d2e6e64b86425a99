/** Starts a Worker with `wrangler dev` on state that was laid out before, and ends it for certain. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { findFreePort } from "../free-port.ts";

const WRANGLER = join(import.meta.dirname, "../../node_modules/.bin/wrangler");
const START_TIMEOUT_MILLISECONDS = 60_000;
const STOP_TIMEOUT_MILLISECONDS = 5_000;

export interface BenchWorker {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** `config`: a wrangler.toml; `state`: where D1, KV and Durable Objects rest; `path`: answers 200 once the Worker serves. */
export async function startBenchWorker(config: string, state: string, path: string): Promise<BenchWorker> {
  const port = await findFreePort();
  const place = ["--config", config, "--persist-to", state, "--ip", "127.0.0.1", "--port", String(port)];
  const child = spawn(WRANGLER, ["dev", ...place, "--inspector-port", "0", "--log-level", "error"], {
    // the Worker's log lines go nowhere: what they cost on a terminal is the terminal's
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" },
    // a process group of its own: wrangler has children, and all are ended together
    detached: true,
  });
  const kill = () => signal(child, "SIGKILL");
  process.once("exit", kill);
  const stop = async () => {
    await end(child);
    process.off("exit", kill);
  };
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = performance.now() + START_TIMEOUT_MILLISECONDS; performance.now() < deadline; ) {
    if (child.exitCode !== null) break;
    const answered = await fetch(`${url}${path}`).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return { url, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`${config}: the Worker does not serve`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  const late = setTimeout(() => signal(child, "SIGKILL"), STOP_TIMEOUT_MILLISECONDS);
  signal(child, "SIGTERM");
  await ended;
  clearTimeout(late);
}

/** To the whole process group; one that is gone already needs none. */
function signal({ pid }: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {}
}
