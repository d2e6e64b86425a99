/** `npm run deploy`: in which order, what is left when a step fails, and staging beside production. */

import { CONFIGURATION } from "./own-configuration.ts";
import "./own-state.ts";
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { unstable_readConfig } from "wrangler";
import type { AskService } from "../../src/cli/deployment/checks.ts";
import { deploy } from "../../src/cli/deployment/deployment.ts";
import { VERSION } from "../../src/platform/version.ts";
import { describeAccount } from "../platform/account-state.ts";
import { type Platform, startPlatform } from "../platform/platform.ts";
import { playWrangler } from "../platform/played-wrangler.ts";

const ROOT = join(import.meta.dirname, "../..");
const RECIPIENT = "age1m6548mkfqryqjsh5az8kl8ezqahztzkg483aa9n574gk36t9sdpqx8caxe";
const BUILD = "deploy --dry-run --config --env ";
const FIRST = "deploy --config --secrets-file --env ";
const DEPLOY = "deploy --config --env ";

describe("on an account", () => {
  let platform: Platform;
  beforeEach(async () => {
    platform = await startPlatform();
    for (const [name, value] of Object.entries(platform.environment)) vi.stubEnv(name, value);
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    await platform.close();
  });

  /** What was printed and run, and how it failed. */
  async function run(
    environment: "staging" | null = null,
    options: Parameters<typeof deploy>[2] = {},
    ask: AskService = null,
  ) {
    const [printed, runs]: [string[], string[]] = [[], []];
    const deployer = { wrangler: playWrangler(platform, runs), print: (text: string) => void printed.push(text), ask };
    platform.calls.length = 0;
    const failure = await deploy(environment, deployer, options).then(
      () => null,
      (error: Error) => error.message,
    );
    return { printed, runs, failure };
  }
  const made = () =>
    platform.calls.filter((call) => /^POST \/(d1\/database|r2\/buckets|queues|storage\/kv\/namespaces)$/.test(call));
  const secrets = (worker = "psp-gate") => [...(platform.account.scripts.get(worker)?.secrets.keys() ?? [])].sort();

  test("the first deployment makes the stores and migrates them, then the Worker with both keys; the next one none", async () => {
    const { runs, failure } = await run();
    expect(failure).toBeNull();
    expect(runs).toEqual([BUILD, FIRST]);
    expect(made()).toEqual(["POST /r2/buckets", "POST /d1/database", "POST /storage/kv/namespaces", "POST /queues"]);
    const migrated = platform.calls.findLastIndex((call) => call.endsWith("/raw") && call.startsWith("POST /d1"));
    expect(platform.calls.indexOf("PUT /workers/scripts/psp-gate")).toBeGreaterThan(
      platform.calls.findIndex((call) => call.endsWith("/raw")),
    );
    expect(migrated).toBeGreaterThan(0);
    const keys = secrets();
    expect(keys).toEqual([expect.stringMatching(/^SIGNING_KEY_/), expect.stringMatching(/^TOKEN_KEY_/)]);
    expect(await run()).toMatchObject({ failure: null, runs: [BUILD, DEPLOY] });
    expect({ made: made(), keys: secrets() }).toEqual({ made: [], keys });
  });

  test("--dry-run says which stores, keys and migrations a deployment would make, and changes nothing", async () => {
    const heading = "Nothing was changed. A deployment would:";
    const migrations = (await readdir(join(ROOT, "src/migrations"))).filter((name) => name.endsWith(".sql")).sort();
    const plan = async (options: Parameters<typeof deploy>[2] = {}) => {
      const before = describeAccount(platform.account);
      const { printed, runs, failure } = await run(null, { dryRun: true, ...options });
      const after = describeAccount(platform.account);
      expect({ failure, runs, after, built: printed[0] }).toEqual({
        ...{ failure: null, runs: [BUILD], after: before, built: "built" },
      });
      return printed.slice(1).join("\n").split("\n");
    };
    const lost = "which nobody could put back: KEY_RECIPIENT is empty";
    expect(await plan()).toEqual([
      heading,
      ...[
        "R2 bucket psp-gate-evidence",
        "D1 database psp-gate",
        "KV namespace psp-gate-kv",
        "queue psp-gate-events",
      ].map((store) => `  make the ${store}`),
      ...migrations.map((name) => `  migrate ${name}`),
      ...["token", "signing"].map((kind) => `  make the first ${kind} key, ${lost}`),
      "  deploy psp-gate for the first time",
    ]);

    await run();
    const inItsPlace = expect.stringMatching(/^ {2}deploy psp-gate in the place of \S+$/);
    expect(await plan()).toEqual([heading, "  make no store and no key, and migrate nothing", inItsPlace]);

    const last = migrations.at(-1) ?? "";
    platform.account.databases[0]?.sqlite.prepare("DELETE FROM d1_migrations WHERE name = ?").run(last);
    platform.account.stores.queues.length = 0;
    const held = platform.account.scripts.get("psp-gate")?.secrets;
    for (const name of held?.keys() ?? []) if (name.startsWith("TOKEN_KEY_")) held?.delete(name);
    expect(await plan({ recipient: RECIPIENT })).toEqual([
      ...[heading, "  make the queue psp-gate-events", `  migrate ${last}`],
      ...[`  make the first token key, sealed to ${RECIPIENT}`, inItsPlace],
    ]);
    const query = `POST /d1/database/${platform.account.databases[0]?.uuid}`;
    platform.fail({ call: query, when: "before", times: 9 });
    expect((await run(null, { dryRun: true })).printed.join("\n")).toContain(
      "not know what DB lacks, which does not answer: ",
    );
  });

  test("--verbose prints what wrangler says", async () => {
    const { printed } = await run(null, { verbose: true });
    expect(printed).toEqual(expect.arrayContaining(["built", "deployed"]));
  });

  test("staging has stores of its own", async () => {
    await run();
    expect(await run("staging")).toMatchObject({ failure: null, runs: [`${BUILD}staging`, `${FIRST}staging`] });
    const { databases, stores } = platform.account;
    expect(databases.map(({ name }) => name)).toEqual(["psp-gate", "psp-gate-staging"]);
    expect(stores.namespaces.map(({ title }) => title)).toEqual(["psp-gate-kv", "psp-gate-staging-kv"]);
    expect(secrets("psp-gate-staging")).toHaveLength(2);
  });

  test("what the deployed Worker is bound to stays, whatever its title is", async () => {
    await run();
    const [namespace] = platform.account.stores.namespaces;
    Object.assign(namespace ?? {}, { title: "renamed" });
    expect(await run()).toMatchObject({ failure: null });
    expect(platform.account.stores.namespaces).toHaveLength(1);
  });

  test("it ends with checks of what is deployed, and with what to do next", async () => {
    expect((await run()).printed.slice(-6)).toEqual([
      "✓ secrets: token keys 1, signing keys 1",
      "✓ cron: * * * * *",
      "✓ queue psp-gate-events: consumed by psp-gate",
      "✓ schema of DB: complete",
      "✓ health: not asked, ask https://psp-gate.a-bank.workers.dev/health",
      expect.stringMatching(/^Next:\n {2}npm run admin -- fi add .* --remote\n/),
    ]);
    const answer = { status: "degraded", reasons: ["nothing_loaded"], version: VERSION };
    const asked: string[] = [];
    const ask = async (url: string) => {
      asked.push(url);
      return Response.json(answer);
    };
    expect((await run(null, {}, ask)).printed).toContain(
      `✓ health: degraded, nothing_loaded, version ${VERSION}, at https://psp-gate.a-bank.workers.dev`,
    );
    expect(asked).toEqual(["https://psp-gate.a-bank.workers.dev/health"]);
  });

  test("the first keys are sealed before they are sent, and those that were sent in vain stay where they are", async () => {
    const folder = join(CONFIGURATION, "../keys/production");
    const listFiles = () => readdir(folder).catch(() => []);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2027-06-01T00:00:00Z") });
    platform.fail({ call: "PUT /workers/scripts/psp-gate", when: "before" });
    expect((await run(null, { recipient: RECIPIENT })).failure).toContain("No Worker is deployed.");
    expect((await run(null, { recipient: RECIPIENT })).failure).toContain("a key was made this very second, try again");
    vi.setSystemTime(Date.parse("2027-06-01T00:00:01Z"));
    expect(await listFiles()).toEqual([
      expect.stringMatching(/^SIGNING_KEY_.*\.age$/),
      expect.stringMatching(/^TOKEN_KEY_.*\.age$/),
    ]);
    const sent = (await readFile(CONFIGURATION, "utf8")).replace(
      /^KEY_RECIPIENT = ""$/m,
      `KEY_RECIPIENT = "${RECIPIENT}"`,
    );
    await writeFile(CONFIGURATION, sent);
    const { printed, failure } = await run();
    expect({ failure, lines: printed.filter((line) => line.includes(folder)).length }).toEqual({
      failure: null,
      lines: 2,
    });
    expect(printed.join("\n")).not.toContain("no custody");
    expect(await listFiles()).toEqual(expect.arrayContaining(secrets().map((name) => `${name}.age`)));
    const before = await listFiles();
    expect(await run()).toMatchObject({ failure: null });
    expect(await listFiles()).toEqual(before);
    copyFileSync(join(ROOT, "wrangler.toml"), CONFIGURATION);
  });

  test("without a recipient one line says that the first keys have no custody; with one that is none nothing is deployed", async () => {
    expect((await run(null, { recipient: "age1nobody" })).failure).toMatch(
      /^nothing was deployed: --recipient is no public key of age/,
    );
    expect(platform.calls).toEqual([]);
    const said = ({ printed }: { printed: string[] }) => printed.filter((line) => line.includes("have no custody"));
    expect(said(await run())).toEqual([expect.stringMatching(/nobody can put the key back .* Set KEY_RECIPIENT/)]);
    expect(said(await run())).toEqual([]);
  });

  test("a check that finds something missing, or cannot be made, is an exit code of its own", async () => {
    await run();
    platform.fail({ call: "GET /workers/scripts/psp-gate/schedules", when: "before" });
    const { failure } = await run();
    expect(failure).toMatch(/^cron: could not be asked: [\s\S]*\nThe new Worker is deployed\. Run it again/);
  });

  test("--jurisdiction: D1, R2 and the Durable Objects are there from the first deployment on, and nowhere else later", async () => {
    expect(await run(null, { jurisdiction: "eu" })).toMatchObject({ failure: null });
    const { databases, stores, scripts } = platform.account;
    expect(databases).toMatchObject([{ jurisdiction: "eu" }]);
    expect([...stores.buckets]).toEqual(["eu/psp-gate-evidence"]);
    const variable = scripts.get("psp-gate")?.versions[0]?.bindings.find(({ name }) => name === "JURISDICTION");
    expect(variable).toMatchObject({ text: "eu" });
    expect(readFileSync(CONFIGURATION, "utf8").match(/^JURISDICTION = .*$/gm)).toEqual([
      'JURISDICTION = "eu"',
      'JURISDICTION = ""',
    ]);
    expect(await run()).toMatchObject({ failure: null });
    expect((await run(null, { jurisdiction: "us" })).failure).toMatch(
      /^nothing was deployed: what psp-gate keeps lies in eu and not in us, which cannot be changed/,
    );
    copyFileSync(join(ROOT, "wrangler.toml"), CONFIGURATION);
    expect((await run()).failure).toMatch(/^nothing was deployed: what psp-gate keeps lies in eu and not in none/);
  });

  test.each(["D1 database psp-gate", "R2 bucket psp-gate-evidence"])(
    "a %s that lies elsewhere is refused, and nothing is made",
    async (store) => {
      await run();
      const { stores, scripts } = platform.account;
      scripts.clear();
      if (store.startsWith("D1")) stores.buckets.clear();
      expect((await run(null, { jurisdiction: "eu" })).failure).toMatch(
        `nothing was deployed: the ${store} lies in no jurisdiction and not in eu`,
      );
      expect(made()).toEqual([]);
      expect(readFileSync(CONFIGURATION, "utf8")).not.toContain('JURISDICTION = "eu"');
    },
  );

  test("what could not be built makes nothing", async () => {
    const wrangler = async () => ({ code: 1, output: "✘ [ERROR] a syntax error\n\n\n🪵  Logs were written" });
    await expect(deploy(null, { wrangler, print: () => {}, ask: null })).rejects.toThrow(
      /^nothing was deployed: wrangler deploy failed: a syntax error$/,
    );
    expect(platform.calls).toEqual([]);
  });

  test("an account without R2: nothing is made, the message says how to go on, and a rerun then works", async () => {
    platform.account.stores.hasR2 = false;
    expect((await run()).failure).toMatch(
      /^nothing was deployed: could not find the R2 bucket [\s\S]*\[code: 10042\]\nThe account has no R2, [\s\S]*\[\[r2_buckets\]\]/,
    );
    expect(made()).toEqual([]);
    platform.account.stores.hasR2 = true;
    expect(await run()).toMatchObject({ failure: null });
  });

  test("a store that is made although the call failed is found", async () => {
    platform.fail({ call: "POST /storage/kv/namespaces", when: "after" });
    expect(await run()).toMatchObject({ failure: null });
    expect(platform.account.stores.namespaces).toHaveLength(1);
  });

  test.each([
    [
      "POST /queues",
      "before",
      /^could not make the queue .*\nDone so far: R2 bucket .*, KV namespace psp-gate-kv\.\nNo Worker is deployed\. Run it again/,
    ],
    [
      "PUT /workers/scripts/psp-gate",
      "before",
      /^wrangler deploy failed: .*[\s\S]*migrated DB\.\nNo Worker is deployed\. Run it again/,
    ],
    ["PUT /workers/scripts/psp-gate/schedules", "before", /\nThe new Worker is deployed\. Run it again/],
    [
      "GET /workers/scripts/psp-gate/deployments",
      "before",
      /^nothing was deployed: Cloudflare does not say whether psp-gate is deployed/,
    ],
  ] as const)(
    "a first deployment whose %s fails says what there is, and the next one finishes it",
    async (call, when, message) => {
      platform.fail({ call, when });
      expect((await run()).failure).toMatch(message);
      expect(await run()).toMatchObject({ failure: null });
      expect(secrets()).toHaveLength(2);
    },
  );

  test("a second deployment that fails says which Worker is deployed", async () => {
    await run();
    platform.fail({ call: "PUT /workers/scripts/psp-gate", when: "before" });
    expect((await run()).failure).toMatch(/^nothing was deployed: wrangler deploy failed/);
    platform.fail({ call: "PUT /workers/scripts/psp-gate", when: "after" });
    expect((await run()).failure).toMatch(/\nNothing else was made\.\nThe new Worker is deployed/);
  });
});

