/**
 * Where the token keys are: local ones as lines of .dev.vars, which `npm start` watches (dev-vars-watch.ts); those of a
 * deployment as secrets of the Worker, whose names alone can be read.
 */
import { appendFile, chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { clock } from "../platform/clock.ts";
import { makeSecret } from "../platform/secrets.ts";
import { EXIT, fail } from "./fail.ts";
import { DEV_VARS } from "./stores.ts";
import { environmentOption, type Target } from "./target.ts";
import { wrangler } from "./wrangler.ts";

export const PREFIX = "TOKEN_KEY_";

/** The time in UTC, such as `20261121T041500Z`. Ids sort by time. */
export const makeKid = (): string => new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, "");

/** The lines of the local secrets; empty without the file. */
export const readDevVars = (): Promise<string> => readFile(DEV_VARS, "utf8").catch(() => "");

/** What wrangler prints of the secrets of a deployment: JSON with their names. */
export async function listSecrets({ environment }: Target): Promise<string> {
  const { code, output } = await wrangler(["secret", "list", "--format", "json", ...environmentOption(environment)]);
  return code === 0 ? output : fail(`wrangler could not list the secrets:\n${output}`, EXIT.unknown);
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

/** Makes a key, which signs from then on, and returns its id. */
export async function addKey(target: Target): Promise<string> {
  const kid = makeKid();
  requireNewest(kid, await listKids(target));
  const { remote, environment } = target;
  if (!remote) {
    await addLocalKey(kid);
    return kid;
  }
  const args = ["secret", "put", `${PREFIX}${kid}`, ...environmentOption(environment)];
  const { code, output } = await wrangler(args, { input: makeSecret() });
  if (code !== 0) fail(`wrangler could not store the secret:\n${output}`);
  return kid;
}

async function addLocalKey(kid: string): Promise<void> {
  await mkdir(dirname(DEV_VARS), { recursive: true });
  await appendFile(DEV_VARS, `${PREFIX}${kid}=${makeSecret()}\n`, { mode: 0o600 });
  await chmod(DEV_VARS, 0o600);
}

/** Creates a local key if there is none. */
export async function makeLocalKey(): Promise<void> {
  if ((await listLocalKids()).length === 0) await addLocalKey(makeKid());
}

export async function removeKey({ remote, environment }: Target, kid: string): Promise<void> {
  if (!remote) return await removeLocalKey(kid);
  // wrangler does not prompt, because its input is not a terminal
  const { code, output } = await wrangler(["secret", "delete", `${PREFIX}${kid}`, ...environmentOption(environment)]);
  if (code !== 0) fail(`wrangler could not delete the secret:\n${output}`);
}

async function removeLocalKey(kid: string): Promise<void> {
  const lines = (await readFile(DEV_VARS, "utf8")).split("\n");
  await replaceDevVars(lines.filter((line) => !line.startsWith(`${PREFIX}${kid}=`)).join("\n"));
}
