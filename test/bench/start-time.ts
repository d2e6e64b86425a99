/** What the start of a Worker costs: by `wrangler check startup`, and in processor time without its profiler. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { unstable_readConfig } from "wrangler";
import type { Built } from "./bundle.ts";
import { findDescendant, processorNanoseconds } from "./process-usage.ts";
import { convertV4MiniflareOptions, listModules, Miniflare } from "./runtime.ts";

const WRANGLER = join(import.meta.dirname, "../../node_modules/.bin/wrangler");
const run = (args: readonly string[]) =>
  promisify(execFile)(WRANGLER, args, { env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" } });

/** As `wrangler deploy` would send it: what `wrangler check startup` takes. */
export async function packWorker({ config, script }: Built, file: string): Promise<string> {
  await run(["deploy", script, "--no-bundle", "--dry-run", "--config", config, "--env", "", "--outfile", file]);
  return file;
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

/** Milliseconds that `wrangler check startup` calls active: all samples of its profile but the idle ones. */
export async function checkStartup(packed: string, folder: string): Promise<number> {
  const file = join(folder, "start.cpuprofile");
  await run(["check", "startup", "--worker", packed, "--outfile", file]);
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(file, "utf8")) as Profile;
  const idle = nodes.find(({ callFrame }) => callFrame.functionName === "(idle)")?.id;
  return timeDeltas.reduce((sum, delta, i) => (samples[i] === idle ? sum : sum + delta), 0) / 1000;
}

/** Loads the Worker with its first request that is not for `/before`, as `wrangler check startup` does. */
const LOADER = `export default {
  async fetch(request) {
    if (!request.url.endsWith("/before")) await import("./worker.js");
    return new Response(null, { status: 204 });
  },
};`;

/** Milliseconds of processor time, all threads of workerd. */
export async function measureStart({ config, script }: Built): Promise<number> {
  const { compatibility_date } = unstable_readConfig({ config });
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      name: "start",
      compatibilityDate: compatibility_date,
      modules: [{ type: "ESModule", path: `${randomUUID()}.js`, contents: LOADER }, ...listModules(script)],
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    }),
  );
  try {
    const { origin } = await runtime.unsafeGetDirectURL("start");
    await fetch(`${origin}/before`);
    const pid = await findDescendant("workerd");
    const began = await processorNanoseconds(pid);
    const { status } = await fetch(`${origin}/start`);
    if (status !== 204) throw new Error(`${script}: the Worker does not start (${status})`);
    return ((await processorNanoseconds(pid)) - began) / 1e6;
  } finally {
    await runtime.dispose();
  }
}
