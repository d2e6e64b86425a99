/**
 * `key rotate | list | remove`: the keys of access tokens and CCG tokens, each a secret named TOKEN_KEY_<kid>. The key
 * with the greatest kid signs, all keys verify. So a rotation adds a key and does not need to read the old ones.
 */

import { appendFile, chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import { countSealedProviders } from "../../grants/provider-secret.ts";
import { countLiveTokens, isInUse, type KeyUse, madeAt, readKeyUse } from "../../grants/token-keys.ts";
import { clock, relativeTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { makeSecret } from "../../platform/secrets.ts";
import { EXIT, fail } from "../fail.ts";
import { drawTable, grouped, print, type Style } from "../output.ts";
import { DEV_VARS, withStores } from "../stores.ts";
import { type Common, commandsOf, environmentOption, type Target, targetOf } from "../target.ts";
import { countSealed } from "../webhook/reading.ts";
import { readComplaint, wrangler } from "../wrangler.ts";
import {
  drawCustody,
  listSealed,
  type MadeKey,
  printMade,
  RECIPIENT_OPTION,
  type RotateOptions,
  readRecipient,
  sealKey,
} from "./custody.ts";

interface ListedKey {
  readonly kid: string;
  readonly signs: boolean;
  /** ISO 8601; null if the id contains no time. */
  readonly made_at: string | null;
  /** Access tokens that are neither expired nor revoked. CCG tokens are not stored. */
  readonly live_tokens: number;
  /** A sealed file of it is on this machine. */
  readonly custody: boolean;
  /** False: there is only the sealed file. */
  readonly deployed: boolean;
}

/** Returns the noun, for the commands that stand elsewhere. */
export function addKeyCommands(program: Command): Command {
  const key = program.command("key").description("the keys that make tokens");
  const command = commandsOf(key);

  command("rotate", "add a key; new tokens use it, existing tokens stay valid until they expire")
    .option(...RECIPIENT_OPTION)
    .addHelpText("after", "\nA running npm start uses it within seconds, as a deployed service does.")
    .action(async (options: RotateOptions) => {
      const target = targetOf(options);
      printMade(await addKey(target, await readRecipient(options.recipient, target)), options, target);
    });

  command(
    "list",
    "list the keys with their ages, live tokens and custody; the last one makes new tokens, those not deployed come first",
  ).action(async (options: Common) => {
    const target = targetOf(options);
    const [kids, names] = await Promise.all([listKids(target), listSealed(target)]);
    const sealed = names.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
    const at = clock.now();
    const counts = await withStores(target, ({ env }) => countLiveTokens(env, at));
    const keys = [...sealed.filter((kid) => !kids.includes(kid)), ...kids].map((kid) => ({
      ...describeKey(kid, kid === kids.at(-1), counts.get(kid) ?? 0),
      ...{ custody: sealed.includes(kid), deployed: kids.includes(kid) },
    }));
    print(keys, options, (style) => drawKeys(keys, at, style));
  });

  command("remove <kid>", "remove a key that no valid token needs; tokens made with it stop working permanently")
    .option("--force", "even if tokens need it: they stop working at once", false)
    .action(async (kid: string, options: Common & { force: boolean }) => {
      const target = targetOf(options);
      const { accessTokens } = await checkRemoval(await listKids(target), kid, target, options.force);
      await removeKey(target, kid);
      print(
        { kid, removed: true, access_tokens_ended: accessTokens },
        options,
        (style) => `${style.good("removed")} the key ${kid}; ${grouped(accessTokens)} access tokens ended with it`,
      );
    });
  return key;
}

function describeKey(kid: string, signs: boolean, live_tokens: number) {
  const made = madeAt(kid);
  return { kid, signs, made_at: Number.isNaN(made) ? null : iso(made), live_tokens };
}

function drawKeys(keys: readonly ListedKey[], at: Instant, style: Style): string {
  if (keys.length === 0) return "no key: npm start makes the first one, or key rotate";
  const rows = keys.map(({ kid, signs, made_at, live_tokens, custody, deployed }) => [
    kid,
    signs ? style.good("✓ signs") : deployed ? "verifies" : "not deployed",
    made_at === null ? "unknown" : relativeTime(made_at, at),
    grouped(live_tokens),
    drawCustody(custody, style),
  ]);
  return drawTable(["key", "use", "made", "live access tokens", "custody"], rows, style);
}

/**
 * Fails unless the key may be removed. `force` allows a key with live tokens, but never the key that signs, nor one that
 * has sealed the secret of a webhook or a provider: only they have it otherwise.
 */
async function checkRemoval(kids: readonly string[], kid: string, target: Target, force: boolean): Promise<KeyUse> {
  if (!kids.includes(kid)) fail(`${kid}: no such key (key list shows them)`);
  if (kids.length === 1) fail(`${kid} is the only key: no token could be made or verified without it`);
  if (kids.every((other) => other <= kid)) fail(`${kid} is the newest key, which makes new tokens: key rotate first`);
  const at = clock.now();
  const [use, webhooks, providers] = await withStores(target, ({ env }) =>
    Promise.all([readKeyUse(env, kids, kid, at), countSealed(env, kid), countSealedProviders(env.DB, kid)]),
  );
  const sealed = [
    ...(webhooks > 0 ? [`${webhooks} webhooks`] : []),
    ...(providers > 0 ? [`${providers} OpenID providers`] : []),
  ].join(" and ");
  if (sealed !== "")
    fail(
      `${kid} was not removed: the secrets of ${sealed} are sealed with it and would be lost. The next scheduled run seals them with the newest key: try again in two minutes`,
      EXIT.no,
    );
  if (isInUse(use, at) && !force)
    fail(`${kid} was not removed: ${describeUse(use, at)}. Wait until then, or end them now with --force`, EXIT.no);
  return use;
}

function describeUse({ accessTokens, accessTokensUntil, ccgTokensUntil }: KeyUse, at: Instant): string {
  const access =
    accessTokensUntil !== null &&
    `${accessTokens} access ${accessTokens === 1 ? "token needs" : "tokens need"} it until ${iso(accessTokensUntil)}`;
  const ccg = at < ccgTokensUntil && `CCG tokens, which nobody can count, may need it until ${iso(ccgTokensUntil)}`;
  return [access, ccg].filter(Boolean).join("; ");
}

const iso = (time: Instant): string => new Date(time).toISOString();

export const PREFIX = "TOKEN_KEY_";

/** The time in UTC, such as `20261121T041500Z`. Ids sort by time. */
export const makeKid = (): string => new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, "");

/** The lines of the local secrets; empty without the file. */
export const readDevVars = (): Promise<string> => readFile(DEV_VARS, "utf8").catch(() => "");

/** The secrets of a deployment: JSON with their names. /api/resources/workers/subresources/scripts/subresources/secrets/ */
export async function listSecrets({ environment }: Target): Promise<string> {
  // a command on the local stores needs neither
  const { callAccount, findAccount } = await import("../deployment/cloudflare-api.ts");
  const { readDeploymentTables } = await import("../deployment/tables.ts");
  const { worker } = readDeploymentTables(environment);
  return JSON.stringify((await callAccount(await findAccount(), "GET", `/workers/scripts/${worker}/secrets`)).result);
}

/** Replaces the local secrets atomically, so that no key is lost if the command is killed. */
export async function replaceDevVars(text: string): Promise<void> {
  const replacement = `${DEV_VARS}.new`;
  await writeFile(replacement, text, { mode: 0o600 });
  await chmod(replacement, 0o600);
  await rename(replacement, DEV_VARS);
}

/** Ids of the keys, the one that signs last. */
export async function listKids(target: Target): Promise<string[]> {
  if (!target.remote) return await listLocalKids();
  return [...(await listSecrets(target)).matchAll(/"TOKEN_KEY_([A-Za-z0-9]+)"/g)].map(([, kid = ""]) => kid).sort();
}

async function listLocalKids(): Promise<string[]> {
  return [...(await readDevVars()).matchAll(/^TOKEN_KEY_([A-Za-z0-9]+)=/gm)].map(([, kid = ""]) => kid).sort();
}

/** Fails unless the id of a new key is the greatest: that key signs, and one of the same id would be replaced. `kids`: sorted. */
export function requireNewest(kid: string, kids: readonly string[]): void {
  const newest = kids.at(-1) ?? "";
  if (newest === kid) fail("a key was made this very second: try again");
  if (newest > kid) fail(`the key ${newest} is newer than this machine's clock: set it right`);
}

/** Makes a key, which signs from then on; returns its id, and where it is sealed. */
async function addKey(target: Target, recipient: string | null): Promise<MadeKey> {
  const kid = makeKid();
  requireNewest(kid, await listKids(target));
  const [name, value] = [`${PREFIX}${kid}`, makeSecret()];
  const sealed = await sealKey({ name, value }, recipient, target);
  if (target.remote) await putSecrets(target, { [name]: value });
  else await addLocalKey(name, value);
  return { kid, sealed };
}

/** All in one version of the Worker. At least one of the names is new. */
export async function putSecrets(target: Target, secrets: Readonly<Record<string, string>>): Promise<void> {
  const args = ["secret", "bulk", ...environmentOption(target.environment)];
  const { code, output } = await wrangler(args, { input: JSON.stringify(secrets) });
  if (code === 0) return;
  // a refusal may come after it took effect
  const stored = await listSecrets(target).catch(() => null);
  const complaint = readComplaint(output);
  const names = Object.keys(secrets);
  if (stored === null) {
    const list = names.some((name) => name.startsWith(PREFIX)) ? "key list" : "signing-key list";
    const option = target.environment === null ? "--remote" : `--env ${target.environment}`;
    fail(
      `Cloudflare does not say whether the new key is stored: ${complaint}\nBefore you run it again, look: ${list} ${option}`,
      EXIT.unknown,
    );
  }
  if (!names.every((name) => stored.includes(`"${name}"`))) fail(`wrangler could not store the secrets: ${complaint}`);
}

export async function addLocalKey(name: string, value: string): Promise<void> {
  await mkdir(dirname(DEV_VARS), { recursive: true });
  await appendFile(DEV_VARS, `${name}=${value}\n`, { mode: 0o600 });
  await chmod(DEV_VARS, 0o600);
}

/** Creates a local key if there is none. */
export async function makeLocalKey(): Promise<void> {
  if ((await listLocalKids()).length === 0) await addLocalKey(`${PREFIX}${makeKid()}`, makeSecret());
}

async function removeKey({ remote, environment }: Target, kid: string): Promise<void> {
  if (!remote) return await removeLocalKey(kid);
  // wrangler does not prompt, because its input is not a terminal
  const { code, output } = await wrangler(["secret", "delete", `${PREFIX}${kid}`, ...environmentOption(environment)]);
  if (code !== 0) fail(`wrangler could not delete the secret: ${readComplaint(output)}`);
}

async function removeLocalKey(kid: string): Promise<void> {
  const lines = (await readFile(DEV_VARS, "utf8")).split("\n");
  await replaceDevVars(lines.filter((line) => !line.startsWith(`${PREFIX}${kid}=`)).join("\n"));
}
