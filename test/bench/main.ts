/**
 * `npm run bench [-- --only psp,grants,introspection,tokens,peer,refresh]`: the built Worker in workerd, beside bare routes, interleaved in one
 * run by one client. Prints requests per second, latencies, and each ratio with what it should reach.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { getPlatformProxy } from "wrangler";
import { findPending, migrate } from "../../src/admin/migrations.ts";
import { seedSandbox } from "../../src/admin/sandbox.ts";
import { readSandbox } from "../../src/admin/sandbox-files.ts";
import { clock } from "../../src/clock.ts";
import { readTokenKeys } from "../../src/grants/token-keys.ts";
import { makeSecret } from "../../src/secrets.ts";
import type { BenchEnv } from "./bare-routes.ts";
import { type BenchWorker, startBenchWorker } from "./bench-worker.ts";
import { makeCertificates } from "./certificates.ts";
import { printGroup } from "./comparison.ts";
import { writeConfiguration } from "./configuration.ts";
import { grantsGroup } from "./grants.ts";
import { introspectionGroup } from "./introspection.ts";
import { measure } from "./load.ts";
import { peerGroup } from "./peer.ts";
import { pspGroup } from "./psp.ts";
import { measureRefreshSteps, printRefreshSteps } from "./refresh.ts";
import { seedTokens, TABLES } from "./seed-tokens.ts";
import { tokensGroup } from "./tokens.ts";

const SCENARIO_1 = join(import.meta.dirname, "../../fixtures/certificates/scenario-1.pem");
const PSP_OF_SCENARIO_1 = "PSDXX-TEST-000001";
const PROVIDER = join(import.meta.dirname, "oauth-provider/wrangler.toml");
/** More than an isolate remembers, so that each comes round as a new one. */
const NEW_CERTIFICATES = 3_000;
const GROUPS = ["psp", "grants", "introspection", "tokens", "peer", "refresh"];

const { values } = parseArgs({ options: { only: { type: "string" } } });
const asked = values.only?.split(",") ?? GROUPS;
const unknown = asked.filter((name) => !GROUPS.includes(name));
if (unknown.length > 0) throw new Error(`--only ${unknown.join(",")}: there are ${GROUPS.join(", ")}`);

const pem = await readFile(SCENARIO_1, "utf8");
const made = await makeCertificates(asked.includes("psp") ? NEW_CERTIFICATES : 1, pem);
const state = await mkdtemp(join(tmpdir(), "psp-gate-bench-"));
const token = { kid: "bench", secret: makeSecret() };
const configuration = await writeConfiguration(state, {
  [`TOKEN_KEY_${token.kid}`]: token.secret,
  BENCH_ISSUER: made.issuer,
  BENCH_CRL: made.crl.base64,
});
const workers: BenchWorker[] = [];
const end = async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await rm(state, { recursive: true, force: true });
};
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => void end().then(() => process.exit(130)));
try {
  const seeded = await seed();
  const service = await startBenchWorker(configuration.worker, state, "/bare/json");
  workers.push(service);
  const setting = { ...seeded, url: service.url };
  if (asked.includes("psp")) await show(pspGroup(setting));
  if (asked.includes("grants")) await show(await grantsGroup(setting));
  if (asked.includes("introspection")) await show(await introspectionGroup(setting));
  if (asked.includes("tokens")) await show(tokensGroup(setting));
  if (asked.includes("peer")) {
    const provider = await startBenchWorker(PROVIDER, state, "/");
    workers.push(provider);
    await show(await peerGroup(setting, provider.url));
  }

  async function show(group: Parameters<typeof printGroup>[0]): Promise<void> {
    printGroup(group, await measure(service.url, group.routes));
  }
} finally {
  await end();
}
if (asked.includes("refresh")) {
  console.log("\nSteps of the scheduled refresh, beside a Worker's limits");
  printRefreshSteps(await measureRefreshSteps());
}
// autocannon leaves timers
process.exit(0);

/** Lays out the stores before the Worker opens them. */
async function seed() {
  const { env, dispose } = await getPlatformProxy<BenchEnv>({
    configPath: configuration.stores,
    persist: { path: join(state, "v3") },
  });
  try {
    const sandbox = await readSandbox();
    const identity = {
      Authorization: `Basic ${btoa("sandbox-fi:sandbox-secret")}`,
      fi_reference_id: "PSDXX-TEST-FI0001",
      version: "1",
    };
    const find = "SELECT id FROM financial_institutions WHERE fi_reference_id = ?1";
    let fiId = 0;
    for (const [DB, rows] of [
      [env.DB, 0],
      [env.DB_THOUSAND, asked.includes("tokens") ? TABLES.thousand : 0],
      [env.DB_MILLION, asked.includes("tokens") ? TABLES.million : 0],
    ] as const) {
      await migrate(DB, (await findPending(DB)).migrations);
      await seedSandbox({ DB, KV: env.KV }, sandbox);
      fiId = (await DB.prepare(find).bind(identity.fi_reference_id).first<number>("id")) ?? 0;
      await seedTokens(DB, rows, { kid: token.kid, fiId, pspId: PSP_OF_SCENARIO_1, now: clock.now() });
    }
    await seedSandbox(env, { trust: made.trust, registers: [], crls: [made.crl] });
    const eidas = pem.replaceAll(/-----[^-]+-----|\s/g, "");
    return { identity, eidas, leaves: made.leaves, fiId, keys: readTokenKeys(env) };
  } finally {
    await dispose();
  }
}
