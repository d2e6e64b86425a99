import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Platform, startPlatform } from "./platform.ts";
import { runThere } from "./run-there.ts";

const ROOT = join(import.meta.dirname, "../..");

interface Step {
  readonly script: "deploy" | "main";
  readonly args: readonly string[];
}
const deployment = (...args: string[]): Step => ({ script: "deploy", args });

const COMMANDS: Readonly<Record<string, { readonly before: readonly Step[]; readonly step: Step }>> = {
  "first deployment": { before: [], step: deployment() },
  "second deployment": { before: [deployment()], step: deployment() },
  staging: { before: [deployment()], step: deployment("--env", "staging") },
  "database add": {
    before: [deployment(), { script: "main", args: ["database", "add"] }],
    step: deployment(),
  },
};

export interface Row {
  readonly command: string;
  readonly call: string;
  readonly when: "before" | "after";
  /** Of the run in which the call failed, and its last line but one: what it says of the state. */
  readonly code: number;
  readonly says: string;
  /** What is not as it should be; empty: the row ends well. */
  readonly faults: readonly string[];
}

/** The rows of the calls `from` (1 is the first) to `to`, one after another. */
export async function* runFaults(command: string, from = 1, to = Number.POSITIVE_INFINITY): AsyncGenerator<Row> {
  const { before, step } = COMMANDS[command] ?? { before: [], step: deployment() };
  for (let call = from; call <= to; call++)
    for (const when of ["before", "after"] as const) {
      const folder = await mkdtemp(join(tmpdir(), "psp-gate-faults-"));
      const platform = await startPlatform();
      const run = (one: Step) => runStep(platform, folder, one);
      try {
        await copyFile(join(ROOT, "wrangler.toml"), join(folder, "wrangler.toml"));
        for (const one of before) await run(one);
        const marks = platform.account.databases.map(({ sqlite }) => mark(sqlite));
        const start = describe(platform);
        platform.fail({ call, when });
        const failed = await run(step);
        const name = platform.calls[call - 1];
        // the command makes fewer calls than that
        if (name === undefined) return;
        const middle = describe(platform);
        platform.fail(null);
        const again = await run(step);
        const faults = [
          ...judgeMessage(failed, start, middle),
          ...judgeExposure(middle),
          ...(again.code === 0 ? [] : [`the next run ends with ${again.code}: ${again.output}`]),
          ...judgeEnd(describe(platform), start, step.args.includes("staging")),
          ...(marks.every((has) => has()) ? [] : ["data is lost"]),
        ];
        const says = failed.output.trim().split("\n").slice(-1)[0] ?? "";
        yield { command, call: `${call} ${name.replaceAll(IDS, "…")}`, when, code: failed.code, says, faults };
      } finally {
        await platform.close();
        await rm(folder, { recursive: true });
      }
    }
}

const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}/g;

type Result = Awaited<ReturnType<typeof runThere>>;

const runStep = (platform: Platform, folder: string, { script, args }: Step): Promise<Result> =>
  runThere(script, args, {
    ...platform.environment,
    ...{ STATE_DIR: folder, CONFIGURATION: join(folder, "wrangler.toml") },
  });

type State = ReturnType<typeof describe>;

/** What the account has, without what differs from run to run. */
function describe({ account: { databases, stores, scripts } }: Platform) {
  return {
    databases: databases.map(({ name, uuid, sqlite }) => ({ name, uuid, migrations: countMigrations(sqlite) })),
    namespaces: stores.namespaces.map(({ title, id }) => ({ title, id })),
    buckets: [...stores.buckets],
    queues: stores.queues.map(({ name, consumers }) => ({ name, consumers: consumers.length })),
    workers: [...scripts].map(([name, { versions, secrets, crons, isPublic }]) => ({
      ...{ name, versions: versions.length, secrets: [...secrets.keys()].sort(), crons: crons.length, isPublic },
      stores: (versions.at(-1)?.bindings ?? []).flatMap(({ type, ...one }) =>
        type === "d1" ? String(one["id"]) : type === "kv_namespace" ? String(one["namespace_id"]) : [],
      ),
    })),
  };
}

type Sqlite = Platform["account"]["databases"][number]["sqlite"];

