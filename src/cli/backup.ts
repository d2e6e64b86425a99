/** `backup` and `restore`: D1, KV, and the names of the secrets without which they are of no use. */
import { access, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { bindingOf, type Database, listDatabases } from "../institutions/databases.ts";
import { clock, relativeTime } from "../platform/clock.ts";
import { VERSION } from "../platform/version.ts";
import { EXIT, fail, failUnread, readInput } from "./fail.ts";
import { listKids, PREFIX } from "./keys.ts";
import { grouped, makeProgressBar, type OutputOptions, print } from "./output.ts";
import { needsMigrating, type Stores, withStores } from "./stores.ts";
import { type Common, commandsOf, type Target, type TargetOptions, targetOf } from "./target.ts";

/** The form of a backup of one database, and of several. */
const [ONE, SEVERAL] = [1, 2];
const MANIFEST = "backup.json";
const fileOf = ({ number }: Pick<Database, "number">): string => (number === 1 ? "d1.sql" : `d1-${number}.sql`);
const KEY_VALUES = "kv.json";

/** The file backup.json. */
interface Manifest {
  readonly form: number;
  /** ISO 8601. */
  readonly made_at: string;
  readonly version: string;
  /** The numbers of the databases; absent if there is but the first. */
  readonly databases?: readonly number[];
  readonly entries: number;
  /** Names only: their values are in no backup. */
  readonly secrets_needed: readonly string[];
  readonly not_included: string;
}

const NOT_INCLUDED =
  "Durable Objects and R2: ledgers and what they are based on (evidence export writes them), authorization codes (they live for 60 seconds), the counts of the per-IP limit. After a restore, a code that was issued before is unknown and is refused. It cannot be distinguished from an invented code, so a replay of it revokes no token.";
const SINCE =
  "What was revoked, withdrawn, blocked, disabled, removed, erased, rotated or imported since then is as it was before: do it again, the revocations first. What QTSPs have answered since then on revoked certificates stays known. An institution that was added since then is gone; added again, it begins a new ledger. Of the console nothing is restored: sign in again; results of checks that were kept are gone.";

interface Restore extends TargetOptions, OutputOptions {
  yes: boolean;
}

export function addBackupCommands(program: Command): void {
  const command = commandsOf(program);
  command(
    "backup <directory>",
    "write D1, KV and the names of the needed secrets into a new directory, which only you can read",
  )
    .addHelpText("after", `\nNot in it: ${NOT_INCLUDED}\n\nExample:\n  backup backup-2026-11-22`)
    .action(async (directory: string, options: Common) => {
      const manifest = await backUp(directory, targetOf(options));
      print({ directory, ...manifest }, options, (style) =>
        [
          `${style.good("backed up")} into ${directory}: D1${manifest.databases ? ` (${manifest.databases.map(bindingOf).join(", ")})` : ""}, and ${grouped(manifest.entries)} entries of KV`,
          `Keep these secrets, whose values are not in it: ${manifest.secrets_needed.join(", ") || "none"}`,
          `Not in it: ${NOT_INCLUDED}`,
        ].join("\n"),
      );
    });

  command("restore <directory>", "replace D1 and KV by what a backup holds; stop the service first")
    .option("--yes", "also if institutions are stored: all that is stored is deleted first", false)
    .addHelpText("after", `\n${SINCE}`)
    .action(async (directory: string, options: Restore) => {
      const target = targetOf(options);
      const { manifest, pending } = await restore(directory, target, options.yes);
      const present = (await listKids(target)).map((kid) => `${PREFIX}${kid}`);
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
            ? [`${style.bad("missing secrets:")} ${missing.join(", ")}: their tokens are refused until they are back`]
            : []),
          SINCE,
        ].join("\n"),
      );
    });
}

/** Loaded when needed: they load zod, which takes a fifth of a second, and `--help` needs neither. */
const loadCopies = async () => ({ ...(await import("./backup-files.ts")), ...(await import("./backup-files.ts")) });

