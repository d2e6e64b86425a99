/**
 * A deployment: builds, finds or makes the stores, migrates the databases, and deploys the Worker with its first keys. So
 * the Worker is never public without tables and keys. The sandbox is not deployed. Whatever failed, a rerun goes on.
 *
 * A migration runs under the Worker that is deployed, and that Worker must go on reading; its name says whether it may write
 * (docs/decisions/databases.md). What is to go, goes one deployment later.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readBaseUrl } from "../../http/errors/errors.ts";
import { isAdditive } from "../../platform/schema-version.ts";
import { buildSite } from "../build/site.ts";
import { buildWorker } from "../build/worker-modules.ts";
import { CONFIGURATION, replaceConfiguration } from "../configuration.ts";
import { findPending, migrate, nameMigration } from "../database/migrations.ts";
import { CommandError, EXIT, fail } from "../fail.ts";
import { NO_CUSTODY, readRecipient, sealKey } from "../keys/custody.ts";
import { PREFIX } from "../keys/keys.ts";
import { halfRestored } from "../stores.ts";
import { type Environment, environmentOption, type Target } from "../target.ts";
import { readComplaint } from "../wrangler.ts";
import { type AskService, checkDeployed } from "./checks.ts";
import { type Account, findAccount } from "./cloudflare-api.ts";
import {
  type DeploymentConfiguration,
  readDeploymentConfiguration,
  setJurisdiction,
  withFiles,
} from "./configuration.ts";
import { openDatabase, type StoreIds } from "./deployed-stores.ts";
import { describePlan } from "./plan.ts";
import { describeWorker, makeFirstSecrets, orderDatabases, readDeployed, readVersion } from "./state.ts";
import { failed, makeStores } from "./stores.ts";

export interface Deployer {
  readonly wrangler: (args: readonly string[]) => Promise<{ code: number; output: string }>;
  readonly print: (text: string) => void;
  readonly ask: AskService;
}

export interface DeployOptions {
  readonly dryRun?: boolean;
  /** In which all stores are from the first deployment on. It is written into wrangler.toml. */
  readonly jurisdiction?: string;
  /** Public key of age, to which the first keys are sealed. */
  readonly recipient?: string;
  /** Prints what wrangler prints, too. */
  readonly verbose?: boolean;
  /** Only migrates and uploads: no request goes to the new version yet. */
  readonly upload?: boolean;
}

/** What is changed so far, in words; and the version of the Worker at the start, null without one. */
interface Progress {
  readonly done: string[];
  readonly before: string | null;
}

/** `environment` null: production. Fails with a sentence that says what is made and which Worker is deployed. */
export async function deploy(
  environment: Environment | null,
  deployer: Deployer,
  { dryRun = false, verbose = false, upload = false, jurisdiction, recipient: keeper }: DeployOptions = {},
): Promise<void> {
  const configuration = await readDeploymentConfiguration(environment, jurisdiction);
  const { worker, vars } = configuration;
  const nothing = (message: string): never => fail(`nothing was deployed: ${message}`);
  const base = readBaseUrl(String(vars["BASE_URL"] ?? ""));
  if (!base.ok) nothing(`${base.message} (wrangler.toml)`);
  if (vars["WEBHOOK_TARGETS"] !== "public")
    nothing('WEBHOOK_TARGETS is not "public" (wrangler.toml), so a webhook could lead into a private network');
  const target: Target = { remote: true, environment };
  const recipient = await readRecipient(keeper, target).catch((error: Error) => nothing(error.message));

  await Promise.all([buildWorker(), buildSite({ sandbox: false })]).catch((error: Error) =>
    nothing(`the Worker could not be built\n${error.message}`),
  );
  const send = async (ids: StoreIds, secrets: Readonly<Record<string, string>>, ...args: string[]) => {
    const files = { "wrangler.toml": configuration.write(ids), "secrets.json": JSON.stringify(secrets) };
    const { code, output } = await withFiles(files, (folder) =>
      deployer.wrangler([
        ...[
          ...(upload && !args.includes("--dry-run") ? ["versions", "upload"] : ["deploy"]),
          ...args,
          "--config",
          join(folder, "wrangler.toml"),
        ],
        ...(Object.keys(secrets).length > 0 ? ["--secrets-file", join(folder, "secrets.json")] : []),
        ...environmentOption(environment),
      ]),
    );
    if (verbose || (dryRun && code === 0)) deployer.print(output);
    if (code !== 0) fail(`wrangler deploy failed: ${verbose ? "see above" : readComplaint(output)}`);
    return output;
  };
  await send(new Map(), {}, "--dry-run").catch((error: Error) => nothing(error.message));
  if (dryRun) return deployer.print(await describePlan(configuration, recipient));

  const account = await findAccount().catch(failed("find the account"));
  const before = await readVersion(account, worker).catch((error: Error) =>
    nothing(`Cloudflare does not say whether ${worker} is deployed: ${error.message}`),
  );
  if (upload && before === null)
    nothing(`${worker} is not deployed yet, so there is no version beside the new one: leave out --upload`);
  const progress: Progress = { done: [], before };
  try {
    await deployTo(account, configuration, progress, {
      ...{ ...deployer, send, upload },
      seal: (key) => sealKey(key, recipient, target),
    });
    // for the next deployment, which without it would be refused
    if (jurisdiction !== undefined)
      await replaceConfiguration(setJurisdiction(await readFile(CONFIGURATION, "utf8"), environment, jurisdiction));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const { done } = progress;
    const state = await describeWorker(account, worker, before);
    if (done.length === 0 && state.unchanged) nothing(`${error.message}`);
    const made = done.length > 0 ? `Done so far: ${done.join(", ")}.\n` : "Nothing else was made.\n";
    fail(`${error.message}\n${made}${state.sentence} Run it again: it goes on from there.`, error.exitCode);
  }
  const option = environment === null ? "--remote" : `--env ${environment}`;
  if (upload) return;
  deployer.print(
    [
      "Next:",
      ...(before === null ? [`  npm run admin -- fi add --name NAME --reference REFERENCE ${option}`] : []),
      `  npm run admin -- refresh ${option}   # or wait for the first scheduled runs`,
      `  npm run admin -- doctor ${option}`,
    ].join("\n"),
  );
}

