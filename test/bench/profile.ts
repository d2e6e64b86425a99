/** Where the processor time of a route goes: a profile by V8's sampler, through workerd's inspector. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LoadGenerator } from "./generator-process.ts";
import { debuggerOf, Inspector } from "./inspector.ts";
import { makeTurns } from "./measure.ts";
import type { Group } from "./routes.ts";
import type { Built } from "./runtime.ts";

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

/** Microseconds of each request by module and function, most first; what V8 does for itself under its own names. */
function listCosts({ nodes, samples, timeDeltas }: CpuProfile, moduleAt: readonly string[], requests: number) {
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
function readModules(text: string): string[] {
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
  const run = makeTurns(group, load);
  for (const route of group.steps.flat()) await run(route);
  for (const route of group.steps.flat()) {
    if (route.url !== url) {
      await run(route);
      continue;
    }
    const inspector = await Inspector.connect(debuggerOf(port, "service"));
    await inspector.ask("Profiler.enable");
    await inspector.ask("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
    await inspector.ask("Profiler.start");
    const { requests } = await run(route);
    const { profile } = await inspector.ask<{ profile: CpuProfile }>("Profiler.stop");
    await showProfile(route.name, profile, built, requests, folder);
    inspector.close();
  }
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