test("without its R2 bucket the configuration is one, and status and doctor say what is off", async () => {
  const { ledgerWarnings } = await import("../../src/evidence/ledger/ledger-settings.ts");
  const { findLedger } = await import("../../src/cli/doctor/ledgers.ts");
  expect(findLedger({ records: "on", bucket: true, signs: null })).toMatchObject({ state: "good", todo: null });
  expect(findLedger({ records: "on", bucket: false, signs: null }).message).toContain("only the newest GiB");
  expect(findLedger({ records: "off", bucket: true, signs: null }).message).toContain("is not recorded");
  expect(ledgerWarnings({ records: "on", bucket: true, signs: false })).toEqual([
    expect.stringContaining("not signed"),
  ]);
  expect(ledgerWarnings({ records: "on", bucket: true, signs: true })).toEqual([]);
});

test("doctor says whether a monitor can read /metrics", async () => {
  const { findMetricsToken } = await import("../../src/cli/doctor/metrics-token.ts");
  const access = { ACCESS_TEAM_DOMAIN: "https://bank.cloudflareaccess.com", ACCESS_AUDIENCE: "a" };
  expect([
    findMetricsToken(null, {}),
    findMetricsToken(null, access),
    findMetricsToken("secret", {}),
    findMetricsToken("x".repeat(31), {}),
    findMetricsToken("x".repeat(32), {}),
    findMetricsToken(null, { METRICS_TOKEN: "x".repeat(32) }),
  ]).toMatchObject([
    { state: "good", message: "METRICS_TOKEN is not set: GET /metrics is a 404" },
    { state: "good", message: expect.stringContaining("Access opens it") },
    { state: "good", message: expect.stringContaining("below 32") },
    { message: "METRICS_TOKEN has 31 characters, which can be guessed: it opens nothing", todo: expect.any(String) },
    { state: "good", message: "METRICS_TOKEN is set, and long enough" },
    { message: expect.stringContaining("is a variable of wrangler.toml"), todo: expect.any(String) },
  ]);
});

