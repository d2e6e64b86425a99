/**
 * Run by main.ts: changes the rules in one place at a time (StrykerJS) and runs the unit tests that reach the place.
 * A change that no test notices is printed: a rule without a test, or code that is not needed.
 */
import { parseArgs } from "node:util";
import type { MutantResult, PartialStrykerOptions } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";
import { describe, isEquivalent } from "./description.ts";
import type { Sampling } from "./sample.ts";

const RULES = [
  "src/{x509,eidas,revocation,registers,trust}/**/*.ts",
  "src/psp-check/{check-budget,decision,source-ages}.ts",
  "src/grants/{redemption,redirect-uri}.ts",
  // around Workers KV and D1, so that the worker project tests them
  "!src/registers/{lookup,import/import-*}.ts",
  "!src/revocation/{crl-import,kept-crls,revocation-store}.ts",
  "!src/trust/{anchors,trust-import}.ts",
];

const DEFAULT_SEED = 1;
/** Some 300 of the 8,000: minutes. */
const DEFAULT_ONE_IN = 28;

const { values, positionals } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    seed: { type: "string", default: `${DEFAULT_SEED}` },
    "one-in": { type: "string", default: `${DEFAULT_ONE_IN}` },
    workers: { type: "string", default: "2" },
  },
  allowPositionals: true,
});

const sampling: Sampling = {
  seed: Number(values.seed),
  oneIn: values.all ? 1 : Number(values["one-in"]),
};

// the tests must do without: a mutant has to die in a bare clone
delete process.env["SHARED_DATA"];
const options: PartialStrykerOptions = {
  mutate: positionals.length > 0 ? positionals : RULES,
  mutator: { excludedMutations: ["StringLiteral"] },
  plugins: [import.meta.resolve("@stryker-mutator/vitest-runner"), import.meta.resolve("./sample.ts")],
  checkers: ["sample"],
  sampling,
  testRunner: "vitest",
  vitest: { configFile: "test/mutants/vitest.config.ts" },
  coverageAnalysis: "perTest",
  concurrency: Number(values.workers),
  dryRunTimeoutMinutes: 20,
  // added to one and a half times what the tests took before: other work on the machine is no endless loop
  timeoutMS: 15_000,
  disableTypeChecks: false,
  // TypeScript 7 has not the functions that Stryker reads it with, and vitest needs none
  tsconfigFile: "none",
  warnings: false,
  ignorePatterns: [".wrangler", "dist"],
  reporters: ["progress-append-only"],
};

const started = performance.now();
const results = await new Stryker(options).runMutationTest();
report(results);
console.log(`${Math.round((performance.now() - started) / 1000)} s`);

function report(results: readonly MutantResult[]): void {
  const of = (status: MutantResult["status"]) => results.filter((mutant) => mutant.status === status).map(describe);
  const detected = of("Killed").length + of("Timeout").length;
  const [survived, untested, errors] = [of("Survived"), of("NoCoverage"), of("RuntimeError")];
  const known = [...survived, ...untested].filter(isEquivalent);
  const left = survived.filter((mutant) => !isEquivalent(mutant));
  const unreached = untested.filter((mutant) => !isEquivalent(mutant));
  for (const { place, mutator, change } of left) console.log(`survived: ${place} ${mutator} ${change}`);
  for (const { place, mutator, change } of unreached) console.log(`no test reaches: ${place} ${mutator} ${change}`);
  for (const { place, change } of errors) console.log(`error: ${place} ${change}`);
  const score = (100 * detected) / (detected + left.length + unreached.length);
  console.log(
    `seed ${sampling.seed}, one in ${sampling.oneIn} of ${results.length} mutants: ${detected} noticed (${of("Timeout").length} by a timeout), ` +
      `${left.length} survived, ${unreached.length} reached by no test, ${known.length} equivalent, ${errors.length} errors: ${score.toFixed(1)} %`,
  );
}
