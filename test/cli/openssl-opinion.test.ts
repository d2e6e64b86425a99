/**
 * Compares OpenSSL's verdict with the expected result of each case of the repo's own path and OCSP suites. A case on
 * which they differ gives the reason in `openssl`; that it still differs is checked with the OpenSSL version used then.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { askOpenssl as askAboutPath } from "../../fixtures/suites/paths/openssl-verdict.ts";
import { PATHS } from "../../fixtures/suites/paths/path-suite.ts";
import { OCSP } from "../../fixtures/suites/revocation/ocsp-suite.ts";
import { askOpenssl as askAboutAnswer } from "../../fixtures/suites/revocation/openssl-verdict.ts";
import { findTool, print } from "../tools.ts";

const folder = mkdtempSync(join(tmpdir(), "openssl-opinion-"));
afterAll(() => rmSync(folder, { recursive: true }));

const openssl = findTool("openssl") ?? "";
const sameVersion = openssl !== "" && print(openssl, ["version"]).startsWith("OpenSSL 3.0.");

describe.runIf(openssl)("paths", () => {
  test.each(PATHS)("$id", async (one) => {
    const { accepted, output } = await askAboutPath(openssl, one, folder);
    const expected = one.refused === undefined;
    if (one.openssl === undefined) expect(accepted, output).toBe(expected);
    else if (sameVersion) expect(accepted, output).toBe(!expected);
  });
});

describe.runIf(openssl)("OCSP answers", () => {
  const about = OCSP.cases.filter(({ certificate }) => certificate !== null);

  test.each(about)("$id", async (one) => {
    const { authentic, status, output } = await askAboutAnswer(openssl, one, OCSP, folder);
    const said = authentic ? status : null;
    const expected = typeof one.expected === "string" ? one.expected : null;
    if (one.openssl === undefined) expect(said, output).toBe(expected);
    else if (sameVersion) expect(said, output).not.toBe(expected);
  });
});
