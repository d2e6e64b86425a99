/**
 * One turn of each reader, as `npm run fuzz` takes it, but without its guide: to find which input reached new code is four
 * fifths of a turn, and nobody draws from what is kept at the end. What an input costs is judged all the same.
 */
import { Coverage } from "../../fuzz/coverage.ts";

class Steps extends Coverage {
  override take(learn = true) {
    return { ...super.take(learn), fresh: 0 };
  }
}

const coverage = new Steps();
coverage.start();
// imported late: only then are their blocks counted
const { begin, takeTurn, tryCorpus } = await import("../../fuzz/fuzz.ts");
const { makeTargets } = await import("../../fuzz/targets/targets.ts");

const seed = Number(process.argv[2]);
let inputs = 0;
const findings = [];
for (const target of await makeTargets()) {
  const progress = begin(target, seed);
  const finding = (await tryCorpus(progress, seed, coverage)) ?? (await takeTurn(progress, seed, coverage));
  if (finding) findings.push({ ...finding, input: Buffer.from(finding.input).toString("base64") });
  inputs += progress.inputs;
}
console.log(JSON.stringify({ inputs, findings }));
