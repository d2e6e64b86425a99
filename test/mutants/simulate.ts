/**
 * `npm run mutants -- --simulate HISTORIES [--theme NAME] FILE...`: tries each mutant of these files against so many histories of the
 * simulation, and prints those that none of them finds: a change of order that no promise notices, or one that the unit tests have to.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import type { Plugin } from "esbuild";
import { prepare, runHistory } from "../sim/history.ts";
import { readTheme, type ThemeName } from "../sim/themes.ts";
import { bundle, compileWorker } from "../sim/worker-function.ts";
import { describe, isEquivalent } from "./description.ts";

interface Work {
  readonly histories: number;
  readonly theme: ThemeName | null;
  readonly names: readonly string[];
  /** The first mutant to try. */
  readonly from: number;
}

interface Tried {
  /** Of how many. */
  readonly at: number;
  readonly of: number;
  readonly mutant: string;
  /** What found it; null: nothing. Undefined: it is tried now. */
  readonly said?: string | null;
}

const silent = { isDebugEnabled: () => false, debug: () => {}, info: () => {}, warn: () => {} };

/** As the code of all mutants asks for the one that is active. */
const active: { activeMutant?: string | undefined } = {};

async function instrument(names: readonly string[]) {
  Object.assign(globalThis, { __stryker__: active });
  const sources = names.map((name) => ({ name: resolve(name), content: readFileSync(name, "utf8"), mutate: true }));
  const options = { ignorers: [], plugins: null, excludedMutations: ["StringLiteral"] };
  const { files, mutants } = await new Instrumenter(silent as never).instrument(sources, options);
  const contents = new Map(files.map(({ name, content }) => [name, content]));
  const instrumented: Plugin = {
    name: "instrumented",
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const text = contents.get(path);
        return text === undefined ? null : { contents: text, loader: "ts" };
      }),
  };
  const tried = mutants
    .filter(({ status }) => status !== "Ignored")
    .map(({ location: { start, end }, ...mutant }) => {
      // here lines and columns begin at 0, in Stryker's results at 1
      const [from, to] = [start, end].map(({ line, column }) => ({ line: line + 1, column: column + 1 }));
      return { id: mutant.id, ...describe({ ...mutant, location: { start: from ?? start, end: to ?? end } }) };
    })
    .filter((mutant) => !isEquivalent(mutant));
  return { run: compileWorker(await bundle("src/index.ts", [instrumented])), tried };
}

async function tryMutants({ histories, theme, names, from }: Work, tell: (tried: Tried) => void): Promise<void> {
  const { run, tried } = await instrument(names);
  const setup = { ...(await prepare()), run };
  const find = async (id: string | undefined): Promise<string | null> => {
    active.activeMutant = id;
    for (let seed = 0; seed < histories; seed++) {
      const [first] = (await runHistory(setup, String(seed), { theme })).broken;
      if (first) return `history ${seed + 1}: "${first.promise}"`;
    }
    return null;
  };
  const healthy = await find(undefined);
  if (healthy !== null) throw new Error(`a promise breaks without a mutant: ${healthy}`);
  // a mutant may leave a promise behind that nobody awaits: what comes of it is seen by the promises
  process.on("unhandledRejection", () => {});
  for (const [i, { id, place, mutator, change }] of tried.slice(from).entries()) {
    const one = { at: from + i, of: tried.length, mutant: `${place} ${mutator} ${change}` };
    tell(one);
    const said = await find(id).catch((error: unknown) => `it fails: ${String(error).split("\n")[0]}`);
    tell({ ...one, said });
  }
}

/** An endless loop is ended by ending its thread. */
const PATIENCE_MS = 90_000;

/** Where it goes on; null: all were tried. */
function runThread(work: Work, ended: (tried: Tried) => void): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(import.meta.filename, { workerData: work });
    let watch: NodeJS.Timeout | undefined;
    thread.on("message", (tried: Tried) => {
      clearTimeout(watch);
      if (tried.said !== undefined) return ended(tried);
      watch = setTimeout(() => {
        ended({ ...tried, said: "it does not end" });
        resolve(tried.at + 1);
        void thread.terminate();
      }, PATIENCE_MS);
    });
    thread.once("error", reject).once("exit", () => resolve(null));
  });
}

async function main(): Promise<void> {
  const { values, positionals: names } = parseArgs({
    options: { simulate: { type: "string", default: "12" }, theme: { type: "string" } },
    allowPositionals: true,
  });
  const histories = Number(values.simulate);
  let [found, all] = [0, 0];
  const ended = ({ of, mutant, said }: Tried) => {
    all = of;
    if (said === null) console.log(`not found: ${mutant}`);
    else found++;
  };
  for (let from: number | null = 0; from !== null; )
    from = await runThread({ histories, theme: readTheme(values.theme), names, from }, ended);
  console.log(`${found} of ${all} mutants found in at most ${histories} histories each`);
}

if (isMainThread) await main();
else await tryMutants(workerData as Work, (tried) => parentPort?.postMessage(tried));
