/** What is deployed now, as Cloudflare says, and what a deployment still has to make. */
import { SIGNING_KEY_PREFIX } from "../../evidence/signatures/signing-keys.ts";
import { numberOf } from "../../institutions/databases.ts";
import { makeSecret } from "../../platform/secrets.ts";
import { fail } from "../fail.ts";
import { makeKid, PREFIX } from "../keys/keys.ts";
import { makeSigningKey } from "../keys/signing-keys.ts";
import { listSecretNames } from "./checks.ts";
import { type Account, ApiRefusal, callAccount } from "./cloudflare-api.ts";
import type { DeploymentConfiguration } from "./configuration.ts";
import { listStoreIds, NO_WORKER, readBindings, type StoreIds } from "./deployed-stores.ts";
import { type FoundStores, failed, findStores, liesElsewhere, type Wanted } from "./stores.ts";

export interface Deployed extends FoundStores {
  /** To which the deployed Worker is bound. */
  readonly bound: StoreIds;
  /** Names. */
  readonly secrets: readonly string[];
}

/** `account` null: nobody is asked, and nothing is deployed. `before`: as {@link readVersion} says. Fails with a sentence. */
export async function readDeployed(
  account: Account | null,
  { worker, wanted, known, jurisdiction }: DeploymentConfiguration,
  before: string | null,
): Promise<Deployed> {
  const isThere = account !== null && before !== null;
  const bindings = isThere ? await readBindings(account, worker).catch(failed("read its stores")) : [];
  const there = bindings.find(({ name }) => name === "JURISDICTION")?.text ?? "";
  if (isThere && there !== jurisdiction) fail(liesElsewhere(`what ${worker} keeps`, there, jurisdiction));
  const bound = listStoreIds(bindings);
  const secrets = isThere ? await listSecretNames(account, worker).catch(failed("list its secrets")) : [];
  return { bound, secrets, ...(await findStores(account, wanted, new Map([...bound, ...known]), jurisdiction)) };
}

/** The first before all others: its schema tells a Worker whether it may write to any of them. */
export const orderDatabases = (wanted: readonly Wanted[]) =>
  wanted
    .filter(({ kind }) => kind === "D1 database")
    .map(({ binding }) => ({ binding, number: numberOf(binding) ?? 1 }))
    .toSorted((a, b) => a.number - b.number);

/** The secrets that a deployment needs and does not have: a key for tokens, and one for signatures. */
export function makeFirstSecrets(names: readonly string[]): Readonly<Record<string, string>> {
  const lacks = (prefix: string) => !names.some((name) => name.startsWith(prefix));
  const signing = makeSigningKey();
  return {
    ...(lacks(PREFIX) && { [`${PREFIX}${makeKid()}`]: makeSecret() }),
    ...(lacks(SIGNING_KEY_PREFIX) && { [signing.name]: signing.value }),
  };
}

/**
 * The version that is deployed; null if there is no such Worker.
 * developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/deployments/
 */
export async function readVersion(account: Account, worker: string): Promise<string | null> {
  try {
    const { result } = await callAccount(account, "GET", `/workers/scripts/${worker}/deployments`);
    const { deployments } = result as { deployments: readonly { versions: readonly { version_id: string }[] }[] };
    return deployments[0]?.versions.map(({ version_id }) => version_id).join(" ") ?? null;
  } catch (error) {
    if (error instanceof ApiRefusal && error.codes.includes(NO_WORKER)) return null;
    throw error;
  }
}

export async function describeWorker(
  account: Account,
  worker: string,
  before: string | null,
): Promise<{ readonly unchanged: boolean; readonly sentence: string }> {
  const asked = await readVersion(account, worker).then(
    (version) => ({ version }),
    () => null,
  );
  if (asked === null)
    return { unchanged: false, sentence: "Cloudflare does not say whether the new Worker is deployed." };
  if (asked.version !== before) return { unchanged: false, sentence: "The new Worker is deployed." };
  return {
    unchanged: true,
    sentence: before === null ? "No Worker is deployed." : "The previous Worker is still deployed.",
  };
}
