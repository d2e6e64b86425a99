/** Where the processor time of a route goes: a profile by V8's sampler, through workerd's inspector. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Built } from "./bundle.ts";
import type { Group } from "./group.ts";
import type { LoadGenerator } from "./load.ts";
import { runOnce } from "./measure.ts";

/** As the DevTools protocol has it. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

const SAMPLE_MICROSECONDS = 200;
/** A sample that took longer waited for the machine, which is not the route's. */
const MAX_SAMPLE_MICROSECONDS = 2 * SAMPLE_MICROSECONDS;
const SHOWN = 28;
/** esbuild's comment before each module of a bundle that is not minified. */
const MODULE_COMMENT = /^\s*\/\/ (\S+\.[cm]?[jt]sx?)$/;
/** The Worker's script, as runtime.ts names it. */
const WORKER = "worker.js";
const NOT_WORK = new Set(["(idle)", "(root)"]);

class Profiler {
  readonly #socket: WebSocket;
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** `port`: of the inspector; `worker`: its name in workerd. */
  static async connect(port: number, worker: string): Promise<Profiler> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/core:user:${worker}`);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error(`the inspector does not answer at port ${port}`)));
    });
    const profiler = new Profiler(socket);
    await profiler.#ask("Profiler.enable");
    await profiler.#ask("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
    return profiler;
  }

  start(): Promise<unknown> {
    return this.#ask("Profiler.start");
  }

  async stop(): Promise<CpuProfile> {
    return ((await this.#ask("Profiler.stop")) as { profile: CpuProfile }).profile;
  }

  close(): void {
    this.#socket.close();
  }

  #ask(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#calls;
    return new Promise((resolve) => {
      const hear = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: unknown };
        if (answer.id !== id) return;
        this.#socket.removeEventListener("message", hear);
        resolve(answer.result);
      };
      this.#socket.addEventListener("message", hear);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

/** Microseconds of each request by module and function, most first; what V8 does for itself under its own names. */
export function listCosts({ nodes, samples, timeDeltas }: CpuProfile, moduleAt: readonly string[], requests: number) {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, lineNumber, url } }) => {
      // the runtime's own modules have other addresses
      const place = url === "" ? "" : `${(url.endsWith(WORKER) && moduleAt[lineNumber]) || url} `;
      return [id, `${place}${functionName || "(anonymous)"}`];
    }),
  );
  const costs = new Map<string, number>();
  for (const [i, sample] of samples.entries()) {
    const name = names.get(sample) ?? "";
    if (NOT_WORK.has(name)) continue;
    costs.set(name, (costs.get(name) ?? 0) + Math.min(timeDeltas[i] ?? 0, MAX_SAMPLE_MICROSECONDS) / requests);
  }
  return [...costs]
    .map(([name, microseconds]) => ({ name, microseconds }))
    .sort((a, b) => b.microseconds - a.microseconds);
}

/** The module of each line of a bundle. */
export function readModules(text: string): string[] {
  let module = "";
  return text.split("\n").map((line) => {
    module = MODULE_COMMENT.exec(line)?.[1] ?? module;
    return module;
  });
}

/** One turn of each of the service's routes under the profiler. */
export async function profileGroup(
  group: Group,
  load: LoadGenerator,
  { port, built, url }: { readonly port: number; readonly built: Built; readonly url: string },
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await runOnce(group, load, (_route, run) => run());
  await runOnce(group, load, async (route, run) => {
    if (route.url !== url) return run();
    const profiler = await Profiler.connect(port, "service");
    await profiler.start();
    const result = await run();
    await showProfile(route.name, await profiler.stop(), built, result.requests, folder);
    profiler.close();
    return result;
  });
}

/** Prints the costs, and writes the profile for DevTools. */
async function showProfile(name: string, profile: CpuProfile, built: Built, requests: number, folder: string) {
  const file = join(folder, `${name.replaceAll(/\W+/g, "-")}.cpuprofile`);
  await writeFile(file, JSON.stringify(profile));
  const costs = listCosts(profile, readModules(await readFile(built.script, "utf8")), requests);
  const total = costs.reduce((sum, { microseconds }) => sum + microseconds, 0);
  console.log(`\n${name}: ${total.toFixed(0)} µs of each of ${requests} requests; ${file}`);
  console.table(
    costs
      .slice(0, SHOWN)
      .map(({ name: place, microseconds }) => ({ µs: microseconds.toFixed(1), place: place.slice(-90) })),
  );
}
