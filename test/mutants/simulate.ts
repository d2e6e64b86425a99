/**
 * `npm run mutants -- --simulate HISTORIES FILE...`: tries each mutant of these files against so many histories of the simulation,
 * and prints those that none of them finds: a change of order that no promise notices, or one that the unit tests have to.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import type { Plugin } from "esbuild";
import { prepare, runHistory } from "../sim/history.ts";
import { bundle, compileWorker } from "../sim/worker-function.ts";
import { describe, isEquivalent } from "./description.ts";

const silent = { isDebugEnabled: () => false, debug: () => {}, info: () => {}, warn: () => {} };

/** As the code of all mutants asks for the one that is active. */
const active: { activeMutant?: string | undefined } = {};
Object.assign(globalThis, { __stryker__: active });

export async function simulate(histories: number, names: readonly string[]): Promise<void> {
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
  const run = compileWorker(await bundle("src/index.ts", [instrumented]));
  const setup = { ...(await prepare()), run };
  const find = async (id: string | undefined): Promise<string | null> => {
    active.activeMutant = id;
    for (let seed = 0; seed < histories; seed++) {
      const [first] = (await runHistory(setup, String(seed))).broken;
      if (first) return `history ${seed + 1}: "${first.promise}"`;
    }
    return null;
  };
  const healthy = await find(undefined);
  if (healthy !== null) throw new Error(`a promise breaks without a mutant: ${healthy}`);
  let found = 0;
  // a mutant may leave a promise behind that nobody awaits: what comes of it is seen by the promises
  process.on("unhandledRejection", () => {});
  const tried = mutants
    .filter(({ status }) => status !== "Ignored")
    .map(({ location: { start, end }, ...mutant }) => {
      // here lines and columns begin at 0, in Stryker's results at 1
      const [from, to] = [start, end].map(({ line, column }) => ({ line: line + 1, column: column + 1 }));
      return { id: mutant.id, ...describe({ ...mutant, location: { start: from ?? start, end: to ?? end } }) };
    })
    .filter((mutant) => !isEquivalent(mutant));
  for (const { id, place, mutator, change } of tried) {
    const said = await find(id).catch((error: unknown) => `it fails: ${String(error).split("\n")[0]}`);
    if (said === null) console.log(`not found: ${place} ${mutator} ${change}`);
    else found++;
  }
  console.log(`${found} of ${tried.length} mutants found in at most ${histories} histories each`);
}
