/**
 * `npm run bench`: the built Worker in workerd, each route beside the bare one, interleaved in one run by one client. Prints
 * requests per second, processor time and latencies, and how many times the bare one's processor time each takes.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeSigningKey } from "../../src/cli/keys/signing-keys.ts";
import { clock } from "../../src/platform/clock.ts";
import { makeSecret } from "../../src/platform/secrets.ts";
import { VERSION } from "../../src/platform/version.ts";
import { findFreePort } from "../free-port.ts";
import { makeCertificates } from "./certificates.ts";
import { LoadGenerator } from "./generator-process.ts";
import { GROUPS } from "./groups.ts";
import { compareReports, type GroupReport, measure, printGroup, type Report } from "./measure.ts";
import type { Setting } from "./routes.ts";
import { bundle, type Runtime, startRuntime } from "./runtime.ts";
import { BARE, SERVICE, seed, writeConfiguration } from "./stores.ts";

const SCENARIO_1 = join(import.meta.dirname, "../../fixtures/certificates/scenario-1.pem");
const PROVIDER = join(import.meta.dirname, "oauth-provider");
/** More than an isolate remembers, so that each comes round as a new one. */
const NEW_CERTIFICATES = 3_000;
const OTHERS = ["start", "refresh", "peers"];
const USUAL = ["psp", "codes", "reads", "consents"];

const { values } = parseArgs({
  options: {
    ...{ only: { type: "string" }, json: { type: "string" }, compare: { type: "string" }, profile: { type: "string" } },
    ...{ load: { type: "boolean" }, "large-headers": { type: "boolean" }, "no-heap": { type: "boolean" } },
    minutes: { type: "string", default: "10" },
    connections: { type: "string", default: "16" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean" },
  },
});
const asked = values.only?.split(",") ?? USUAL;
const known = [...Object.keys(GROUPS), ...OTHERS];
if (values.help) {
  console.log(`npm run bench -- [options]

Prints requests per second, processor time and latencies of the built Worker's routes beside bare ones. It takes some six
minutes on an idle machine.

  --only NAMES        of ${known.join(", ")} (${USUAL.join(",")})
  --json FILE         write the report there
  --compare OLD.json  print what changed since that report
  --profile DIR       measure nothing, and write where the processor time goes

  --load              a mixed load in their place, with every answer held
  --minutes N         of the mixed load (10)
  --connections N     of it (16)
  --seed N            of what its banks draw (1)
  --large-headers     nothing but headers of 8 KB that were never seen
  --no-heap           without the inspector, by which the heap is measured`);
  process.exit();
}
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`--only ${unknown.join(",")}: there are ${known.join(", ")}`);
const number = (name: "minutes" | "connections" | "seed", least: number): number => {
  const given = Number(values[name]);
  if (values[name].trim() !== "" && given >= least && (name === "minutes" || Number.isInteger(given))) return given;
  const kind = name === "minutes" ? "number" : "whole number";
  throw new Error(`--${name} ${values[name]}: a ${kind} from ${least} on is expected`);
};
if (values.load) {
  const { runLoad } = await import("./load.ts");
  const flags = { heap: !values["no-heap"], largeHeaders: values["large-headers"] === true };
  const numbers = { minutes: number("minutes", 0.05), connections: number("connections", 1), seed: number("seed", 0) };
  process.exit((await runLoad({ ...numbers, ...flags })) ? 0 : 1);
}
const before = values.compare === undefined ? null : (JSON.parse(await readFile(values.compare, "utf8")) as Report);

const began = { load: loadavg()[0] ?? 0, date: new Date(clock.now()).toISOString(), at: performance.now() };
const groups = asked.some((name) => name in GROUPS) ? await run() : [];
if (groups.length > 0) {
  const report: Report = {
    date: began.date,
    version: VERSION,
    processor: `${cpus().length} × ${cpus()[0]?.model}`,
    load: [began.load, loadavg()[0] ?? 0],
    groups,
  };
  const [from, to] = report.load.map((average) => average.toFixed(1));
  const seconds = Math.round((performance.now() - began.at) / 1000);
  console.log(`\n${report.date}, ${report.processor}, ${seconds} s; load average before ${from}, after ${to}`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  if (before) {
    const { compared, changes } = compareReports(before, report);
    console.log(`\nSince ${before.date}: ${changes.length} of ${compared} figures changed beyond the noise`);
    if (changes.length > 0) console.table(changes);
  }
}
if (asked.includes("start")) await (await import("./start.ts")).measureStarts(await readFile(SCENARIO_1, "utf8"));
if (asked.includes("refresh")) await (await import("./refresh.ts")).measureRefreshSteps();
if (asked.includes("peers")) await (await import("./peers.ts")).measurePeers();

async function run(): Promise<GroupReport[]> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-bench-"));
  const load = new LoadGenerator();
  let runtime: Runtime | null = null;
  const end = async () => {
    load.stop();
    await runtime?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => void end().then(() => process.exit(130)));
  try {
    const pem = await readFile(SCENARIO_1, "utf8");
    const made = await makeCertificates(asked.includes("psp") ? NEW_CERTIFICATES : 1);
    const token = { kid: "bench", secret: makeSecret() };
    const signingKey = makeSigningKey();
    const vars = {
      [`TOKEN_KEY_${token.kid}`]: token.secret,
      [signingKey.name]: signingKey.value,
      BENCH_ISSUER: made.issuer,
      BENCH_CRL: made.crl.base64,
    };
    const configuration = await writeConfiguration(folder, vars);
    const [service, bare, provider, seeded] = await Promise.all([
      bundle(configuration.service, SERVICE, join(folder, "built/service"), values.profile !== undefined),
      bundle(configuration.bare, BARE, join(folder, "built/bare")),
      bundle(join(PROVIDER, "wrangler.toml"), join(PROVIDER, "worker.ts"), join(folder, "built/provider")),
      seed(configuration.stores, folder, asked.includes("tokens"), made, token.kid),
    ]);
    const workers = [
      { name: "service", built: service },
      { name: "unrecorded", built: service, vars: { LEDGER_RECORDS: "off" } },
      { name: "without-r2", built: service, r2: false },
      { name: "bare", built: bare },
      { name: "provider", built: provider },
      { name: "thousand", built: service, databases: { DB: "DB_THOUSAND" } },
      { name: "ten-million", built: service, databases: { DB: "DB_TEN_MILLION" } },
    ];
    const inspectorPort = values.profile === undefined ? undefined : await findFreePort();
    runtime = await startRuntime(workers, folder, folder, inspectorPort);
    const at = (name: string) => runtime?.urls[name] ?? "";
    const eidas = pem.replaceAll(/-----[^-]+-----|\s/g, "");
    const setting: Setting = {
      ...{ ...seeded, eidas, leaves: made.leaves },
      ...{ service: at("service"), bare: at("bare"), provider: at("provider") },
      unrecorded: at("unrecorded"),
      withoutR2: at("without-r2"),
      tables: { thousand: at("thousand"), tenMillion: at("ten-million") },
    };
    const reports: GroupReport[] = [];
    for (const name of asked) {
      const group = await GROUPS[name]?.(setting);
      if (!group) continue;
      if (values.profile !== undefined && inspectorPort !== undefined) {
        const { profileGroup } = await import("./profile.ts");
        await profileGroup(group, load, { port: inspectorPort, built: service, url: setting.service }, values.profile);
        continue;
      }
      const report = await measure(group, load, runtime.pid);
      printGroup(report);
      reports.push(report);
    }
    return reports;
  } finally {
    await end();
  }
}
