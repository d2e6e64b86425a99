/** The examples for a deployment: they can be read, and what they run is there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly environment?: string;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}
const { jobs, permissions }: { jobs: Record<string, Job>; permissions: object } = parseYaml(
  read("docs/examples/deploy.yml"),
);
const runsOf = (job: string): string[] => (jobs[job]?.steps ?? []).flatMap(({ run }) => run ?? []);

test("the workflow checks and tests, then deploys to staging, then by hand to production", () => {
  expect(Object.keys(jobs)).toEqual(["test", "staging", "production", "share", "rollback"]);
  expect([jobs["staging"]?.needs, jobs["production"]?.needs]).toEqual(["test", "staging"]);
  expect(runsOf("test")).toEqual(expect.arrayContaining(["npm run check", "npm test"]));
  expect(runsOf("staging")).toContain("npm run deploy -- --env staging");
  expect(runsOf("production")).toEqual(expect.arrayContaining(["npm run deploy", "npm run deploy -- --upload"]));
  for (const byHand of ["production", "share", "rollback"]) {
    expect(jobs[byHand]?.if).toContain("github.event_name == 'workflow_dispatch'");
    expect(jobs[byHand]?.environment).toBe("production");
  }
  expect(permissions).toEqual({ contents: "read" });
});

test("every script that it runs is one of package.json", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const named = Object.keys(jobs).flatMap((job) =>
    runsOf(job).flatMap((run) => /^npm (?:run )?(\w+)/.exec(run)?.[1] ?? []),
  );
  expect(named.filter((name) => name !== "ci" && !(name in scripts))).toEqual([]);
});

test("the scheduled workflow notes the bookmarks as JSON alone, and keeps them", () => {
  const workflow: { on: { schedule: object[] }; jobs: { note: Job } } = parseYaml(read("docs/examples/bookmarks.yml"));
  expect(workflow.on.schedule).toHaveLength(1);
  const { steps } = workflow.jobs.note;
  expect(steps.map(({ run }) => run)).toContain(
    "npm run --silent admin -- backup bookmark --remote --json > bookmarks.json",
  );
  expect(steps.at(-1)?.uses).toMatch(/^actions\/upload-artifact@/);
});

test("the monthly workflow exports and verifies each ledger, and keeps what it has elsewhere, also after a failure", () => {
  interface Export extends Job {
    readonly env: Readonly<Record<string, string>>;
    readonly steps: readonly { readonly name?: string; readonly run?: string; readonly if?: string }[];
  }
  const workflow: { on: { schedule: object[] }; jobs: { export: Export } } = parseYaml(
    read("docs/examples/evidence-export.yml"),
  );
  expect(workflow.on.schedule).toHaveLength(1);
  const { env, steps } = workflow.jobs.export;
  const work = steps.find(({ name }) => name === "export and verify")?.run ?? "";
  // test/cli/audited.ts runs it
  const commands = [...work.matchAll(/npm run --silent admin -- (\w+ \w+)/g)].map(([, command]) => command);
  expect(commands).toEqual(["fi list", "evidence export", "evidence verify"]);
  const last = steps.at(-1);
  expect([last?.if, last?.run]).toEqual(["always()", 'aws s3 cp "$FOLDER" "$BUCKET" --recursive']);
  // what the steps ask for is set
  const asked = [...`${work}${last?.run}`.matchAll(/\$\{?([A-Z]+)/g)].map(([, name = ""]) => name);
  expect(asked.filter((name) => !(name in env))).toEqual([]);
});

test("the example of a domain in wrangler.toml is TOML without its marks, and closes workers.dev", () => {
  const [, example = ""] =
    /((?:^# (?:workers_dev = false|preview_urls|routes|\]| {2}\{).*\n)+)/m.exec(read("wrangler.toml")) ?? [];
  expect(parseToml(example.replaceAll(/^# /gm, ""))).toEqual({
    workers_dev: false,
    preview_urls: false,
    routes: [
      { pattern: "gate.bank.example", custom_domain: true },
      { pattern: "gate-ops.bank.example", custom_domain: true },
    ],
  });
});
