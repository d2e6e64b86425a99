/** What Prometheus's own tool says of the metrics, and of the rules that go with them. .ci/run installs it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeMetrics } from "../../src/platform/open-metrics.ts";
import { describeMetrics } from "../../src/routes/metrics/families.ts";
import { MEASURED, NOW } from "../unit/routes/metrics/made-metrics.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Throws with what promtool says, and with what to install where it is not there. */
function promtool(args: readonly string[], input = ""): string {
  try {
    return execFileSync("promtool", args, { cwd: ROOT, input, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT")
      throw new Error("promtool is not installed: apt-get install -y prometheus, or https://prometheus.io/download/");
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`promtool ${args.join(" ")}: ${stdout}${stderr}`);
  }
}

test("promtool check metrics finds nothing", () => {
  const text = writeMetrics(describeMetrics(MEASURED, NOW), "Prometheus");
  expect(promtool(["check", "metrics"], text)).toBe("");
});
