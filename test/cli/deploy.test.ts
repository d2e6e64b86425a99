/** `npm run deploy`: in which order, what is left when a step fails, and staging beside production. */
import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { type Deployer, deploy } from "../../src/cli/deployment.ts";

const ROOT = join(import.meta.dirname, "../..");
const NO_DATABASE =
  "Couldn't find a D1 DB named 'psp-gate' (bound as 'DB') in the API. Run 'wrangler d1 create psp-gate'.";

/** wrangler as the answers say, by the command's first word, and to the dry run `unbuilt`; everything that was asked of it. */
function played(
  answers: Record<string, { code: number; output: string }[]>,
  kids: string[] = ["20260101T000000Z"],
  unbuilt?: { code: number; output: string },
) {
  const steps: string[] = [];
  const deployer: Deployer = {
    wrangler: async (args) => {
      steps.push(args.join(" "));
      if (args.includes("--dry-run")) return unbuilt ?? { code: 0, output: "built" };
      return answers[args[0] ?? ""]?.shift() ?? { code: 0, output: "done" };
    },
    listKids: async ({ environment }) => {
      steps.push(`list keys of ${environment ?? "production"}`);
      return kids;
    },
    addKey: async ({ environment }) => {
      steps.push(`add a key to ${environment ?? "production"}`);
      return "20260201T000000Z";
    },
    print: () => {},
  };
  return { steps, deployer };
}
const BUILD = "deploy --dry-run --env ";
const MIGRATE = "d1 migrations apply DB --remote --env ";
const QUEUE = "queues info psp-gate-events --env ";
const DEPLOY = "deploy --env ";

test("the database is migrated before the Worker that needs it is deployed", async () => {
  const { steps, deployer } = played({});
  await deploy(null, deployer);
  expect(steps).toEqual([BUILD, MIGRATE, QUEUE, DEPLOY, "list keys of production"]);
});

test("--dry-run builds and sends nothing", async () => {
  const { steps, deployer } = played({});
  await deploy(null, deployer, true);
  expect(steps).toEqual([BUILD]);
});

test("what does not build changes no database", async () => {
  const { steps, deployer } = played({}, [], { code: 1, output: "a syntax error" });
  await expect(deploy(null, deployer)).rejects.toThrow(
    "nothing was deployed: the Worker could not be built\na syntax error",
  );
  expect(steps).toEqual([BUILD]);
});

test("--env staging: each step is for staging", async () => {
  const { steps, deployer } = played({}, []);
  await deploy("staging", deployer);
  expect(steps).toEqual([
    ...[
      `${BUILD}staging`,
      `${MIGRATE}staging`,
      "queues info psp-gate-staging-events --env staging",
      `${DEPLOY}staging`,
    ],
    ...["list keys of staging", "add a key to staging"],
  ]);
});

test("the first deployment makes the database, migrates it then, and makes a key", async () => {
  const { steps, deployer } = played({ d1: [{ code: 1, output: NO_DATABASE }] }, []);
  await deploy(null, deployer);
  expect(steps).toEqual([BUILD, MIGRATE, QUEUE, DEPLOY, MIGRATE, "list keys of production", "add a key to production"]);
});

test("a queue that is not there is made before the Worker that sends to it", async () => {
  const absent = { code: 1, output: 'Queue "psp-gate-events" does not exist' };
  const { steps, deployer } = played({ queues: [absent] });
  await deploy(null, deployer);
  expect(steps).toEqual([BUILD, MIGRATE, QUEUE, QUEUE.replace("info", "create"), DEPLOY, "list keys of production"]);
  const refused = played({ queues: [absent, { code: 1, output: "no Queues" }] });
  await expect(deploy(null, refused.deployer)).rejects.toThrow(/^nothing was deployed: the queue psp-gate-events /);
});

test.each([
  ["d1", "nothing was deployed: the database DB could not be migrated\nno route to host", [BUILD, MIGRATE]],
  [
    "deploy",
    "the database is migrated, the Worker before it is still deployed\nno route to host",
    [BUILD, MIGRATE, QUEUE, DEPLOY],
  ],
])("a failure of `wrangler %s` ends it and says what is done", async (step, message, asked) => {
  const { steps, deployer } = played({ [step]: [{ code: 1, output: "no route to host" }] });
  await expect(deploy(null, deployer)).rejects.toThrow(message);
  expect(steps).toEqual(asked);
});

test("an account without R2: the message says how to deploy with it, and without", async () => {
  const output =
    "A request to the Cloudflare API (/accounts/1/r2/buckets/psp-gate-evidence) failed.\n  Please enable R2 through the Cloudflare Dashboard. [code: 10042]";
  const { deployer } = played({ deploy: [{ code: 1, output }] });
  await expect(deploy(null, deployer)).rejects.toThrow(
    /still deployed\nThe account has no R2, [\s\S]*\[\[r2_buckets\]\][\s\S]*\[code: 10042\]$/,
  );
});

test("without its R2 bucket the configuration is one, and status and doctor say what is off", async () => {
  const { ledgerWarnings } = await import("../../src/evidence/ledger/ledger-settings.ts");
  const { findLedger } = await import("../../src/cli/settings-check.ts");
  expect(findLedger({ records: "on", bucket: true, signs: null })).toMatchObject({ state: "good", todo: null });
  expect(findLedger({ records: "on", bucket: false, signs: null }).message).toContain("only the newest GiB");
  expect(findLedger({ records: "off", bucket: true, signs: null }).message).toContain("is not recorded");
  expect(ledgerWarnings({ records: "on", bucket: true, signs: false })).toEqual([
    expect.stringContaining("not signed"),
  ]);
  expect(ledgerWarnings({ records: "on", bucket: true, signs: true })).toEqual([]);
});

describe("the command", () => {
  // without a login wrangler would fail: whatever succeeds here has deployed nothing
  const run = (...args: string[]) => {
    const env = { ...process.env, CLOUDFLARE_API_TOKEN: "", CI: "true", HOME: "/nonexistent" };
    return spawnSync(process.execPath, ["src/cli/deploy.ts", ...args], { cwd: ROOT, env, encoding: "utf8" });
  };

  test("--dry-run needs no login, makes what is not there, and says what would be sent", async () => {
    await rm(join(ROOT, "dist/worker.json"), { force: true });
    const { status, stdout, stderr } = run("--dry-run");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      /modules\/console-\w+\.js[\s\S]*Read \d+ files from the assets directory[\s\S]*--dry-run: exiting now/,
    );
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