async function deployTo(
  account: Account,
  configuration: DeploymentConfiguration,
  { done, before }: Progress,
  {
    print,
    ask,
    send,
    seal,
    upload,
  }: Pick<Deployer, "print" | "ask"> & {
    readonly send: (ids: StoreIds, secrets: Readonly<Record<string, string>>) => Promise<string>;
    /** Where the key is sealed; null: nowhere. */
    readonly seal: (key: { readonly name: string; readonly value: string }) => Promise<string | null>;
    readonly upload: boolean;
  },
): Promise<void> {
  const { worker, wanted, jurisdiction } = configuration;
  const deployed = await readDeployed(account, configuration, before);
  const ids = await makeStores(account, deployed, jurisdiction, done);
  for (const one of done) print(`✓ made the ${one}`);

  const silent: string[] = [];
  for (const { binding, number } of orderDatabases(wanted)) {
    const db = openDatabase(account, ids.get(binding) ?? "");
    const pending = await findPending(db).catch((error: unknown) => {
      // one that is served already: its institutions wait for it anyway, and the others are served
      if (number === 1 || deployed.bound.get(binding) !== ids.get(binding))
        return failed(`read the database ${binding}`)(error);
      silent.push(`${binding} does not answer and was not migrated: ${error instanceof Error ? error.message : error}`);
      return null;
    });
    if (pending === null || pending.migrations.length === 0) continue;
    if (pending.below1_0) fail(`${binding} was made by a release below 1.0: bind an empty database instead`);
    if (pending.halfRestored) fail(halfRestored(binding));
    const breaking = pending.migrations.find((name) => !isAdditive(name));
    if (upload && breaking !== undefined)
      fail(`beside ${breaking} the deployed version would refuse all writes: deploy at once, without --upload`);
    await migrate(db, pending.migrations).catch(failed(`migrate the database ${binding}`));
    done.push(`migrated ${binding}`);
    for (const name of pending.migrations) print(`✓ migrated ${nameMigration(name, { number, binding })}`);
  }
  const first = makeFirstSecrets(deployed.secrets);
  const sealed: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(first)) {
    sealed[name] = await seal({ name, value }).catch(failed("seal the first keys"));
    if (sealed[name] !== null) print(`✓ sealed a first key in ${sealed[name]}: keep a copy elsewhere`);
  }
  const output = await send(ids, first);
  for (const name of Object.keys(first)) print(`✓ made the first ${name.startsWith(PREFIX) ? "token" : "signing"} key`);
  if (Object.values(sealed).includes(null)) print(`! the first keys have no custody: ${NO_CUSTODY}`);
  if (upload) {
    print(describeUpload(worker, before, /Version ID: (\S+)/.exec(output)?.[1] ?? "NEW"));
    return silent.length > 0 ? fail(silent.join("\n"), EXIT.unknown) : undefined;
  }
  print(`✓ deployed ${worker}`);
  const checks = await checkDeployed(account, configuration, ids, ask);
  for (const { ok, text } of checks) print(`${ok === null ? "?" : ok ? "✓" : "✗"} ${text}`);
  const missing = checks.filter(({ ok }) => ok !== true).map(({ text }) => text);
  if (missing.length > 0 || silent.length > 0)
    fail([...silent, ...missing].join("\n"), checks.some(({ ok }) => ok === false) ? EXIT.no : EXIT.unknown);
}

/** `before`: as {@link readVersion} says. While two versions are deployed already, the operator says how they share. */
const describeUpload = (worker: string, before: string | null, version: string): string =>
  [
    `✓ uploaded ${worker}, version ${version}: no request goes to it yet`,
    "Next:",
    `  npx wrangler versions deploy ${version}@10% ${before?.includes(" ") ? "OLD" : before}@90% --name ${worker} --yes`,
    `  npx wrangler versions deploy ${version}@100% --name ${worker} --yes`,
  ].join("\n");
