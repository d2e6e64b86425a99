import { defineConfig } from "vitest/config";
import { NearestFirst } from "./nearest-first.ts";

/** The unit project alone: Stryker's runner knows no projects. */
export default defineConfig({
  test: {
    include: [
      "test/unit/{x509,eidas,revocation,registers,trusted-lists,trust}/**/*.test.ts",
      "test/unit/psp-check/{chain,check-budget,decision,oldest-source,sentences}.test.ts",
      "test/unit/grants/{redemption,redirect}.test.ts",
      "test/unit/cli/own-suites.test.ts",
    ],
    sequence: { sequencer: NearestFirst },
    silent: "passed-only",
    testTimeout: 300_000,
  },
});