async function backUp(directory: string, target: Target): Promise<Manifest> {
  const others = await readdir(directory).catch(() => []);
  if (others.length > 0) fail(`${directory} is not empty: a backup is written into a directory of its own`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const secrets = (await listKids(target)).map((kid) => `${PREFIX}${kid}`);
  return await withStores(target, async ({ env }) => {
    const { exportDatabase, copyKeyValues } = await loadCopies();
    const databases = listDatabases(env);
    for (const database of databases) await exportDatabase(database, join(directory, fileOf(database)), target);
    const bar = makeProgressBar("entries of KV");
    const entries = await copyKeyValues(env.KV, join(directory, KEY_VALUES), (done) => bar.show(done, null));
    bar.clear();
    const manifest: Manifest = {
      ...(databases.length === 1 ? { form: ONE } : { form: SEVERAL, databases: databases.map(({ number }) => number) }),
      ...{ made_at: new Date(clock.now()).toISOString(), version: VERSION, entries },
      ...{ secrets_needed: secrets, not_included: NOT_INCLUDED },
    };
    // last: a directory without it is no whole backup
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
  const manifest = await readManifest(directory);
  const work = async ({ env }: Stores) => {
    const { importDatabase, readMigrations, restoreKeyValues } = await loadCopies();
    const { databases: numbers = [1] } = manifest;
    const databases = listDatabases(env);
    const absent = numbers.filter((number) => !databases.some((database) => database.number === number));
    if (absent.length > 0)
      fail(
        `nothing was changed: the backup has ${absent.map(bindingOf).join(", ")}, which wrangler.toml does not have: database add`,
      );
    for (const database of databases) {
      if (!(await holdsInstitutions(database.db))) continue;
      if (!numbers.includes(database.number))
        fail(
          `nothing was changed: institutions are placed in ${database.binding}, which the backup does not have: fi remove takes them away`,
        );
      if (!replace)
        fail("nothing was changed: institutions are stored, and all that is stored would be replaced. Say --yes");
    }
    // before anything is replaced: a part of a backup may not have been copied
    for (const name of [...numbers.map((number) => fileOf({ number })), KEY_VALUES])
      await access(join(directory, name)).catch(failUnread(join(directory, name)));
    const { isBelow1_0, listPending } = await import("./migrations.ts");
    for (const number of numbers)
      if (await isBelow1_0(await readMigrations(join(directory, fileOf({ number })))))
        fail(`nothing was changed: ${directory} is of a release below 1.0, and its data cannot be taken over`);
    // the first one last: by its rows the others are found
    for (const database of databases.filter(({ number }) => numbers.includes(number)).reverse())
      await importDatabase(database, join(directory, fileOf(database)), target);
    const bar = makeProgressBar("entries of KV");
    await restoreKeyValues(env.KV, join(directory, KEY_VALUES), clock.now(), (done) =>
      bar.show(done, manifest.entries),
    );
    bar.clear();
    return await listPending(databases);
  };
  return { manifest, pending: await withStores(target, work, { pending: "open" }) };
}

async function readManifest(directory: string): Promise<Manifest> {
  const text = await readInput(join(directory, MANIFEST));
  const manifest = parseManifest(text.toString("utf8"));
  if (!manifest) fail(`${join(directory, MANIFEST)} is not as backup writes it`, EXIT.unknown);
  if (manifest.form !== ONE && manifest.form !== SEVERAL)
    fail(
      `${directory} has the form ${manifest.form}, which version ${VERSION} does not read: it is of ${manifest.version}`,
    );
  return manifest;
}

function parseManifest(text: string): Manifest | null {
  try {
    return JSON.parse(text) as Manifest | null;
  } catch {
    return null;
  }
}

async function holdsInstitutions(db: D1Database): Promise<boolean> {
  const { findTables } = await loadCopies();
  if (!(await findTables(db)).includes("financial_institutions")) return false;
  return (await db.prepare("SELECT 1 FROM financial_institutions LIMIT 1").first()) !== null;
}
