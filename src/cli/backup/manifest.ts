/** The file backup.json: what a backup has, by which it is verified. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../institutions/databases.ts";
import { VERSION } from "../../platform/version.ts";
import { EXIT, fail, failUnread, readInput } from "../fail.ts";
import { listSealedIn } from "../keys/custody.ts";
import { type Dump, readDump } from "./database-copy.ts";

/** The form of a backup of one database, and of several. */
export const [ONE, SEVERAL] = [1, 2];
export const MANIFEST = "backup.json";
export const KEY_VALUES = "kv.json";
export const fileOf = ({ number }: Pick<Database, "number">): string => (number === 1 ? "d1.sql" : `d1-${number}.sql`);

/** What D1 imports at once: developers.cloudflare.com/d1/platform/limits/ */
const MAX_IMPORT_BYTES = 5e9;

interface FileRecord extends Partial<Dump> {
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly form: number;
  /** ISO 8601. */
  readonly made_at: string;
  readonly version: string;
  /** The numbers of the databases; absent if there is but the first. */
  readonly databases?: readonly number[];
  readonly entries: number;
  /** Names of the keys' secrets. Their values are in no backup but sealed (keys/custody.ts). */
  readonly secrets_needed: readonly string[];
  /** By name, but for the manifest itself. */
  readonly files: Readonly<Record<string, FileRecord>>;
  readonly not_included: string;
}

/** Of SQL with its rows. */
export async function describeFile(directory: string, name: string): Promise<FileRecord> {
  const path = join(directory, name);
  const { size } = await stat(path).catch(failUnread(path));
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 18 })) hash.update(chunk);
  const record = { bytes: size, sha256: hash.digest("hex") };
  return name.endsWith(".sql") ? { ...record, ...(await readDump(path)) } : record;
}

export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readInput(join(directory, MANIFEST));
  const manifest = parseManifest(text.toString("utf8"));
  if (!manifest?.files) fail(`${join(directory, MANIFEST)} is not as backup writes it`, EXIT.unknown);
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

/** Fails unless all files are there, each as it was written. */
export async function verifyFiles(directory: string, { databases = [1], files }: Manifest): Promise<void> {
  for (const name of [...databases.map((number) => fileOf({ number })), KEY_VALUES])
    if (!files[name]) fail(`${join(directory, MANIFEST)} does not say what ${name} is`);
  for (const [name, written] of Object.entries(files))
    if (!isDeepStrictEqual(await describeFile(directory, name), { ...written }))
      fail(`${join(directory, name)} is not as backup wrote it: its length, digest or count of rows differs`);
}

export const TOO_LARGE = "it imports 5 GB at most. A bookmark goes back without a file: backup bookmark";

/** Of the dumps those that no deployed D1 takes. */
export const listTooLarge = ({ files }: Manifest): string[] =>
  Object.keys(files).filter((name) => name.endsWith(".sql") && (files[name]?.bytes ?? 0) > MAX_IMPORT_BYTES);

/** The needed keys that are not sealed in it: they are lost with the Worker. */
export function listUnsealed({ secrets_needed, files }: Manifest): string[] {
  const sealed = listSealedIn(files);
  return secrets_needed.filter((name) => !sealed.includes(name));
}
