/** What Prometheus's own tool says of the metrics and of the rules, and whether rules and dashboard ask for metrics that exist. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { writeMetrics } from "../../src/platform/open-metrics.ts";
import { describeMetrics } from "../../src/routes/metrics/families.ts";
import { findTool } from "../tools.ts";
import { MEASURED, NOW } from "../unit/routes/metrics/made-metrics.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const PROMTOOL = findTool("promtool") ?? "";

/** Throws with what promtool says. */
function promtool(args: readonly string[], input = ""): string {
  try {
    return execFileSync(PROMTOOL, args, { cwd: ROOT, input, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`promtool ${args.join(" ")}: ${stdout}${stderr}`);
  }
}

const text = writeMetrics(describeMetrics(MEASURED, NOW), "Prometheus");
const families = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) =>
  type === "histogram" ? `${name}_bucket` : `${name}`,
);

test.runIf(PROMTOOL)("promtool check metrics finds nothing", () =>
  expect(promtool(["check", "metrics"], text)).toBe(""),
);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<"summary" | "reason" | "runbook", string>>;
}
const ALERTS = "docs/monitoring/alerts.yaml";
const rules: readonly Rule[] = parse(read(ALERTS)).groups.flatMap(({ rules }: { rules: Rule[] }) => rules);
const namedIn = (expression: string): string[] => expression.match(/\bpsp_gate_\w+/g) ?? [];

describe("the alert rules", () => {
  test.runIf(PROMTOOL)("are ones to promtool", () => expect(promtool(["check", "rules", ALERTS])).toContain("SUCCESS"));

  test.each(rules)("$alert asks for metrics that there are, and has a reason and a page", ({ alert, ...rule }) => {
    expect(namedIn(rule.expr).filter((name) => !families.includes(name))).toEqual([]);
    expect(["page", "ticket"]).toContain(rule.labels.severity);
    expect(rule.annotations.reason.length).toBeGreaterThan(20);
    expect(rule.annotations.summary.length).toBeGreaterThan(10);
    expect(existsSync(join(ROOT, rule.annotations.runbook))).toBe(true);
    expect(read(rule.annotations.runbook)).toContain(`\`${alert}\``);
  });

  test("every alert that a page of the runbook names is one of them", () => {
    const pages = globSync("docs/runbook/*.md", { cwd: ROOT });
    const named = pages.flatMap((path) => read(path).match(/\bPspGate\w+/g) ?? []);
    const known = new Set(rules.map(({ alert }) => alert));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

test("the dashboard shows every metric, and no other; no two of its panels lie on each other", () => {
  interface Panel {
    readonly id: number;
    readonly gridPos: Readonly<Record<"x" | "y" | "w" | "h", number>>;
    readonly targets: readonly { readonly expr: string }[];
  }
  const { panels }: { panels: readonly Panel[] } = JSON.parse(read("docs/monitoring/grafana.json"));
  const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namedIn(expr))));
  expect([...shown].toSorted()).toEqual(families.toSorted());
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

test("every metric has its place in docs/monitoring/README.md", () => {
  const page = read("docs/monitoring/README.md");
  expect(families.filter((name) => !page.includes(`\`${name.replace("psp_gate_", "")}\``))).toEqual([]);
});

test("the events that the queries of Workers Logs name are logged", () => {
  const sources = globSync("src/**/*.{ts,tsx}", { cwd: ROOT }).map(read).join("\n");
  const rows = [...read("docs/monitoring/workers-logs.md").matchAll(/^\| `event.*?\|/gm)].join();
  const events = [...rows.matchAll(/\b[a-z]+_[a-z_]+\b/g)].map(([name]) => name);
  expect(events.length).toBeGreaterThan(10);
  expect(events.filter((name) => !sources.includes(`"${name}"`))).toEqual([]);
});
