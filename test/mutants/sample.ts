/** Stryker's checker plugin that lets a seeded sample of the mutants through: Stryker itself can only take all. */
import { createHash } from "node:crypto";
import { relative } from "node:path";
import { type Checker, type CheckResult, CheckStatus } from "@stryker-mutator/api/check";
import type { Mutant, StrykerOptions } from "@stryker-mutator/api/core";
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";

export interface Sampling {
  readonly seed: number;
  /** One mutant of so many is tried; 1 tries all. */
  readonly oneIn: number;
}

class SampleChecker implements Checker {
  static readonly inject = tokens(commonTokens.options);
  readonly #sampling: Sampling;

  constructor(options: StrykerOptions) {
    this.#sampling = options["sampling"] as Sampling;
  }

  async init(): Promise<void> {}

  /** All that wait at once: each group costs a message between processes. */
  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)];
  }

  /** A checker's only refusal is "does not compile". Such mutants are left out of the score. */
  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isPicked(mutant, this.#sampling)
          ? { status: CheckStatus.Passed }
          : { status: CheckStatus.CompileError, reason: "not in the sample" },
      ]),
    );
  }
}

/** By what the mutant is, not by its number: another file's change does not change the pick. */
function isPicked({ fileName, location, mutatorName, replacement }: Mutant, { seed, oneIn }: Sampling): boolean {
  const { start, end } = location;
  const place = [start.line, start.column, end.line, end.column];
  const mutant = JSON.stringify([seed, relative("", fileName), place, mutatorName, replacement]);
  return createHash("sha256").update(mutant).digest().readUInt32BE() % oneIn === 0;
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, "sample", SampleChecker)];
