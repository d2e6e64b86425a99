/** `npm run bench`: the built Worker in workerd, measured beside bare routes, interleaved in one run (see the README). */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBenchWorker } from "./bench-worker.ts";
import { makeCertificates } from "./certificates.ts";
import { measure } from "./load.ts";

const ROOT = join(import.meta.dirname, "../..");
/** More than an isolate remembers, so that each comes round as a new one. */
const NEW_CERTIFICATES = 3_000;

const state = await mkdtemp(join(tmpdir(), "psp-gate-bench-"));
process.env["STATE_DIR"] = state;
process.env["WRANGLER_SEND_METRICS"] = "false";
// the stores read STATE_DIR when they are loaded
const { withStores } = await import("../../src/admin/stores.ts");
const { wrangler } = await import("../../src/admin/wrangler.ts");
const { seedSandbox } = await import("../../src/admin/sandbox.ts");
const { readSandbox } = await import("../../src/admin/sandbox-files.ts");

const scenario1 = await readFile(join(ROOT, "fixtures/certificates/scenario-1.pem"), "utf8");
const made = await makeCertificates(NEW_CERTIFICATES, scenario1);
const sandbox = await readSandbox();
const migrations = await wrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", state]);
if (migrations.code !== 0) throw new Error(migrations.output);
await withStores({ remote: false }, async ({ env }) => {
  await seedSandbox(env, sandbox);
  await seedSandbox(env, { trust: made.trust, registers: [], crls: [made.crl] });
});

const worker = await startBenchWorker(state);
const identity = {
  Authorization: `Basic ${btoa("sandbox-fi:sandbox-secret")}`,
  fi_reference_id: "PSDXX-TEST-FI0001",
  version: "1",
};
const check = "/v1/psp/eidas?jurisdiction=xx";
const measured = await measure(worker.url, [
  { name: "bare JSON route", path: "/bare", requests: [{ headers: {} }], expectedStatus: 200 },
  {
    name: "PSP check, certificate seen before",
    path: check,
    requests: [{ headers: { ...identity, eidas: scenario1.replaceAll(/-----[^-]+-----|\s/g, "") } }],
    expectedStatus: 200,
  },
  {
    name: "bare parse and signature",
    path: "/bare/verify",
    requests: made.leaves.map((eidas) => ({ headers: { eidas, issuer: made.issuer } })),
    expectedStatus: 200,
  },
  {
    name: "PSP check, new certificate",
    path: check,
    requests: made.leaves.map((eidas) => ({ headers: { ...identity, eidas } })),
    expectedStatus: 200,
  },
]);
await worker.stop();
await rm(state, { recursive: true, force: true });

const [bare, seen, verify, fresh] = measured;
const ratio = (of?: { requestsPerSecond: number }, to?: { requestsPerSecond: number }) =>
  ((of?.requestsPerSecond ?? 0) / (to?.requestsPerSecond ?? 1)).toFixed(2);
console.table(
  measured.map(({ name, requestsPerSecond, p50, p99 }) => ({
    route: name,
    "requests/s": Math.round(requestsPerSecond),
    "p50 ms": p50,
    "p99 ms": p99,
  })),
);
console.log(`certificate seen before / bare JSON route:      ${ratio(seen, bare)}  (to reach: 0.8)`);
console.log(`new certificate / bare parse and signature:     ${ratio(fresh, verify)}  (to reach: 0.5)`);
process.exit(0);
