/** `backup` and `restore`: D1, KV, and the names of the secrets without which they are of no use. */
import { appendFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { bindingOf, listDatabases } from "../../institutions/databases.ts";
import { clock, relativeTime } from "../../platform/clock.ts";
import { VERSION } from "../../platform/version.ts";
import { complain, EXIT, fail, findKnownFailure } from "../fail.ts";
import { copySealed, listSealedIn } from "../keys/custody.ts";
import { listKeyNames } from "../keys/signing-keys.ts";
import { makeFolder } from "../made-folder.ts";
import { grouped, makeProgressBar, type OutputOptions, print, styleOf } from "../output.ts";
import { DEV_VARS, needsMigrating, type Stores, withStores } from "../stores.ts";
import { type Common, commandsOf, type Target, type TargetOptions, targetOf } from "../target.ts";
import { BOOKMARK_NOTE, goBack, readBookmarks } from "./bookmarks.ts";
import type { Manifest } from "./manifest.ts";

const NOT_INCLUDED =
  "Durable Objects and R2: ledgers and what they are based on (evidence export writes them), authorization codes (they live for 60 seconds), the counts of the per-IP limit. After a restore, a code that was issued before is unknown and is refused. It cannot be distinguished from an invented code, so a replay of it revokes no token.";
const NOT_SEALED =
  "is not in this backup: it has no sealed file here, and whatever it made is lost with the Worker. Bring the file here by key import. Without one, set KEY_RECIPIENT and rotate: then new tokens are safe";
const SINCE =
  "What was revoked, withdrawn, blocked, disabled, removed, erased, rotated or imported since then is as it was before: do it again, the revocations first. What QTSPs have answered since then on revoked certificates stays known. An institution that was added since then is gone; added again, it begins a new ledger. Whoever was signed in to the console signs in again.";

const TOO_LARGE = "it imports 5 GB at most. A bookmark goes back without a file: backup bookmark";

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
      const manifest = await backUp(directory, target);
      const { listUnsealed } = await loadCopies();
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
      const { readManifest, verifyFiles } = await loadCopies();
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

/** Loaded when needed: they load zod, which takes a fifth of a second, and `--help` needs neither. */
const loadCopies = async () => ({
  ...(await import("./manifest.ts")),
  ...(await import("./database-copy.ts")),
  ...(await import("./key-value-copy.ts")),
});

/** Written beside it and renamed at the end: what has the name of a backup is a whole one. */
async function backUp(directory: string, target: Target): Promise<Manifest> {
  const others = await readdir(directory).catch(({ code }) => (code === "ENOENT" ? [] : null));
  // it is a file
  if (others === null) await mkdir(directory, { recursive: true });
  if (others !== null && others.length > 0)
    fail(`${directory} is not empty: a backup is written into a directory of its own`);
  const partial = `${resolve(directory)}.partial`;
  await rm(partial, { recursive: true, force: true });
  await makeFolder(partial, 0o700);
  try {
    const manifest = await writeBackup(partial, target);
    await rename(partial, directory);
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function writeBackup(directory: string, target: Target): Promise<Manifest> {
  const secrets = await listKeyNames(target);
  return await withStores(target, async ({ env }) => {
    const copies = await loadCopies();
    const { copyKeyValues, describeFile, exportDatabase, fileOf, KEY_VALUES, listTooLarge, MANIFEST } = copies;
    const databases = listDatabases(env);
    for (const database of databases) await exportDatabase(database, join(directory, fileOf(database)), target);
    const bar = makeProgressBar("entries of KV");
    const entries = await copyKeyValues(env.KV, join(directory, KEY_VALUES), (done) => bar.show(done, null));
    bar.clear();
    await copySealed(target, directory);
    const found = await readdir(directory, { recursive: true, withFileTypes: true });
    const names = found.filter((one) => one.isFile()).map((one) => relative(directory, join(one.parentPath, one.name)));
    const files: Record<string, Manifest["files"][string]> = {};
    for (const name of names.sort()) files[name] = await describeFile(directory, name);
    const manifest: Manifest = {
      ...(databases.length === 1
        ? { form: copies.ONE }
        : { form: copies.SEVERAL, databases: databases.map(({ number }) => number) }),
      ...{ made_at: new Date(clock.now()).toISOString(), version: VERSION, entries },
      ...{ secrets_needed: secrets, files, not_included: NOT_INCLUDED },
    };
    for (const name of listTooLarge(manifest)) complain(`no deployed D1 takes ${name} back: ${TOO_LARGE}`);
    await writeFile(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    return manifest;
  });
}

/** `pending`: the migrations that were made since the release of the backup. The service fails until they are applied. */
interface Restored {
  readonly manifest: Manifest;
  readonly pending: readonly string[];
}

async function restore(directory: string, target: Target, replace: boolean): Promise<Restored> {
  const copies = await loadCopies();
  const { fileOf, importDatabase, KEY_VALUES, readManifest, restoreKeyValues, verifyFiles } = copies;
  const manifest = await readManifest(directory);
  const work = async ({ env }: Stores) => {
    const { databases: numbers = [1] } = manifest;
    const databases = listDatabases(env);
    const absent = numbers.filter((number) => !databases.some((database) => database.number === number));
    if (absent.length > 0)
      fail(
        `nothing was changed: the backup has ${absent.map(bindingOf).join(", ")}, which wrangler.toml does not have: database add`,
      );
    const { findPending, isBelow1_0, listPending, endRestore } = await import("../database/migrations.ts");
    // what a restore that failed has left goes without a question
    let isResumed = false;
    for (const database of databases) {
      const { halfRestored } = await findPending(database.db);
      isResumed ||= halfRestored && database.number === 1;
      if (isResumed || halfRestored || !(await holdsInstitutions(database.db))) continue;
      if (!numbers.includes(database.number))
        fail(
          `nothing was changed: institutions are placed in ${database.binding}, which the backup does not have: fi remove takes them away`,
        );
      if (!replace)
        fail("nothing was changed: institutions are stored, and all that is stored would be replaced. Say --yes");
    }
    const [tooLarge] = target.remote ? copies.listTooLarge(manifest) : [];
    if (tooLarge !== undefined) fail(`nothing was changed: D1 does not take ${tooLarge}: ${TOO_LARGE}`);
    await verifyFiles(directory, manifest);
    for (const number of numbers)
      if (await isBelow1_0(manifest.files[fileOf({ number })]?.migrations ?? []))
        fail(`nothing was changed: ${directory} is of a release below 1.0, and its data cannot be taken over`);
    // the first one last: by its rows the others are found
    const replaced = databases.filter(({ number }) => numbers.includes(number)).reverse();
    // a local database is replaced whole or not at all
    let hasBegun = target.remote;
    try {
      for (const database of replaced) {
        await importDatabase(database, join(directory, fileOf(database)), target);
        hasBegun = true;
      }
      const bar = makeProgressBar("entries of KV");
      await restoreKeyValues(env.KV, join(directory, KEY_VALUES), clock.now(), (done) =>
        bar.show(done, manifest.entries),
      );
      bar.clear();
      // until then every other command refuses the database: half a restore is not taken for a whole one
      for (const database of replaced)
        await endRestore(database.db, manifest.files[fileOf(database)]?.migrations ?? []);
    } catch (error) {
      const { message, exitCode } = findKnownFailure(error) ?? {};
      if (message === undefined) throw error;
      fail(hasBegun ? `${message}\nThe restore has begun and is not finished: run it again` : message, exitCode);
    }
    return await listPending(databases);
  };
  return { manifest, pending: await withStores(target, work, { pending: "open" }) };
}

async function holdsInstitutions(db: D1Database): Promise<boolean> {
  const { findTables } = await loadCopies();
  if (!(await findTables(db)).includes("financial_institutions")) return false;
  return (await db.prepare("SELECT 1 FROM financial_institutions LIMIT 1").first()) !== null;
}
