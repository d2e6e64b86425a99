/** `key import`: sets keys of both kinds again, from the files to which they were sealed (custody.ts). */
import { createPrivateKey, createPublicKey } from "node:crypto";
import type { Command } from "commander";
import { parseKeyName, RETIRED, SIGNING_KEY_PREFIX } from "../../evidence/signatures/signing-keys.ts";
import { fail } from "../fail.ts";
import { print, type Style } from "../output.ts";
import { type Common, commandsOf, type Target, targetOf } from "../target.ts";
import { folderOf, keepSealed, makeOpener } from "./custody.ts";
import { addLocalKey, listSecrets, PREFIX, putSecrets, readDevVars } from "./keys.ts";

const HELP = `
FILE is what key rotate, signing-key rotate or npm run deploy has sealed: keys/PLACE/NAME.age, or keys/NAME.age of a backup. IDENTITY is the
file of age-keygen with the secret key. All files are opened before anything is changed, and no key that is there is replaced.
Older keys verify beside a newer one. A signing key that is not the newest is set without its private part.
The files are copied into keys/PLACE, from where the next backup takes them.

Example:
  key import backup-2026-11-22/keys/*.age --identity identity.txt --remote`;

export function addKeyImportCommand(key: Command): void {
  commandsOf(key)(
    "import <files...>",
    "set sealed keys again, of tokens or signatures, as after the loss of the Worker",
  )
    .requiredOption("--identity <file>", "the secret key of age to which they are sealed")
    .addHelpText("after", HELP)
    .action(async (files: string[], options: Common & { identity: string }) => {
      const target = targetOf(options);
      const open = await makeOpener(options.identity);
      const opened = new Map<string, Opened>();
      for (const file of files) {
        const { name, value } = readKey(file, await open(file));
        if ((opened.get(name)?.value ?? value) !== value) fail(`${file} holds another ${name} than a file before it`);
        opened.set(name, { value, file });
      }
      const keys = planImport(opened, await readPresent(target));
      // before they are set, as of a key that is made: without its file the next loss is for good
      const told: Told[] = [];
      for (const { name, did, file } of keys) told.push({ name, did, sealed: await keepSealed(name, file, target) });
      const set = Object.fromEntries(keys.flatMap(({ name, write }) => (write === null ? [] : [[name, write]])));
      if (target.remote && Object.keys(set).length > 0) await putSecrets(target, set);
      if (!target.remote) for (const [name, value] of Object.entries(set)) await addLocalKey(name, value);
      print(told, options, (style) =>
        [
          ...told.map((one) => tell(one, target, style)),
          `${style.good("sealed")} files are in ${folderOf(target)}: keep a copy elsewhere`,
        ].join("\n"),
      );
    });
}

/** Of a text `NAME=VALUE`; fails unless it is a whole key of this service. */
function readKey(file: string, text: string): { name: string; value: string } {
  const [, name = "", value = ""] = /^(\w+)=(\S+)\n?$/.exec(text) ?? [];
  const signing = parseKeyName(name);
  const isOurs = signing
    ? derivePublicKey(value) === signing.x
    : TOKEN_KEY.test(name) && Buffer.from(value, "base64url").length === 32;
  return isOurs ? { name, value } : fail(`${file} opens, and holds no token key or signing key of this service`);
}

const TOKEN_KEY = new RegExp(`^${PREFIX}[A-Za-z0-9]+$`);

/** RFC 8410 section 7: an Ed25519 private key in PKCS #8 is these bytes and its 32 own. Null: it is none. */
function derivePublicKey(d: string): string | null {
  const seed = Buffer.from(d, "base64url");
  if (seed.length !== 32) return null;
  const key = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  return createPublicKey(createPrivateKey({ key, format: "der", type: "pkcs8" })).export({ format: "jwk" }).x ?? null;
}

/** Each key that is there, with its value: null of a deployed one, which the platform does not show. */
async function readPresent(target: Target): Promise<ReadonlyMap<string, string | null>> {
  if (target.remote)
    return new Map(
      [...(await listSecrets(target)).matchAll(/"((?:TOKEN|SIGNING)_KEY_\w+)"/g)].map(([, name = ""]) => [name, null]),
    );
  const lines = (await readDevVars()).matchAll(/^((?:TOKEN|SIGNING)_KEY_\w+)=(.*)$/gm);
  return new Map([...lines].map(([, name = "", value = ""]) => [name, value]));
}

type Did = "set" | "set without its private part" | "left as it is";

interface Opened {
  readonly value: string;
  readonly file: string;
}

interface Told {
  readonly name: string;
  readonly did: Did;
  /** Path of its sealed file, where backups look for it. */
  readonly sealed: string;
}

interface Planned extends Omit<Told, "sealed"> {
  readonly file: string;
  /** Null: nothing. */
  readonly write: string | null;
}

function planImport(opened: ReadonlyMap<string, Opened>, present: ReadonlyMap<string, string | null>): Planned[] {
  // names of signing keys sort by their times
  const newest = [...present.keys(), ...opened.keys()]
    .filter((name) => parseKeyName(name))
    .sort()
    .at(-1);
  return [...opened].map(([name, { value, file }]): Planned => {
    const there = present.get(name);
    if (there === undefined) {
      const verifiesOnly = name.startsWith(SIGNING_KEY_PREFIX) && name !== newest;
      return verifiesOnly
        ? { name, file, did: "set without its private part", write: RETIRED }
        : { name, file, did: "set", write: value };
    }
    if (there !== null && there !== value && there !== RETIRED)
      fail(`nothing was changed: there is another key with the name ${name}`);
    return { name, file, did: "left as it is", write: null };
  });
}

function tell({ name, did }: Told, { remote }: Target, style: Style): string {
  switch (did) {
    case "set":
      return `${style.good("set")} ${name}`;
    case "set without its private part":
      return `${style.good("set")} ${name}, which verifies: a newer key signs`;
    case "left as it is": {
      const unseen = remote && name.startsWith(PREFIX) ? ", whose value the platform does not show" : "";
      return `${style.doubtful("left as it is:")} there is a ${name} already${unseen}`;
    }
  }
}
