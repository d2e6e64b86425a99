/** Runs once, before all projects: names what this machine lacks, in one line each. The tests that need it are skipped. */
import { findAge, findBrowser, findGateway, findOpenssl, GATEWAY_PACKAGES } from "./peers.ts";
import { sharedData } from "./shared-data.ts";

export default function reportMissing(): void {
  const { CI, REQUIRE_SHARED_DATA } = process.env;
  if (!sharedData)
    report(
      "No shared data (SHARED_DATA, or shared/data beside the clone): the tests on material by others are skipped.",
      Boolean(REQUIRE_SHARED_DATA),
    );
  if (!findOpenssl()) report("No OpenSSL 3 in PATH: the tests that compare with it are skipped.", Boolean(CI));
  const gateways = GATEWAY_PACKAGES.filter((name) => !findGateway(name));
  if (gateways.length > 0) report(`No ${gateways.join(", ")}: the tests of these gateways are skipped.`, Boolean(CI));
  if (!findAge()) report("No age in PATH: the test that opens sealed keys by it is skipped.", Boolean(CI));
  if (!findBrowser()) report("No Chromium or Chrome (CHROME_PATH): the tests in a browser are skipped.", Boolean(CI));
}

/** An error where it must be there, so that a run cannot pass without these tests. */
function report(message: string, required: boolean): void {
  if (required) throw new Error(message);
  console.warn(message);
}
