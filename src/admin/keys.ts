/**
 * `key rotate | list | remove`: the keys of access tokens and CCG tokens, each a secret named TOKEN_KEY_<kid>. The key
 * with the greatest kid signs, all keys verify. So a rotation adds a key and does not need to read the old ones.
 */
import { appendFile, chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import { clock } from "../clock.ts";
import { isInUse, type KeyUse, readKeyUse } from "../grants/key-use.ts";
import { makeSecret } from "../secrets.ts";
import { fail } from "./fail.ts";
import { DEV_VARS, withStores } from "./stores.ts";
import { wrangler } from "./wrangler.ts";

const PREFIX = "TOKEN_KEY_";

/** The time in UTC, such as `20261121T041500Z`. Ids sort by time. */
const makeKid = () => new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, "");

async function listLocalKids(): Promise<string[]> {
  const text = await readFile(DEV_VARS, "utf8").catch(() => "");
  return [...text.matchAll(/^TOKEN_KEY_([A-Za-z0-9]+)=/gm)].map(([, kid = ""]) => kid);
}

async function addLocalKey(): Promise<string> {
  const kid = makeKid();
  if ((await listLocalKids()).includes(kid)) fail(`a key was made this very second: try again`);
  await mkdir(dirname(DEV_VARS), { recursive: true });
  await appendFile(DEV_VARS, `${PREFIX}${kid}=${makeSecret()}\n`, { mode: 0o600 });
  await chmod(DEV_VARS, 0o600);
  return kid;
}

/** Creates a local key if there is none. */
export async function makeLocalKey(): Promise<void> {
  if ((await listLocalKids()).length === 0) await addLocalKey();
}

/** Ids of the deployed service's keys. wrangler lists only the names of secrets, not their values. */
export async function listRemoteKids(): Promise<string[]> {
  const { code, output } = await wrangler(["secret", "list", "--format", "json"]);
  if (code !== 0) fail(`wrangler could not list the secrets:\n${output}`);
  return [...output.matchAll(/"TOKEN_KEY_([A-Za-z0-9]+)"/g)].map(([, kid = ""]) => kid);
}

export async function addRemoteKey(): Promise<string> {
  const kid = makeKid();
  const { code, output } = await wrangler(["secret", "put", `${PREFIX}${kid}`], { input: makeSecret() });
  if (code !== 0) fail(`wrangler could not store the secret:\n${output}`);
  return kid;
}

/** Replaces the file atomically, so that no key is lost if the command is killed. */
async function removeLocalKey(kid: string): Promise<void> {
  const lines = (await readFile(DEV_VARS, "utf8")).split("\n");
  const kept = lines.filter((line) => !line.startsWith(`${PREFIX}${kid}=`));
  const replacement = `${DEV_VARS}.new`;
  await writeFile(replacement, kept.join("\n"), { mode: 0o600 });
  await rename(replacement, DEV_VARS);
}

async function removeRemoteKey(kid: string): Promise<void> {
  // wrangler does not prompt, because its input is not a terminal
  const { code, output } = await wrangler(["secret", "delete", `${PREFIX}${kid}`]);
  if (code !== 0) fail(`wrangler could not delete the secret:\n${output}`);
}

/** Fails unless the key may be removed. `--force` allows a key with live tokens, but never the key that signs. */
async function checkRemoval(kids: readonly string[], kid: string, options: Remove): Promise<KeyUse> {
  if (!kids.includes(kid)) fail(`${kid}: no such key (key list shows them)`);
  if (kids.length === 1) fail(`${kid} is the only key: no token could be made or verified without it`);
  if (kids.every((other) => other <= kid)) fail(`${kid} is the newest key, which makes new tokens: key rotate first`);
  const now = clock.now();
  const use = await withStores(options, ({ env }) => readKeyUse(env, kids, kid, now));
  if (isInUse(use, now) && !options.force)
    fail(`${kid} was not removed: ${describeUse(use, now)}. Wait until then, or end them now with --force`);
  return use;
}

function describeUse({ accessTokens, accessTokensUntil, ccgTokensUntil }: KeyUse, now: number): string {
  const access =
    accessTokensUntil !== null &&
    `${accessTokens} access ${accessTokens === 1 ? "token needs" : "tokens need"} it until ${iso(accessTokensUntil)}`;
  const ccg = now < ccgTokensUntil && `CCG tokens, which nobody can count, may need it until ${iso(ccgTokensUntil)}`;
  return [access, ccg].filter(Boolean).join("; ");
}

const iso = (time: number): string => new Date(time).toISOString();

interface Remove {
  remote: boolean;
  force: boolean;
}

export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("the keys that make tokens");
  key
    .command("rotate")
    .description("add a key; new tokens use it, existing tokens stay valid until they expire")
    .option("--remote", "on the deployed service", false)
    .action(async ({ remote }: { remote: boolean }) => {
      const kid = remote ? await addRemoteKey() : await addLocalKey();
      console.log(JSON.stringify({ kid }));
    });
  key
    .command("list")
    .description("list the ids of the keys; the last one makes new tokens")
    .option("--remote", "of the deployed service", false)
    .action(async ({ remote }: { remote: boolean }) => {
      const kids = remote ? await listRemoteKids() : await listLocalKids();
      console.log(JSON.stringify(kids.sort()));
    });
  key
    .command("remove <kid>")
    .description("remove a key that no valid token needs; tokens made with it stop working permanently")
    .option("--force", "even if tokens need it: they stop working at once", false)
    .option("--remote", "of the deployed service", false)
    .action(async (kid: string, options: Remove) => {
      const kids = options.remote ? await listRemoteKids() : await listLocalKids();
      const { accessTokens } = await checkRemoval(kids, kid, options);
      await (options.remote ? removeRemoteKey(kid) : removeLocalKey(kid));
      console.log(JSON.stringify({ kid, removed: true, access_tokens_ended: accessTokens }));
    });
}
