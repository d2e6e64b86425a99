/** The options of `npm run load`. */
import { parseArgs } from "node:util";

export interface LoadOptions {
  readonly minutes: number;
  readonly connections: number;
  /** The same seed draws the same requests for each connection. */
  readonly seed: number;
  /** Whether workerd runs with its inspector, by which the heap is measured. */
  readonly heap: boolean;
  /** Nothing but certificates that were never seen, each in a header of 8 KB, in the place of the mix. */
  readonly largeHeaders: boolean;
}

const USAGE = "npm run load -- [--minutes 10] [--connections 16] [--seed 1] [--no-heap] [--large-headers]";

/** Throws a sentence for people. */
export function parseLoadOptions(args: readonly string[]): LoadOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: "string", default: "10" },
      connections: { type: "string", default: "16" },
      seed: { type: "string", default: "1" },
      "no-heap": { type: "boolean", default: false },
      "large-headers": { type: "boolean", default: false },
    },
  });
  return {
    minutes: parseNumber("minutes", values.minutes, { least: 0.05, most: 1_440, whole: false }),
    connections: parseNumber("connections", values.connections, { least: 1, most: 1_000, whole: true }),
    seed: parseNumber("seed", values.seed, { least: 0, most: 2 ** 32 - 1, whole: true }),
    heap: !values["no-heap"],
    largeHeaders: values["large-headers"],
  };
}

function parseNumber(
  name: string,
  text: string,
  { least, most, whole }: { least: number; most: number; whole: boolean },
): number {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (number >= least && number <= most && (!whole || Number.isInteger(number))) return number;
  throw new Error(
    `--${name} ${text}: a ${whole ? "whole " : ""}number from ${least} to ${most} is expected. Usage: ${USAGE}`,
  );
}
