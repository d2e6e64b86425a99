import { accessSync, constants, mkdirSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { readFixtures, readSandbox } from "./src/cli/sandbox/files.ts";
import { contractValidators, packagesWithoutMaps } from "./test/contract/validators-plugin.ts";
import { writeConfiguration } from "./test/worker/configuration.ts";

// else each process that a test starts compiles the same modules again: as the scripts of package.json
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

keepTemporaryFilesInMemory();

/** The stores of the tests: workerd writes and syncs each of a thousand databases to a disk. As TMPDIR says, where it is set. */
function keepTemporaryFilesInMemory(): void {
  const memory = "/dev/shm";
  const folder = join(memory, "psp-gate-tests");
  const needed = 4 * 1024 ** 3;
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (process.env["TMPDIR"] !== undefined || bavail * bsize < needed) return;
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    process.env["TMPDIR"] = folder;
  } catch {
    // not Linux, or not allowed: the system's folder for temporary files
  }
}

// workerd has no file system: files of the repository reach the tests as bindings
const bindings = {
  TEST_MIGRATIONS: await readD1Migrations("src/migrations"),
  // a string, because an interface type is not assignable to miniflare's JSON type
  TEST_SANDBOX: JSON.stringify(await readSandbox()),
  TEST_CERTIFICATES: await readFixtures("certificates", ".pem"),
  TEST_RECORD_STORY: process.env["RECORD_STORY"] ?? "",
  TEST_ANSWERS: await readFixtures("answers", ".json"),
  // of RFC 8037 appendix A.1
  SIGNING_KEY_20260101T000000Z_d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a:
    "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  TOKEN_KEY_20990101T000000Z: "dGVzdC1rZXktdGVzdC1rZXktdGVzdC1rZXktdGVzdC0",
};

/** Tests of one institution use the first; test/worker/databases/ the others. */
const DATABASES = 4;

/** Of every test and hook: far above the duration of any, so that a loaded machine does not cause failures. */
const TIMEOUT_MS = 300_000;

/** One file at once for each core, and one more: files that start processes or a browser often wait for them. */
const MAX_WORKERS = availableParallelism() + 1;
/** For files on Node: with V8's small first heap a tenth of the processor time is the collection of short-lived objects. */
const NODE = { execArgv: ["--min-semi-space-size=16", "--max-semi-space-size=64"] };
const SHARED = { testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS, maxWorkers: MAX_WORKERS };

export default defineConfig({
  test: {
    globalSetup: "test/report-missing.ts",
    // a worker of a loaded machine ends late
    teardownTimeout: TIMEOUT_MS,
    // failures in full, of the rest the totals: what a test that passes logs is of no interest
    reporters: ["minimal"],
    silent: "passed-only",
    projects: [
      {
        // pure rules at fixed dates, on Node: they need no binding
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          setupFiles: ["test/unit/fresh-modules.ts", "test/fixed-draws.ts"],
          isolate: false,
          ...SHARED,
          ...NODE,
        },
      },
      {
        // in workerd, with its four databases, KV, Durable Objects and rate limiter
        plugins: [
          cloudflareTest({
            wrangler: { configPath: await writeConfiguration(DATABASES) },
            // what the runner and the pool send each other stays on this machine: to compress it took both a twentieth of their time
            miniflare: { bindings, compatibilityFlags: ["no_web_socket_compression"] },
            // else workerd prints each refused connection and each exception of a test that provokes them
            verbose: false,
          }),
          contractValidators(),
          packagesWithoutMaps(),
        ],
        test: {
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          setupFiles: ["test/worker/cold-worker.ts", "test/fixed-draws.ts"],
          isolate: false,
          // no module needs them, and each would make its own require
          injectCjsGlobals: false,
          ...SHARED,
        },
      },
      {
        // black-box tests over HTTP, against the built Worker; one `npm start` serves all files
        plugins: [contractValidators()],
        test: {
          name: "spec",
          include: ["test/spec/interface/**/*.test.ts", "test/spec/demo.test.ts"],
          globalSetup: "test/spec/serve.ts",
          setupFiles: ["test/unit/fresh-modules.ts", "test/fixed-draws.ts"],
          isolate: false,
          ...SHARED,
          ...NODE,
        },
      },
      {
        // tests that start processes: the service, the command line, OpenSSL as a peer
        test: {
          name: "admin",
          include: [
            "test/spec/*.test.ts",
            "test/cli/**/*.test.ts",
            "test/refresh/**/*.test.ts",
            "test/platform/**/*.test.ts",
          ],
          exclude: ["test/spec/demo.test.ts"],
          setupFiles: ["test/unit/fresh-modules.ts", "test/fixed-draws.ts"],
          isolate: false,
          ...SHARED,
          ...NODE,
        },
      },
    ],
  },
});
