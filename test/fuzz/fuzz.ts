/** The loop: changes inputs, keeps those that reach code which none reached before, and stops at a property that breaks. */
import { Random } from "../random.ts";
import { type Change, changeBytes, pick } from "./change-bytes.ts";
import { changeDer } from "./change-der.ts";
import { changeJson, changeText } from "./change-text.ts";
import type { Coverage, Taken } from "./coverage.ts";
import { readFindings } from "./findings.ts";
import { shrink } from "./shrink.ts";
import { Broken, MAX_BYTES, stepLimit, type Target } from "./target.ts";

const CHANGES: Readonly<Record<Target["form"], Change>> = {
  der: changeDer,
  json: changeJson,
  text: changeText,
  bytes: changeBytes,
};

/** Between two looks at the counters, which cost as much as some inputs. */
const BATCH = 64;

export interface Finding {
  readonly target: string;
  readonly seed: number;
  /** What is wrong, in one line. */
  readonly fault: string;
  /** Shrunk. */
  readonly input: Uint8Array;
}

/** Where one target stands. */
export interface Progress {
  readonly target: Target;
  readonly pool: Uint8Array[];
  readonly random: Random;
  inputs: number;
}

/** Each target draws for itself: alone it gets the inputs that it gets among others. */
export const begin = (target: Target, seed: number): Progress => ({
  target,
  pool: [...target.corpus, ...readFindings(target.name).map(({ input }) => input)],
  random: new Random(seedOf(seed, target.name)),
  inputs: 0,
});

const seedOf = (seed: number, name: string): number =>
  [...name].reduce(
    (mixed, character) => Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193),
    seed ^ 0x811c9dc5,
  );

/** Runs the corpus itself, what was found before alone: it must cost no more than it may. What it reaches is known then. */
export async function tryCorpus({ target, pool }: Progress, seed: number, coverage: Coverage): Promise<Finding | null> {
  const known = target.corpus.length;
  for (const [i, input] of pool.entries()) {
    const fault = await findFault(target, input);
    if (fault !== null) return report(target, seed, input, fault);
    if (i >= known && (await countSteps(target, input, coverage)) > stepLimit(target, input))
      return reportCost(target, seed, input, coverage);
  }
  coverage.take();
  return null;
}

/** One turn of a target: some batches. */
export async function takeTurn(progress: Progress, seed: number, coverage: Coverage): Promise<Finding | null> {
  for (let left = progress.target.share ?? 1; left > 0; left--) {
    const finding = await runBatch(progress, seed, coverage);
    if (finding) return finding;
  }
  return null;
}

async function runBatch(progress: Progress, seed: number, coverage: Coverage): Promise<Finding | null> {
  const { target } = progress;
  const batch = Array.from({ length: BATCH }, () => draw(progress));
  for (const input of batch) {
    const fault = await findFault(target, input);
    progress.inputs++;
    if (fault !== null) return report(target, seed, input, fault);
  }
  return locate(progress, batch, coverage.take(false), seed, coverage);
}

/** As many are kept together: a look at the counters costs more than to keep some that reach nothing new. */
const KEPT_TOGETHER = 4;

/** Which inputs of a batch reached what is new, or cost too much: by halves. `taken`: of all of them. */
async function locate(
  progress: Progress,
  inputs: readonly Uint8Array[],
  { fresh, steps }: Taken,
  seed: number,
  coverage: Coverage,
): Promise<Finding | null> {
  const { target, pool } = progress;
  const isCostly = steps > Math.min(...inputs.map((input) => stepLimit(target, input)));
  if (fresh === 0 && !isCostly) return null;
  const [first = new Uint8Array()] = inputs;
  if (inputs.length === 1 && isCostly) return reportCost(target, seed, first, coverage);
  if (inputs.length <= KEPT_TOGETHER && !isCostly) {
    for (const input of inputs) await findFault(target, input);
    coverage.take();
    pool.push(...inputs);
    return null;
  }
  const middle = inputs.length >> 1;
  for (const half of [inputs.slice(0, middle), inputs.slice(middle)]) {
    for (const input of half) await findFault(target, input);
    const finding = await locate(progress, half, coverage.take(false), seed, coverage);
    if (finding) return finding;
  }
  return null;
}

/** The newest are changed more often than others: they led somewhere. */
function draw({ target, pool, random }: Progress): Uint8Array {
  const maxBytes = target.maxBytes ?? MAX_BYTES;
  const recent = random.chance(0.3) ? pool.slice(-32) : pool;
  let input = pick(random, recent, new Uint8Array());
  const words = (target.words ?? []).map((word) => Buffer.from(word));
  for (let changes = 1 + random.below(3); changes > 0; changes--)
    input = CHANGES[target.form](input, random, { other: pick(random, pool, input), words, maxBytes });
  return new Uint8Array(input.subarray(0, maxBytes));
}

/** What is wrong with it, in one line that is the same for the same fault; null if nothing is. */
export async function findFault({ check }: Target, input: Uint8Array): Promise<string | null> {
  try {
    await check(input);
    return null;
  } catch (error) {
    if (error instanceof Broken) return error.message;
    const thrown = error instanceof Error ? error : new Error(String(error));
    const [place = ""] =
      /\((?:file:\/\/)?[^()]*\/((?:src|node_modules)\/[^():]+:\d+)/.exec(thrown.stack ?? "")?.slice(1) ?? [];
    return `${thrown.name} thrown${place && ` at ${place}`}: ${thrown.message.split("\n")[0]?.slice(0, 120)}`;
  }
}

/** Without what an input holds: a shrunk one has other words. */
const kindOf = (fault: string): string => fault.replace(/(thrown at [^ ]+):.*/, "$1");

async function countSteps(target: Target, input: Uint8Array, coverage: Coverage): Promise<number> {
  coverage.take();
  await findFault(target, input);
  return coverage.take().steps;
}

async function report(target: Target, seed: number, input: Uint8Array, fault: string): Promise<Finding> {
  const small = await shrink(
    input,
    async (smaller) => kindOf((await findFault(target, smaller)) ?? "") === kindOf(fault),
  );
  return { target: target.name, seed, fault: (await findFault(target, small)) ?? fault, input: small };
}

async function reportCost(target: Target, seed: number, input: Uint8Array, coverage: Coverage): Promise<Finding> {
  const isCostly = async (smaller: Uint8Array) =>
    (await countSteps(target, smaller, coverage)) > stepLimit(target, smaller);
  const small = await shrink(input, isCostly);
  const fault = `${await countSteps(target, small, coverage)} steps for ${small.length} bytes, of which each may cost ${target.stepsPerByte}`;
  return { target: target.name, seed, fault, input: small };
}