describe("the command", () => {
  // without a login wrangler would fail: whatever succeeds here has deployed nothing
  const run = (...args: string[]) => {
    const env = { ...process.env, CLOUDFLARE_API_TOKEN: "", CI: "true", HOME: "/nonexistent" };
    return spawnSync(process.execPath, ["src/cli/deployment/deploy.ts", ...args], { cwd: ROOT, env, encoding: "utf8" });
  };

  test("--dry-run needs no login, builds what is not there, and says what would be sent and made", async () => {
    await rm(join(ROOT, "dist/worker.json"), { force: true });
    const { status, stdout, stderr } = run("--dry-run");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      /modules\/console-\w+\.js[\s\S]*Read \d+ files from the assets directory[\s\S]*--dry-run: exiting now/,
    );
    expect(stdout).toMatch(
      /\nCloudflare was not asked: not signed in .*\nOn an account that has nothing of it, a deployment would:\n {2}make the R2 bucket psp-gate-evidence\n/,
    );
    expect(stdout).toMatch(/\n {2}deploy psp-gate for the first time\n$/);
  });

  test("--help tells and deploys nothing", () => {
    const { status, stdout, stderr } = run("--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: npm run deploy -- \[options\]/);
    expect(stdout).toContain("--env <name>");
  });

  test.each([[["--dry"]], [["staging"]], [["--env", "moon"]]])("%j is not understood: nothing is deployed", (args) => {
    const { status, stdout, stderr } = run(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^error: /);
  });
});

