/** Writes a backup: D1, KV, the sealed keys, and a manifest of it all. */
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { listDatabases } from "../../institutions/databases.ts";
import { clock } from "../../platform/clock.ts";
import { VERSION } from "../../platform/version.ts";
import { complain, fail } from "../fail.ts";
import { copySealed } from "../keys/custody.ts";
import { listKeyNames } from "../keys/signing-keys.ts";
import { makeFolder } from "../made-folder.ts";
import { makeProgressBar } from "../output.ts";
import { withStores } from "../stores.ts";
import type { Target } from "../target.ts";
import { exportDatabase } from "./database-copy.ts";
import { copyKeyValues } from "./key-value-copy.ts";
import {
  describeFile,
  fileOf,
  KEY_VALUES,
  listTooLarge,
  MANIFEST,
  type Manifest,
  ONE,
  SEVERAL,
  TOO_LARGE,
} from "./manifest.ts";
import { NOT_INCLUDED } from "./not-included.ts";

/** Written beside it and renamed at the end: what has the name of a backup is a whole one. */
export async function backUp(directory: string, target: Target): Promise<Manifest> {
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
    const databases = listDatabases(env);
    for (const database of databases) await exportDatabase(database, join(directory, fileOf(database)), target);
    const bar = makeProgressBar("entries of KV");
    const entries = await copyKeyValues(env.KV, join(directory, KEY_VALUES), (done) => bar.show(done, null));
    bar.clear();
    await copySealed(target, directory);
    const manifest: Manifest = {
      ...(databases.length === 1 ? { form: ONE } : { form: SEVERAL, databases: databases.map(({ number }) => number) }),
      ...{ made_at: new Date(clock.now()).toISOString(), version: VERSION, entries },
      ...{ secrets_needed: secrets, files: await describeFiles(directory), not_included: NOT_INCLUDED },
    };
    for (const name of listTooLarge(manifest)) complain(`no deployed D1 takes ${name} back: ${TOO_LARGE}`);
    await writeFile(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    return manifest;
  });
}

async function describeFiles(directory: string): Promise<Manifest["files"]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = entries.filter((one) => one.isFile()).map((one) => relative(directory, join(one.parentPath, one.name)));
  const files: Record<string, Manifest["files"][string]> = {};
  for (const name of names.sort()) files[name] = await describeFile(directory, name);
  return files;
}
