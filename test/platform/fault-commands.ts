/** The commands whose calls fail, each with what is there before it. Loaded behind STATE_DIR, CONFIGURATION and the API's address. */
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Encrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { CONFIGURATION, ROOT } from "../../src/cli/configuration.ts";
import { makeSigningKey } from "../../src/cli/keys/signing-keys.ts";
import { runCommand } from "../../src/cli/program.ts";
import { DEV_VARS } from "../../src/cli/stores.ts";
import { makeSecret } from "../../src/platform/secrets.ts";
import type { Result } from "../cli/run-here.ts";
import { copyAccount } from "./account-state.ts";
import { deployHere, runToEnd } from "./deploy-here.ts";
import { type Account, makeAccount, type Platform } from "./platform.ts";

/** The only folder in which a command here writes. */
const FOLDER = join(DEV_VARS, "..");
const KEPT = join(FOLDER, "kept");
export const WRITTEN = join(FOLDER, "written");

export interface Situation {
  readonly account: Account;
  /** The text of wrangler.toml. */
  readonly configuration: string;
}

export interface FaultCommand {
  readonly before: (platform: Platform) => Promise<Situation>;
  readonly args: readonly string[];
  /** The state that it leads to; without: that to which it leads without a fault. */
  readonly wanted?: (platform: Platform) => Promise<Situation>;
  /** What the next run may say instead of success, where all is done already. */
  readonly refusal?: RegExp;
}

/** Runs it in this process. */
export const runHere = (args: readonly string[]): Promise<Result> =>
  args[0] === "deploy" ? deployHere(args.includes("staging") ? "staging" : null) : runToEnd(() => runCommand(args));

export async function begin(platform: Platform, { account, configuration }: Situation): Promise<void> {
  platform.load(copyAccount(account));
  platform.fail(null);
  await writeFile(CONFIGURATION, configuration);
  for (const folder of [WRITTEN, `${WRITTEN}.partial`]) await rm(folder, { recursive: true, force: true });
}

/** Made once, by commands that have to succeed. */
const make = (from: FaultCommand["before"], ...commands: readonly (readonly string[])[]): FaultCommand["before"] => {
  let made: Promise<Situation> | null = null;
  return (platform) => {
    made ??= (async () => {
      await begin(platform, await from(platform));
      for (const args of commands) {
        const { code, stderr } = await runHere(args);
        if (code !== 0) throw new Error(`${args.join(" ")} ends with ${code}: ${stderr}`);
      }
      return { account: copyAccount(platform.account), configuration: await readFile(CONFIGURATION, "utf8") };
    })();
    return made;
  };
};

const NEW = ["fi", "add", "--name", "New Bank", "--reference", "PSDFI-NEW-0001", "--remote", "--database"];
const nothing = async () => {
  await copyFile(join(ROOT, "wrangler.toml"), CONFIGURATION);
  return { account: makeAccount(), configuration: await readFile(CONFIGURATION, "utf8") };
};
const deployed = make(nothing, ["deploy"]);
const added = make(deployed, ["database", "add"]);
const spread = make(added, ["deploy"]);
const used = make(
  spread,
  ["fi", "add", "--name", "First Bank", "--reference", "PSDFI-FIRST-0001", "--database", "1", "--remote"],
  ["fi", "add", "--name", "Second Bank", "--reference", "PSDFI-SECOND-0001", "--database", "2", "--remote"],
  ["register", "import", join(ROOT, "fixtures/register-example.csv"), "--source", "nca", "--remote"],
);
const kept = make(used, ["backup", KEPT, "--yes", "--remote"]);
const changed = make(kept, ["fi", "disable", "--reference", "PSDFI-SECOND-0001", "--remote"], [...NEW, "1"]);
/** All is lost but the backup. */
const lost = make(async (platform) => {
  await kept(platform);
  return await spread(platform);
});

/** Of age, and the file of its secret half. */
const SECRET = await generateIdentity();
const RECIPIENT = await identityToRecipient(SECRET);
const IDENTITY = join(FOLDER, "identity.txt");
const SEALED = [join(FOLDER, "token-key.age"), join(FOLDER, "signing-key.age")];
/** A key of each kind, older than those that are deployed. */
const sealed: FaultCommand["before"] = async (platform) => {
  const encrypter = new Encrypter();
  encrypter.addRecipient(RECIPIENT);
  const { kid, name, value } = makeSigningKey();
  const keys = [`TOKEN_KEY_${OLD}=${makeSecret()}`, `${name.replace(kid, OLD)}=${value}`];
  await writeFile(IDENTITY, SECRET);
  for (const [i, file] of SEALED.entries()) await writeFile(file, await encrypter.encrypt(`${keys[i]}\n`));
  return await used(platform);
};
const OLD = "20260101T000000Z";

/** Those that are quick first. */
export const COMMANDS: Readonly<Record<string, FaultCommand>> = {
  "fi add": { before: used, args: [...NEW, "1"], refusal: /fi rotate --client/ },
  "fi add, second database": { before: used, args: [...NEW, "2"], refusal: /fi rotate --client/ },
  backup: { before: used, args: ["backup", WRITTEN, "--yes", "--remote"] },
  restore: { before: lost, args: ["restore", KEPT, "--remote"], wanted: used, refusal: /Say --yes/ },
  "restore over others": { before: changed, args: ["restore", KEPT, "--yes", "--remote"], wanted: used },
  "key rotate": { before: used, args: ["key", "rotate", "--recipient", RECIPIENT, "--remote"] },
  "signing-key rotate": { before: used, args: ["signing-key", "rotate", "--recipient", RECIPIENT, "--remote"] },
  "key import": { before: sealed, args: ["key", "import", ...SEALED, "--identity", IDENTITY, "--remote"] },
  "first deployment": { before: nothing, args: ["deploy"] },
  "second deployment": { before: used, args: ["deploy"] },
  staging: { before: used, args: ["deploy", "--env", "staging"] },
  "database add": { before: added, args: ["deploy"] },
};