const countMigrations = (sqlite: Sqlite): number => {
  const has = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'").get() !== undefined;
  return has ? Number(sqlite.prepare("SELECT count(*) AS n FROM d1_migrations").get()?.["n"]) : 0;
};

/** Data of before, and whether it is still there. */
function mark(sqlite: Sqlite): () => boolean {
  sqlite.exec("CREATE TABLE IF NOT EXISTS of_before (x); INSERT INTO of_before VALUES (1)");
  return () => sqlite.prepare("SELECT count(*) AS n FROM of_before").get()?.["n"] === 1;
}

/** One sentence and an exit code, and what it says is so. */
function judgeMessage({ code, output }: Result, start: State, middle: State): string[] {
  const versions = ({ workers }: State) => workers.reduce((sum, one) => sum + one.versions, 0);
  const unchanged = JSON.stringify(start) === JSON.stringify(middle);
  const [, message = ""] = output.split(/^error: /m);
  const claims: [boolean, string][] = [
    [code !== 0 && message === "", "it fails without a sentence"],
    [/^ {4}at /m.test(output), "it prints a stack trace"],
    [output.split("\n").length > 60, "it prints more than 60 lines"],
    [message.includes("nothing was deployed") && !unchanged, "something was changed, and it says that nothing was"],
    [/previous Worker is still|No Worker is/.test(message) && versions(start) !== versions(middle), "a Worker is new"],
    [message.includes("The new Worker is deployed") && versions(start) === versions(middle), "no Worker is new"],
  ];
  return claims.flatMap(([isFault, what]) => (isFault ? [`${what}: ${output}`] : []));
}

/** A Worker that is there has tables and keys. */
const judgeExposure = ({ workers, databases }: State): string[] =>
  workers.flatMap(({ name, secrets }) =>
    secrets.length >= 2 && databases.every(({ migrations }) => migrations > 0)
      ? []
      : [`${name} is deployed without tables or keys`],
  );

function judgeEnd(end: State, start: State, isStaging: boolean): string[] {
  const count = isStaging ? 2 : 1;
  const titles = [...end.databases.map(({ name }) => name), ...end.namespaces.map(({ title }) => title)];
  const ids = [...end.databases.map(({ uuid }) => uuid), ...end.namespaces.map(({ id }) => id)];
  const bound = end.workers.flatMap(({ stores }) => stores);
  const kept = (state: State) => [...state.databases.map(({ uuid }) => uuid), ...state.namespaces.map(({ id }) => id)];
  const claims: [boolean, string][] = [
    [new Set(titles).size === titles.length && end.namespaces.length === count, "a store is there twice or not at all"],
    [kept(start).every((id) => ids.includes(id)), "a store of before is gone"],
    [ids.every((id) => bound.includes(id)) && bound.length === ids.length, "a Worker is bound to other stores"],
    [end.databases.every(({ migrations }) => migrations > 0), "a database is not migrated"],
    [end.buckets.length === count, "the bucket is missing"],
    [end.queues.length === count && end.queues.every(({ consumers }) => consumers === 1), "a queue has not 1 consumer"],
    [end.workers.length === count, "a Worker is missing"],
    [end.workers.every(({ crons, isPublic }) => crons === 1 && isPublic), "a Worker has no cron or no address"],
    [end.workers.every(({ secrets }) => secrets.length === 2), "a Worker has not 2 keys"],
    [
      start.workers.every(({ name, secrets }) =>
        end.workers.some((one) => one.name === name && String(one.secrets) === String(secrets)),
      ),
      "a key of before is gone",
    ],
  ];
  return claims.flatMap(([holds, what]) => (holds ? [] : [what]));
}

if (import.meta.main) {
  const options = { from: { type: "string" } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  let [rows, bad] = [0, 0];
  for (const command of positionals.length > 0 ? positionals : Object.keys(COMMANDS))
    for await (const { call, when, code, says, faults } of runFaults(command, Number(values.from ?? 1))) {
      rows++;
      if (faults.length > 0) bad++;
      console.log(`${faults.length > 0 ? "✗" : "✓"} ${command} | ${call} | ${when} | ${code} | ${says.slice(0, 100)}`);
      for (const fault of faults) console.log(`    ${fault}`);
    }
  console.log(`${rows} rows, ${bad} end badly`);
  process.exitCode = bad > 0 ? 1 : 0;
}
