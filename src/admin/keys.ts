/**
 * `key rotate | list`: the keys that make access tokens and CCG tokens, one secret each, named TOKEN_KEY_<kid>.
 * The greatest kid signs, all verify: so a rotation adds one, and needs to read none of the old.
 */
import { appendFile, chmod, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import { now } from "../clock.ts";
import { makeSecret } from "../secrets.ts";
import { fail } from "./fail.ts";
import { DEV_VARS } from "./stores.ts";
import { wrangler } from "./wrangler.ts";

const PREFIX = "TOKEN_KEY_";

/** `20261121T041500Z`: sorts by time. */
const makeKid = () => new Date(now()).toISOString().replace(/[-:]|\.\d+/g, "");

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

/** Makes the first local key when there is none. */
export async function makeLocalKey(): Promise<void> {
  if ((await listLocalKids()).length === 0) await addLocalKey();
}

/** Ids of the deployed service's keys; wrangler tells names of secrets, never their values. */
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

export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("the keys that make tokens");
  key
    .command("rotate")
    .description("add a key; new tokens use it, old tokens go on working until they expire")
    .option("--remote", "on the deployed service", false)
    .action(async ({ remote }: { remote: boolean }) => {
      const kid = remote ? await addRemoteKey() : await addLocalKey();
      console.log(JSON.stringify({ kid }));
    });
  key
    .command("list")
    .description("the ids of the keys, the one that signs last")
    .option("--remote", "of the deployed service", false)
    .action(async ({ remote }: { remote: boolean }) => {
      const kids = remote ? await listRemoteKids() : await listLocalKids();
      console.log(JSON.stringify(kids.sort()));
    });
}
