/** `backup` and `restore`: D1, KV, and the names of the secrets without which they are of no use. */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { bindingOf } from "../../institutions/databases.ts";
import { clock, relativeTime } from "../../platform/clock.ts";
import { EXIT, fail } from "../fail.ts";
import { listSealedIn } from "../keys/custody.ts";
import { listKeyNames } from "../keys/signing-keys.ts";
import { grouped, type OutputOptions, print, styleOf } from "../output.ts";
import { DEV_VARS, needsMigrating } from "../stores.ts";
import { type Common, commandsOf, type TargetOptions, targetOf } from "../target.ts";
import { BOOKMARK_NOTE, goBack, readBookmarks } from "./bookmarks.ts";
import { NOT_INCLUDED } from "./not-included.ts";

const NOT_SEALED =
  "is not in this backup: it has no sealed file here, and whatever it made is lost with the Worker. Bring the file here by key import. Without one, set KEY_RECIPIENT and rotate: then new tokens are safe";
const SINCE =
  "What was revoked, withdrawn, blocked, disabled, removed, erased, rotated or imported since then is as it was before: do it again, the revocations first. What QTSPs have answered since then on revoked certificates stays known. An institution that was added since then is gone; added again, it begins a new ledger. Whoever was signed in to the console signs in again.";

interface Restore extends TargetOptions, OutputOptions {
  readonly yes: boolean;
  readonly bookmark?: string;
  readonly database: string;
}

export function addBackupCommands(program: Command): void {
  const command = commandsOf(program);
  const backup = command(
    "backup <directory>",
    "write D1, KV, the sealed keys and the names of the needed secrets into a new directory, which only you can read",
  )
    .option("--yes", "do not ask whether the deployed D1 may stand still meanwhile", false)
    .addHelpText("after", `\nNot in it: ${NOT_INCLUDED}\n\nExample:\n  backup backup-2026-11-22`)
    .action(async (directory: string, options: Common & { yes: boolean }) => {
      const target = targetOf(options);
      if (target.remote && !options.yes) await askForOutage();
      // loaded when needed, as the rest of it: it loads zod, which takes a fifth of a second, and `--help` needs neither
      const { backUp } = await import("./write-backup.ts");
      const { listUnsealed } = await import("./manifest.ts");
      const manifest = await backUp(directory, target);
      const unsealed = listUnsealed(manifest);
      const warning = styleOf(process.stderr).doubtful("warning:");
      const sealed = listSealedIn(manifest.files);
      // of keys on this machine, .dev.vars is the other copy
      if (target.remote) for (const name of unsealed) console.error(`${warning} ${name} ${NOT_SEALED}`);
      print({ directory, ...manifest, secrets_unsealed: unsealed }, options, (style) =>
        [
          `${style.good("backed up")} into ${directory}: D1${manifest.databases ? ` (${manifest.databases.map(bindingOf).join(", ")})` : ""}, and ${grouped(manifest.entries)} entries of KV`,
          ...(sealed.length > 0 ? [`Sealed in it, for key import: ${sealed.join(", ")}`] : []),
          ...(unsealed.length > 0 && !target.remote ? [`Not in it, but in ${DEV_VARS}: ${unsealed.join(", ")}`] : []),
          `Not in it: ${NOT_INCLUDED}`,
        ].join("\n"),
      );
    });

  // what both commands know, as --remote, commander gives to `backup` alone
  backup
    .command("verify <directory>")
    .description("whether each file of a backup is as it was written")
    .action(async (directory: string, _: object, command: Command) => {
      const { readManifest, verifyFiles } = await import("./manifest.ts");
      const manifest = await readManifest(directory);
      await verifyFiles(directory, manifest);
      const { made_at, files } = manifest;
      const count = Object.keys(files).length;
      print(
        { directory, verified: true, made_at, files },
        command.optsWithGlobals<Common>(),
        (style) => `${style.good("verified")}: the ${count} files are as backup wrote them at ${made_at}`,
      );
    });

  backup
    .command("bookmark")
    .description("print where each deployed D1 is now, or was: restore --bookmark goes back there, for 30 days")
    .option("--at <time>", "where it was then, such as 2026-11-22T12:00:00Z")
    .option("--note <file>", "add a line of JSON with the bookmarks to this file")
    .addHelpText("after", "\nIt costs no outage.\n\nExample:\n  backup bookmark --remote --note bookmarks.jsonl")
    .action(async (_: object, command: Command) => {
      const options = command.optsWithGlobals<Common & { at?: string; note?: string }>();
      const noted = await readBookmarks(targetOf(options), options.at ?? null);
      if (options.note !== undefined) await appendFile(options.note, `${JSON.stringify(noted)}\n`, { mode: 0o600 });
      print(noted, options, () =>
        Object.entries(noted.bookmarks)
          .map(([binding, bookmark]) => `${binding}  ${bookmark}`)
          .join("\n"),
      );
    });

  command("restore [directory]", "replace D1 and KV by what a backup holds; stop the service first")
    .option("--yes", "also if institutions are stored: all that is stored is deleted first", false)
    .option("--bookmark <bookmark>", "instead of a backup: where the deployed D1 goes back to (backup bookmark)")
    .option("--database <binding>", "which D1 the bookmark is of", "DB")
    .addHelpText("after", `\n${SINCE}\n\n${BOOKMARK_NOTE}`)
    .action(async (directory: string | undefined, options: Restore) => {
      const { bookmark, database } = options;
      if ((directory === undefined) === (bookmark === undefined))
        fail("restore takes the directory of a backup, or --bookmark", EXIT.usage);
      if (bookmark !== undefined) return await goBack(bookmark, database, options);
      await restoreDirectory(directory ?? "", options);
    });
}

/** Where D1 stands still, every request fails that needs it. */
async function askForOutage(): Promise<void> {
  const what =
    "D1 does not answer while it exports: the deployed service fails for seconds to minutes, as the database is large";
  if (!process.stdin.isTTY) fail(`nothing was done: ${what}. Say --yes, or use backup bookmark, which costs no outage`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${what}. Go on? [y/N] `).finally(() => lines.close());
  if (!/^y(es)?$/i.test(answer.trim())) fail("nothing was done");
}

async function restoreDirectory(directory: string, options: Restore): Promise<void> {
  const target = targetOf(options);
  // before anything is changed: the login may not reach them
  const present = await listKeyNames(target);
  const { restore } = await import("./restore.ts");
  const { manifest, pending } = await restore(directory, target, options.yes);
  const missing = manifest.secrets_needed.filter((name) => !present.includes(name));
  const { made_at, entries } = manifest;
  const restored = { directory, made_at, entries, secrets_missing: missing, migrations_missing: pending };
  print({ ...restored, note: SINCE }, options, (style) =>
    [
      `${style.good("restored")} the state of ${made_at} (${relativeTime(made_at, clock.now())})`,
      ...(pending.length > 0
        ? [`${style.bad("older than this release:")} ${needsMigrating(pending, target.remote)}`]
        : []),
      ...(missing.length > 0
        ? [
            `${style.bad("missing secrets:")} ${missing.join(", ")}: what they made is refused until they are back`,
            `Those that are sealed: key import ${join(directory, "keys", "*.age")} --identity FILE`,
          ]
        : []),
      SINCE,
    ].join("\n"),
  );
}
