/** Replaces D1 and KV by what a backup holds. Whatever forbids it is found before anything is changed. */
import { join } from "node:path";
import { bindingOf, type Database, listDatabases } from "../../institutions/databases.ts";
import { clock } from "../../platform/clock.ts";
import { endRestore, findPending, isBelow1_0, listPending } from "../database/migrations.ts";
import { fail, findKnownFailure } from "../fail.ts";
import { makeProgressBar } from "../output.ts";
import { type Stores, withStores } from "../stores.ts";
import type { Target } from "../target.ts";
import { findTables, importDatabase } from "./database-copy.ts";
import { restoreKeyValues } from "./key-value-copy.ts";
import { fileOf, KEY_VALUES, listTooLarge, type Manifest, readManifest, TOO_LARGE, verifyFiles } from "./manifest.ts";

/** `pending`: the migrations that were made since the release of the backup. The service fails until they are applied. */
interface Restored {
  readonly manifest: Manifest;
  readonly pending: readonly string[];
}

/** `replace`: also if institutions are stored. */
export async function restore(directory: string, target: Target, replace: boolean): Promise<Restored> {
  const manifest = await readManifest(directory);
  const work = async ({ env }: Stores) => {
    const databases = listDatabases(env);
    requireDatabases(manifest, databases);
    await requireReplaceable(manifest, databases, replace);
    await requireAcceptable(directory, manifest, target);
    await replaceAll(directory, manifest, env, target);
    return await listPending(databases);
  };
  return { manifest, pending: await withStores(target, work, { pending: "open" }) };
}

const numbersOf = ({ databases = [1] }: Manifest): readonly number[] => databases;
const migrationsOf = ({ files }: Manifest, database: Pick<Database, "number">): readonly string[] =>
  files[fileOf(database)]?.migrations ?? [];

function requireDatabases(manifest: Manifest, databases: readonly Database[]): void {
  const absent = numbersOf(manifest).filter((number) => !databases.some((database) => database.number === number));
  if (absent.length > 0)
    fail(
      `nothing was changed: the backup has ${absent.map(bindingOf).join(", ")}, which wrangler.toml does not have: database add`,
    );
}

/** What a restore that failed has left goes without a question. */
async function requireReplaceable(manifest: Manifest, databases: readonly Database[], replace: boolean): Promise<void> {
  let isResumed = false;
  for (const database of databases) {
    const { halfRestored } = await findPending(database.db);
    isResumed ||= halfRestored && database.number === 1;
    if (isResumed || halfRestored || !(await holdsInstitutions(database.db))) continue;
    if (!numbersOf(manifest).includes(database.number))
      fail(
        `nothing was changed: institutions are placed in ${database.binding}, which the backup does not have: fi remove takes them away`,
      );
    if (!replace)
      fail("nothing was changed: institutions are stored, and all that is stored would be replaced. Say --yes");
  }
}

async function holdsInstitutions(db: D1Database): Promise<boolean> {
  if (!(await findTables(db)).includes("financial_institutions")) return false;
  return (await db.prepare("SELECT 1 FROM financial_institutions LIMIT 1").first()) !== null;
}

async function requireAcceptable(directory: string, manifest: Manifest, target: Target): Promise<void> {
  const [tooLarge] = target.remote ? listTooLarge(manifest) : [];
  if (tooLarge !== undefined) fail(`nothing was changed: D1 does not take ${tooLarge}: ${TOO_LARGE}`);
  await verifyFiles(directory, manifest);
  for (const number of numbersOf(manifest))
    if (await isBelow1_0(migrationsOf(manifest, { number })))
      fail(`nothing was changed: ${directory} is of a release below 1.0, and its data cannot be taken over`);
}

async function replaceAll(directory: string, manifest: Manifest, env: Stores["env"], target: Target): Promise<void> {
  const numbers = numbersOf(manifest);
  // the first one last: by its rows the others are found
  const databases = listDatabases(env)
    .filter(({ number }) => numbers.includes(number))
    .reverse();
  // a local database is replaced whole or not at all
  let hasBegun = target.remote;
  try {
    for (const database of databases) {
      await importDatabase(database, join(directory, fileOf(database)), target);
      hasBegun = true;
    }
    const bar = makeProgressBar("entries of KV");
    await restoreKeyValues(env.KV, join(directory, KEY_VALUES), clock.now(), (done) =>
      bar.show(done, manifest.entries),
    );
    bar.clear();
    // until then every other command refuses the database: half a restore is not taken for a whole one
    for (const database of databases) await endRestore(database.db, migrationsOf(manifest, database));
  } catch (error) {
    const { message, exitCode } = findKnownFailure(error) ?? {};
    if (message === undefined) throw error;
    fail(hasBegun ? `${message}\nThe restore has begun and is not finished: run it again` : message, exitCode);
  }
}
