/**
 * Where the keys of signed answers are: as the token keys (key-files.ts), local ones as lines of .dev.vars, those of a
 * deployment as secrets. A secret's name tells its public key, since its value cannot be read again.
 */
import { generateKeyPairSync } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { clock } from "../clock.ts";
import { type NamedKey, parseKeyName, RETIRED, SIGNING_KEY_PREFIX } from "../signatures/signing-keys.ts";
import { EXIT, fail } from "./fail.ts";
import { DEV_VARS } from "./stores.ts";
import { environmentOption, LOCAL, type Target } from "./target.ts";
import { wrangler } from "./wrangler.ts";

const NAMES = new RegExp(`\\b${SIGNING_KEY_PREFIX}[0-9TZ]+_[0-9a-f]+\\b`, "g");

/** The names of the keys' secrets, that of the one that signs last. */
async function listNames(target: Target): Promise<string[]> {
  const text = target.remote ? await listSecrets(target) : await readFile(DEV_VARS, "utf8").catch(() => "");
  return [...text.matchAll(NAMES)].map(([name]) => name).sort();
}

async function listSecrets({ environment }: Target): Promise<string> {
  const { code, output } = await wrangler(["secret", "list", "--format", "json", ...environmentOption(environment)]);
  return code === 0 ? output : fail(`wrangler could not list the secrets:\n${output}`, EXIT.unknown);
}

/** Oldest first; the last one signs. */
export async function listSigningKeys(target: Target): Promise<NamedKey[]> {
  const names = await listNames(target);
  return names.map((name) => parseKeyName(name) ?? fail(`${name}: no signing key has such a name`, EXIT.unknown));
}

/** Makes a key, which signs from then on, and takes the private parts of the others away, in one step. Returns its id. */
export async function rotateSigningKey(target: Target): Promise<string> {
  const made = makeKey();
  const names = await listNames(target);
  if (names.some((name) => name.includes(made.kid))) fail("a key was made this very second: try again");
  const secrets = { ...Object.fromEntries(names.map((name) => [name, RETIRED])), [made.name]: made.value };
  if (target.remote) await putSecrets(target, secrets);
  else await writeLocal(secrets);
  return made.kid;
}

/** Creates a local key if there is none. */
export async function makeLocalSigningKey(): Promise<void> {
  if ((await listNames(LOCAL)).length === 0) await rotateSigningKey(LOCAL);
}

function makeKey() {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const kid = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, "");
  return { kid, name: `${SIGNING_KEY_PREFIX}${kid}_${Buffer.from(x, "base64url").toString("hex")}`, value: d };
}

/** All in one version of the Worker. */
async function putSecrets({ environment }: Target, secrets: Readonly<Record<string, string>>): Promise<void> {
  const args = ["secret", "bulk", ...environmentOption(environment)];
  const { code, output } = await wrangler(args, { input: JSON.stringify(secrets) });
  if (code !== 0) fail(`wrangler could not store the secrets:\n${output}`);
}

/** Replaces the file atomically, so that no key is lost if the command is killed. */
async function writeLocal(secrets: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(dirname(DEV_VARS), { recursive: true });
  const text = await readFile(DEV_VARS, "utf8").catch(() => "");
  const others = text.split("\n").filter((line) => line !== "" && !line.startsWith(SIGNING_KEY_PREFIX));
  const lines = [...others, ...Object.entries(secrets).map(([name, value]) => `${name}=${value}`)];
  const replacement = `${DEV_VARS}.new`;
  await writeFile(replacement, `${lines.join("\n")}\n`, { mode: 0o600 });
  await chmod(replacement, 0o600);
  await rename(replacement, DEV_VARS);
}