/** As far as it is looked at; wrangler's own type is lost in its bundle. */
interface Config {
  readonly name: string;
  readonly main: string;
  readonly vars: object;
  readonly durable_objects: object;
  readonly exports: object;
  readonly triggers: object;
  readonly alias: object;
  readonly kv_namespaces: readonly { readonly binding: string }[];
  readonly d1_databases: readonly {
    readonly binding: string;
    readonly database_name: string;
    readonly migrations_dir: string;
  }[];
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name: string }[];
  readonly ratelimits: readonly { readonly name: string; readonly namespace_id: string; readonly simple: object }[];
}

test.each([undefined, "staging"])(
  "no request leads to an origin of the service's own zone past what guards it: %s",
  (env) => {
    const config = join(ROOT, "wrangler.toml");
    const { compatibility_flags } = unstable_readConfig({ config, ...(env !== undefined && { env }) });
    expect(compatibility_flags).toContain("global_fetch_strictly_public");
  },
);

test("with a domain of one's own staging does not take production's", () => {
  const read = (name: string) => readFileSync(name, "utf8");
  const config = `${CONFIGURATION}.domain.toml`;
  const example = read(join(ROOT, "wrangler.toml"))
    .replace("workers_dev = true\n", "")
    .replace(/^# (workers_dev = false|preview_urls = false|routes = \[| {2}\{ pattern.*|\]$)/gm, "$1");
  writeFileSync(config, example);
  const of = (env: string) => {
    const { workers_dev, routes } = unstable_readConfig({ config, env }, { hideWarnings: true });
    return { workers_dev, routes: routes?.length };
  };
  expect({ production: of(""), staging: of("staging") }).toEqual({
    production: { workers_dev: false, routes: 2 },
    staging: { workers_dev: true, routes: 0 },
  });
});

test("staging has every binding and variable of production, and no store in common with it", () => {
  const config = join(ROOT, "wrangler.toml");
  const [production, staging]: [Config, Config] = [
    unstable_readConfig({ config }),
    unstable_readConfig({ config, env: "staging" }),
  ];
  const shape = ({ vars, durable_objects, exports, triggers, alias, main, ...stores }: Config) => ({
    ...{ vars: Object.keys(vars).sort(), exports, triggers, alias, main, durable_objects },
    kv: stores.kv_namespaces.map(({ binding }) => binding),
    d1: stores.d1_databases.map(({ binding, migrations_dir }) => [binding, migrations_dir]),
    r2: stores.r2_buckets.map(({ binding }) => binding),
    limits: stores.ratelimits.map(({ name, simple }) => [name, simple]),
  });
  expect(shape(staging)).toEqual(shape(production));
  const stores = (one: Config) => [
    one.name,
    ...one.d1_databases.map(({ database_name }) => database_name),
    ...one.r2_buckets.map(({ bucket_name }) => bucket_name),
    ...one.ratelimits.map(({ namespace_id }) => namespace_id),
  ];
  expect(stores(staging).filter((name) => stores(production).includes(name))).toEqual([]);
});
