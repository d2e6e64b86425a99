/** Runs the test files nearest to the mutant first: a mutant is done with at the first test that fails. */
import { basename, dirname } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests of whole inputs by many rules: they notice much, and take long. */
const BROAD = ["properties", "mutated", "own-suites", "path-budget", "second-reader", "structure"];

export class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // set by Stryker's runner before each mutant; absent in its first run, of all tests
    const [mutated] = (this.ctx.config.related as string[] | undefined) ?? [];
    if (!mutated) return files;
    const noun = basename(mutated, ".ts");
    const folder = basename(dirname(mutated));
    const distance = ({ moduleId }: TestSpecification): number => {
      const name = basename(moduleId, ".test.ts");
      if (name === noun) return 0;
      const near = dirname(moduleId).includes(`/${folder}`) ? 0 : 2;
      return 1 + near + (BROAD.some((word) => name.includes(word)) ? 4 : 0);
    };
    return files.toSorted((a, b) => distance(a) - distance(b));
  }
}
