/**
 * A deployment: builds, migrates the databases, makes the queue if there is none, deploys the Worker (wrangler makes D1 and
 * KV on first use), and makes the first token key if there is none. The sandbox is not deployed.
 *
 * The databases are migrated first, because the new Worker needs the new tables with its first request. So a migration
 * runs under the Worker that is deployed, and that Worker must go on working: a migration only adds tables, indexes and
 * columns that may be null or have a default, and drops an index or rewrites values only where the old Worker can do
 * with it. What is to go, goes one deployment later.
 */
import { join } from "node:path";
import { readBaseUrl } from "../http/errors/errors.ts";
import { bindingOf, numberOf } from "../institutions/databases.ts";
import { ROOT } from "./configuration.ts";
import { readDeploymentTables } from "./deployment-tables.ts";
import { fail } from "./fail.ts";
import { type Environment, environmentOption, type Target } from "./target.ts";
import { loadWrangler } from "./wrangler.ts";

export interface Deployer {
  readonly wrangler: (args: readonly string[]) => Promise<{ code: number; output: string }>;
  readonly listKids: (target: Target) => Promise<string[]>;
  /** Returns the new key's id. */
  readonly addKey: (target: Target) => Promise<string>;
  readonly print: (text: string) => void;
}

/** wrangler's message for a database that is not there: it is made by the next deployment. */
const NO_DATABASE = /Couldn't find an? (auto-provisioned )?D1 DB\b/;

/** Cloudflare's error where R2 was never enabled for the account. wrangler makes the bucket, but cannot enable it. */
const NO_R2 = /\[code: 10042\]|enable R2/i;
const R2_HELP = `The account has no R2, where kept evidence and old records go. Either enable it (dash.cloudflare.com, R2), or run without
it: take the table [[r2_buckets]] of EVIDENCE out of wrangler.toml. Then evidence is not kept, and of each institution's
ledger only the newest GiB, in its Durable Object. Then: npm run deploy`;

/** Null: production. `dryRun`: builds, and sends nothing. Fails with what wrangler said; then nothing further was done. */
export async function deploy(environment: Environment | null, deployer: Deployer, dryRun = false): Promise<void> {
  const { vars, queues } = loadWrangler().unstable_readConfig({
    config: join(ROOT, "wrangler.toml"),
    ...(environment !== null && { env: environment }),
  });
  const base = readBaseUrl(String(vars["BASE_URL"] ?? ""));
  if (!base.ok) fail(`nothing was deployed: ${base.message} (wrangler.toml)`);

  if (vars["WEBHOOK_TARGETS"] !== "public")
    fail(
      'nothing was deployed: WEBHOOK_TARGETS is not "public" (wrangler.toml), so a webhook could lead into a private network',
    );

  const option = environmentOption(environment);
  const run = async (args: readonly string[]) => {
    const result = await deployer.wrangler([...args, ...option]);
    if (result.code === 0) deployer.print(result.output);
    return result;
  };
  const need = ({ code, output }: { code: number; output: string }, then: string) => {
    if (code !== 0) fail(`${then}\n${output}`);
  };
  // builds, too: what does not build changes no database
  need(await run(["deploy", "--dry-run"]), "nothing was deployed: the Worker could not be built");
  if (dryRun) return;
  const migrate = (binding: string) => run(["d1", "migrations", "apply", binding, "--remote"]);
  const isNew = new Map<string, boolean>();
  // by its meaning, not by its text: of a table that is written in another way the database would be left as it is
  const numbers = Object.keys(readDeploymentTables(environment).databases).flatMap(
    (binding) => numberOf(binding) ?? [],
  );
  for (const binding of numbers.sort((a, b) => a - b).map(bindingOf)) {
    const migrated = await migrate(binding);
    isNew.set(binding, migrated.code !== 0 && NO_DATABASE.test(migrated.output));
    if (!isNew.get(binding)) need(migrated, `nothing was deployed: the database ${binding} could not be migrated`);
  }
  for (const { queue } of queues.producers ?? []) {
    const known = await deployer.wrangler(["queues", "info", queue, ...option]);
    if (known.code !== 0)
      need(await run(["queues", "create", queue]), `nothing was deployed: the queue ${queue} could not be made`);
  }
  const deployed = await run(["deploy"]);
  const state = isNew.get("DB")
    ? "nothing was deployed"
    : "the database is migrated, the Worker before it is still deployed";
  need(deployed, NO_R2.test(deployed.output) ? `${state}\n${R2_HELP}` : state);
  // made by the deployment; of all but the first, no institution is in it yet
  for (const [binding] of [...isNew].filter(([, made]) => made))
    need(
      await migrate(binding),
      `the Worker is deployed, and its database ${binding} is not migrated: npm run deploy again`,
    );
  const target: Target = { remote: true, environment };
  if ((await deployer.listKids(target)).length === 0)
    deployer.print(`made the first token key: ${await deployer.addKey(target)}`);
}
