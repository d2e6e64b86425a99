/** `signing-key rotate | list`: the keys that sign answers (RFC 9421). */

import { generateKeyPairSync } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import {
  type NamedKey,
  type PublicSigningKey,
  parseKeyName,
  publishKeys,
  RETIRED,
  SIGNING_KEY_PREFIX,
} from "../../evidence/signatures/signing-keys.ts";
import { clock, relativeTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { EXIT, fail } from "../fail.ts";
import { drawTable, print, type Style } from "../output.ts";
import { DEV_VARS } from "../stores.ts";
import { type Common, commandsOf, LOCAL, type Target, targetOf } from "../target.ts";
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
import {
  listKids,
  listSecrets,
  makeKid,
  PREFIX,
  putSecrets,
  readDevVars,
  replaceDevVars,
  requireNewest,
} from "./keys.ts";

export function addSigningKeyCommands(program: Command): void {
  const key = program.command("signing-key").description("the keys that sign answers");
  const command = commandsOf(key);

  command("rotate", "add a key, which signs answers from now on; what older ones signed can still be verified")
    .addHelpText(
      "after",
      "\nThe private parts of the older keys are removed: nobody can sign with them any more.\nKeep what GET /.well-known/jwks.json answers beside the answers that are to be proven later.",
    )
    .option(...RECIPIENT_OPTION)
    .action(async (options: RotateOptions) => {
      const target = targetOf(options);
      printMade(await rotateSigningKey(target, await readRecipient(options.recipient, target)), options, target);
    });

  command(
    "list",
    "list the public keys as GET /.well-known/jwks.json answers them, the last one signs; and which have a sealed file here",
  ).action(async (options: Common) => {
    const target = targetOf(options);
    const [named, names] = await Promise.all([listSigningKeys(target), listSealed(target)]);
    const keys = publishKeys(named);
    const sealed = names.flatMap((name) => parseKeyName(name)?.kid ?? []);
    print({ keys, sealed }, options, (style) => drawKeys(keys, sealed, clock.now(), style));
  });
}

function drawKeys(keys: readonly PublicSigningKey[], sealed: readonly string[], now: Instant, style: Style): string {
  const absent = sealed.filter((kid) => !keys.some((key) => key.kid === kid));
  const rest = absent.map((kid) => `${kid} is sealed and not deployed: key import`);
  if (keys.length === 0) return ["no key: signing-key rotate makes the first one", ...rest].join("\n");
  const rows = keys.map(({ kid, nbf, exp, x }) => [
    kid,
    exp === undefined ? style.good("✓ signs") : `signed until ${new Date(exp * 1000).toISOString()}`,
    relativeTime(new Date(nbf * 1000).toISOString(), now),
    drawCustody(sealed.includes(kid), style),
    x,
  ]);
  return [drawTable(["key", "use", "made", "custody", "public key"], rows, style), ...rest].join("\n");
}

const NAMES = new RegExp(`\\b${SIGNING_KEY_PREFIX}[0-9TZ]+_[0-9a-f]+\\b`, "g");

/** The names of the keys' secrets, that of the one that signs last. */
async function listNames(target: Target): Promise<string[]> {
  const text = target.remote ? await listSecrets(target) : await readDevVars();
  return [...text.matchAll(NAMES)].map(([name]) => name).sort();
}

/** Oldest first; the last one signs. */
export async function listSigningKeys(target: Target): Promise<NamedKey[]> {
  const names = await listNames(target);
  return names.map((name) => parseKeyName(name) ?? fail(`${name}: no signing key has such a name`, EXIT.unknown));
}

/** Makes a key, which signs from then on, and takes the private parts of the others away, in one step. Returns its id, and where it is sealed. */
async function rotateSigningKey(target: Target, recipient: string | null): Promise<MadeKey> {
  const made = makeSigningKey();
  const names = await listNames(target);
  const kids = names.flatMap((name) => parseKeyName(name)?.kid ?? []);
  requireNewest(made.kid, kids);
  const secrets = { ...Object.fromEntries(names.map((name) => [name, RETIRED])), [made.name]: made.value };
  const sealed = await sealKey(made, recipient, target);
  if (target.remote) await putSecrets(target, secrets);
  else await writeLocal(secrets);
  return { kid: made.kid, sealed };
}

/** Creates a local key if there is none. */
export async function makeLocalSigningKey(): Promise<void> {
  if ((await listNames(LOCAL)).length === 0) await rotateSigningKey(LOCAL, null);
}

/** The name of a key's secret, which {@link parseKeyName} reads. */
export const nameSecret = ({ kid, x }: Pick<NamedKey, "kid" | "x">): string =>
  `${SIGNING_KEY_PREFIX}${kid}_${Buffer.from(x, "base64url").toString("hex")}`;

/** Of the secrets of all keys, of both kinds. */
export async function listKeyNames(target: Target): Promise<string[]> {
  const [kids, signing] = await Promise.all([listKids(target), listNames(target)]);
  return [...kids.map((kid) => `${PREFIX}${kid}`), ...signing];
}

/** A secret's name and value. */
export function makeSigningKey() {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const kid = makeKid();
  return { kid, name: nameSecret({ kid, x }), value: d };
}

async function writeLocal(secrets: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(dirname(DEV_VARS), { recursive: true });
  const others = (await readDevVars())
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(SIGNING_KEY_PREFIX));
  const lines = [...others, ...Object.entries(secrets).map(([name, value]) => `${name}=${value}`)];
  await replaceDevVars(`${lines.join("\n")}\n`);
}
