/**
 * Custody of the secret keys. The platform never shows a secret again, so each new key is sealed to its keeper's public key in age's
 * format (age-encryption.org/v1) before it is sent: `keys/<place>/<name>.age`, whose text is `NAME=VALUE`.
 */
import { cp, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EXIT, fail, readInput } from "../fail.ts";
import { makeFolder } from "../made-folder.ts";
import { type OutputOptions, print, type Style } from "../output.ts";
import { KEYS } from "../stores.ts";
import type { Common, Target } from "../target.ts";

export interface RotateOptions extends Common {
  readonly recipient?: string;
}

/** Of each command that makes keys. */
export const RECIPIENT_OPTION = [
  "--recipient <public key>",
  "seal the new key to this public key of age (age1…); else to KEY_RECIPIENT of wrangler.toml",
] as const;

/** A name may be in several places: production, staging and this machine have keys of their own. */
export const folderOf = ({ remote, environment }: Target): string =>
  join(KEYS, remote ? (environment ?? "production") : "local");

const ENDING = ".age";
const fileOf = (name: string, target: Target): string => join(folderOf(target), `${name}${ENDING}`);

/** To whom keys are sealed: the option, else KEY_RECIPIENT of the deployment; null if neither says so. Fails on what is no recipient. */
export async function readRecipient(option: string | undefined, { environment }: Target): Promise<string | null> {
  // loaded when needed: the first loads the reader of TOML
  const { readDeploymentTables } = await import("../deployment/tables.ts");
  const recipient = option ?? String(readDeploymentTables(environment).vars["KEY_RECIPIENT"] ?? "");
  if (recipient === "" && option === undefined) return null;
  const { Encrypter } = await import("age-encryption");
  try {
    new Encrypter().addRecipient(recipient);
    return recipient;
  } catch {
    // the text is not repeated: it may be the secret half
    const where = option === undefined ? "KEY_RECIPIENT (wrangler.toml)" : "--recipient";
    return fail(`${where} is no public key of age, such as age1…: age-keygen prints one`, EXIT.usage);
  }
}

/** Where the key is sealed, once it is on the disk; null without a recipient. A file of the same name is not replaced. */
export async function sealKey(
  { name, value }: { readonly name: string; readonly value: string },
  recipient: string | null,
  target: Target,
): Promise<string | null> {
  if (recipient === null) return null;
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const path = fileOf(name, target);
  await makeFolder(dirname(path), 0o700);
  await writeDurably(path, await encrypter.encrypt(`${name}=${value}\n`));
  return path;
}

/** The file and its names in the folders: the power may fail as soon as the key is live. */
async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    return fail(`${path} is there already: a key was made this very second, try again`);
  });
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  for (const folder of [dirname(path), KEYS, dirname(KEYS)]) {
    const opened = await open(folder, "r");
    await opened.sync().finally(() => opened.close());
  }
}

const HEADER = "age-encryption.org/v1\n";

/** Names of the keys whose sealed files are on this machine, each with age's header. */
export async function listSealed(target: Target): Promise<string[]> {
  const files = await readdir(folderOf(target)).catch(() => []);
  const names = files.filter((file) => file.endsWith(ENDING)).map((file) => file.slice(0, -ENDING.length));
  const contents = await Promise.all(names.map((name) => readInput(fileOf(name, target))));
  return names.filter((_, i) => isSealed(contents[i])).sort();
}

const isSealed = (content: Uint8Array | undefined): boolean =>
  Buffer.from(content ?? [])
    .subarray(0, HEADER.length)
    .toString("latin1") === HEADER;

/**
 * Keeps the sealed file of a key here, too, for the next backup; returns where. The one that is here already stays.
 * `file`: it, as {@link makeOpener} has opened it.
 */
export async function keepSealed(name: string, file: string, target: Target): Promise<string> {
  const path = fileOf(name, target);
  if ((await listSealed(target)).includes(name)) return path;
  const content = await readInput(file);
  await makeFolder(dirname(path), 0o700);
  // one that is no sealed file
  await rm(path, { force: true });
  await writeDurably(path, content);
  return path;
}

/** Into the folder `keys` of a backup. */
export async function copySealed(target: Target, directory: string): Promise<void> {
  for (const name of await listSealed(target))
    await cp(fileOf(name, target), join(directory, "keys", `${name}${ENDING}`));
}

/** The keys that a backup has, of the names of its files. */
export const listSealedIn = (files: object): string[] =>
  Object.keys(files).flatMap((file) => /^keys\/(.+)\.age$/.exec(file)?.[1] ?? []);

/** Opens sealed files by a file of age's secret keys; a failure is a sentence. */
export async function makeOpener(identityFile: string): Promise<(file: string) => Promise<string>> {
  const { Decrypter } = await import("age-encryption");
  const lines = (await readInput(identityFile)).toString("utf8").split("\n");
  const decrypter = new Decrypter();
  const noIdentity = `${identityFile} holds no secret key of age (a line AGE-SECRET-KEY-1…, as age-keygen writes it)`;
  const identities = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  if (identities.length === 0) fail(noIdentity);
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch {
    fail(noIdentity);
  }
  return async (file) => {
    const content = await readInput(file);
    if (!isSealed(content)) fail(`${file} is no sealed key: it does not begin as age's files do`);
    return await decrypter.decrypt(content, "text").catch(({ message }: Error) => {
      if (message.startsWith("no identity matched"))
        return fail(`${file} does not open by ${identityFile}: it is sealed to another key, or its head was changed`);
      return fail(`${file} was changed since it was sealed, or is not whole (${message})`);
    });
  };
}

export const drawCustody = (custody: boolean, style: Style): string => (custody ? style.good("✓ sealed") : "none");

/** A key that was made; `sealed`: the path of its file, null without custody. */
export interface MadeKey {
  readonly kid: string;
  readonly sealed: string | null;
}

export const printMade = (made: MadeKey, options: OutputOptions, target: Target): void =>
  print(made, options, (style) =>
    [
      `${style.good("made")} the key ${made.kid}, which signs from now on`,
      ...describeCustody(made.sealed, target, style),
    ].join("\n"),
  );

/** What a new key's custody is, for people; nothing of a local one, which stands in .dev.vars. */
function describeCustody(path: string | null, { remote }: Target, style: Style): string[] {
  if (path !== null) return [`${style.good("sealed")} in ${path}: keep a copy elsewhere`];
  return remote ? [`${style.bad("no custody:")} ${NO_CUSTODY}`] : [];
}

export const NO_CUSTODY =
  "nobody can put the key back if the Worker is lost. Set KEY_RECIPIENT in wrangler.toml (age-keygen makes one), then rotate the keys";
