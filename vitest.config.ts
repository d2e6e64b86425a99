import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { readFixtures, readSandbox } from "./src/admin/sandbox-files.ts";

// workerd has no file system: what tests need of the repo comes as bindings
const bindings = {
  TEST_MIGRATIONS: await readD1Migrations("src/migrations"),
  // a string: miniflare's bindings are typed as JSON without interfaces
  TEST_SANDBOX: JSON.stringify(await readSandbox()),
  TEST_CERTIFICATES: await readFixtures("certificates", ".pem"),
  TEST_ANSWERS: await readFixtures("answers", ".json"),
  TOKEN_KEY_20990101T000000Z: "dGVzdC1rZXktdGVzdC1rZXktdGVzdC1rZXktdGVzdC0",
};

/** Far above what any test takes: a loaded machine is no failure. */
const TEST_TIMEOUT_MS = 60_000;

export default defineConfig({
  test: {
    projects: [
      {
        // pure rules: no binding, any date; on Node because they need nothing else
        test: { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: TEST_TIMEOUT_MS },
      },
      {
        // in the real workerd, with the real D1, KV, Durable Objects and limiter
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: { bindings },
          }),
        ],
        test: {
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          setupFiles: ["test/worker/apply-migrations.ts"],
          testTimeout: TEST_TIMEOUT_MS,
        },
      },
      {
        // from outside: what the interface says, of the built Worker over HTTP; one `npm start` serves all its files
        test: {
          name: "spec",
          include: ["test/spec/interface/**/*.test.ts"],
          globalSetup: "test/spec/serve.ts",
          testTimeout: TEST_TIMEOUT_MS,
        },
      },
      {
        // whole processes: the service's life, the demo, the command line, OpenSSL as a peer
        test: {
          name: "admin",
          include: ["test/spec/*.test.ts", "test/admin/**/*.test.ts", "test/refresh/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
