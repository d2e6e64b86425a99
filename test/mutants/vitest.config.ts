import { defineConfig } from "vitest/config";

/** The unit project alone: Stryker's runner knows no projects. */
export default defineConfig({
  test: {
    include: [
      "test/unit/{x509,eidas,revocation,registers,trusted-lists,trust,grants}/**/*.test.ts",
      "test/unit/admin/own-suites.test.ts",
    ],
    exclude: ["**/{second-reader,replays,path-budget,exchange,redirect}.test.ts"],
    silent: "passed-only",
    testTimeout: 60_000,
  },
});
