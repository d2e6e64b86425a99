/**
 * `npm run bench [-- --only psp,codes,reads,consents,ledger] [--json FILE] [--compare OLD.json]`: the built Worker in workerd,
 * each route beside the bare one, interleaved in one run by one client. Prints requests per second, processor time and
 * latencies, and how many times the bare one's processor time each takes. It runs for six minutes without `--only`; `tokens`,
 * `start` and `refresh` run only when they are named. `--profile DIR` measures nothing and shows where the time goes.
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
import { bundle } from "./bundle.ts";
import { makeCertificates } from "./certificates.ts";
import { codesGroup } from "./codes.ts";
import { BARE, SERVICE, writeConfiguration } from "./configuration.ts";
import { consentsGroup } from "./consents.ts";
import type { Group } from "./group.ts";
import { ledgerGroup } from "./ledger.ts";
import { LoadGenerator } from "./load.ts";
import { measure } from "./measure.ts";
import { printChanges, printGroup } from "./print.ts";
import { profileGroup } from "./profile.ts";
import { pspGroup } from "./psp.ts";
import { readsGroup } from "./reads.ts";
import { measureRefreshSteps, printRefreshSteps } from "./refresh.ts";
import { compareReports, type GroupReport, type Report, reportGroup } from "./report.ts";
import { type Runtime, startRuntime } from "./runtime.ts";
import { seed } from "./seed.ts";
import type { Setting } from "./setting.ts";
import { measureStarts } from "./start.ts";
import { tokensGroup } from "./tokens.ts";

const SCENARIO_1 = join(import.meta.dirname, "../../fixtures/certificates/scenario-1.pem");
const PROVIDER = join(import.meta.dirname, "oauth-provider");
/** More than an isolate remembers, so that each comes round as a new one. */
const NEW_CERTIFICATES = 3_000;
const GROUPS: Readonly<Record<string, (setting: Setting) => Group | Promise<Group>>> = {
  psp: pspGroup,
  codes: codesGroup,
  reads: readsGroup,
  consents: consentsGroup,
  tokens: tokensGroup,
  ledger: ledgerGroup,
};
const OTHERS = ["start", "refresh"];
const USUAL = ["psp", "codes", "reads", "consents"];

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    json: { type: "string" },
    compare: { type: "string" },
    profile: { type: "string" },
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
  --profile DIR       measure nothing, and write where the processor time goes`);
  process.exit();
}
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`--only ${unknown.join(",")}: there are ${known.join(", ")}`);
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
  if (before) printChanges(compareReports(before, report), before.date);
}
if (asked.includes("start")) await measureStarts(await readFile(SCENARIO_1, "utf8"));
if (asked.includes("refresh")) {
  console.log("\nSteps of the scheduled refresh, beside a Worker's limits");
  printRefreshSteps(await measureRefreshSteps());
}

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
    const made = await makeCertificates(asked.includes("psp") ? NEW_CERTIFICATES : 1, pem);
    const token = { kid: "bench", secret: makeSecret() };
    const signingKey = makeSigningKey();
    const vars = {
      [`TOKEN_KEY_${token.kid}`]: token.secret,
      [signingKey.name]: signingKey.value,
      BENCH_ISSUER: made.issuer,
      BENCH_CRL: made.crl.base64,
    };
    const configuration = await writeConfiguration(folder, vars);
    const stores = {
      config: configuration.stores,
      state: folder,
      tables: asked.includes("tokens"),
      made,
      kid: token.kid,
    };
    const [service, bare, provider, seeded] = await Promise.all([
      bundle(configuration.service, SERVICE, join(folder, "built/service"), values.profile !== undefined),
      bundle(configuration.bare, BARE, join(folder, "built/bare")),
      bundle(join(PROVIDER, "wrangler.toml"), join(PROVIDER, "worker.ts"), join(folder, "built/provider")),
      seed(stores),
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
        await profileGroup(group, load, { port: inspectorPort, built: service, url: setting.service }, values.profile);
        continue;
      }
      const report = reportGroup(group, await measure(group, load, runtime.pid));
      printGroup(report, group.notes);
      reports.push(report);
    }
    return reports;
  } finally {
    await end();
  }
}
