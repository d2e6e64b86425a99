/** What `npm run deploy -- --dry-run` says: what a deployment would make and change, by what is there now. Nothing is sent but questions. */

import { findPending, listFiles, nameMigration } from "../database/migrations.ts";
import { CommandError } from "../fail.ts";
import { PREFIX } from "../keys/keys.ts";
import { findAccount } from "./cloudflare-api.ts";
import type { DeploymentConfiguration } from "./configuration.ts";
import { openDatabase } from "./deployed-stores.ts";
import { makeFirstSecrets, orderDatabases, readDeployed, readVersion } from "./state.ts";
import { failed } from "./stores.ts";

/** `recipient`: to whom first keys are sealed. Without a login the plan is that of an account that has nothing yet. */
export async function describePlan(configuration: DeploymentConfiguration, recipient: string | null): Promise<string> {
  const { worker, wanted } = configuration;
  const answer = await findAccount().catch((error: unknown) => {
    if (error instanceof CommandError) return error;
    throw error;
  });
  const account = answer instanceof CommandError ? null : answer;
  const before =
    account && (await readVersion(account, worker).catch(failed(`find out whether ${worker} is deployed`)));
  const { ids, missing, secrets } = await readDeployed(account, configuration, before);
  const steps = missing.map(({ kind, title }) => `make the ${kind} ${title}`);
  for (const database of orderDatabases(wanted)) {
    const id = ids.get(database.binding);
    const lacks = async () =>
      account && id !== undefined ? (await findPending(openDatabase(account, id))).migrations : await listFiles();
    const migrations = await lacks().catch((error: Error) => {
      steps.push(`not know what ${database.binding} lacks, which does not answer: ${error.message}`);
      return [];
    });
    steps.push(...migrations.map((name) => `migrate ${nameMigration(name, database)}`));
  }
  const custody = recipient === null ? "which nobody could put back: KEY_RECIPIENT is empty" : `sealed to ${recipient}`;
  for (const name of Object.keys(makeFirstSecrets(secrets)))
    steps.push(`make the first ${name.startsWith(PREFIX) ? "token" : "signing"} key, ${custody}`);
  if (before !== null && steps.length === 0) steps.push("make no store and no key, and migrate nothing");
  steps.push(before === null ? `deploy ${worker} for the first time` : `deploy ${worker} in the place of ${before}`);
  const heading =
    answer instanceof CommandError
      ? `Cloudflare was not asked: ${answer.message}.\nOn an account that has nothing of it, a deployment would:`
      : "Nothing was changed. A deployment would:";
  return [heading, ...steps.map((step) => `  ${step}`)].join("\n");
}
