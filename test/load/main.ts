/**
 * `npm run load [-- --minutes 10 --connections 16]`: banks of every kind against the built service, every answer held
 * against the one that it has to be. Ends with 1 if one was wrong, if one was a 5xx, or if the heap grew.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBuiltService } from "./built-service.ts";
import { GeneratorProcess } from "./generator-process.ts";
import { judgeHeap } from "./heap-verdict.ts";
import { drawLatencies } from "./latency-chart.ts";
import { parseLoadOptions } from "./options.ts";
import { printReport, titleOf, totalLatencies } from "./report.ts";
import { runLoad } from "./run.ts";
import { CERTIFICATES } from "./world/plan.ts";

const REPORTS = join(import.meta.dirname, "../../reports");

const options = parseLoadOptions(process.argv.slice(2));
const folder = await mkdtemp(join(tmpdir(), "psp-gate-load-"));
console.log(`Building the service, making ${CERTIFICATES} certificates and seeding the stores ...`);
const service = await startBuiltService(folder, { inspector: options.heap });
let generator: GeneratorProcess | null = null;
const end = async () => {
  generator?.kill();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
};
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => void end().then(() => process.exit(130)));
try {
  const banks = Array.from({ length: options.connections }, (_, number) => number);
  generator = await GeneratorProcess.start(folder, {
    url: service.url,
    world: service.world,
    seed: options.seed,
    banks,
    largeHeaders: options.largeHeaders,
  });
  const result = await runLoad(service, generator, options);
  const heap = judgeHeap(result.samples, options.minutes);
  printReport(result, heap, options);
  await mkdir(REPORTS, { recursive: true });
  const chart = join(REPORTS, "load.svg");
  await writeFile(chart, drawLatencies(totalLatencies(result.run), titleOf(result, options)));
  console.log(`\nLatencies: ${chart}`);
  const grew = !heap.ok && heap.reason === "not_flat";
  if (result.run.wrong > 0 || result.run.serverErrors > 0 || grew) process.exitCode = 1;
} finally {
  await end();
}
