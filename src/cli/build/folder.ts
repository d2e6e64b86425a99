/**
 * A folder of dist/ that is made from the sources: made when a program needs it, and only when its inputs changed.
 *
 * Several processes may build at once and others serve meanwhile: a file is replaced by a rename, and only if it differs,
 * because `wrangler dev` reloads when one changes. All of them write the same contents.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { ROOT } from "../configuration.ts";

/** Everything that is built from: the code, the sandbox's certificates, aliases, the versions of the packages, documents. */
export const INPUTS = [
  ...["src", "fixtures/certificates", "package.json", "package-lock.json", "tsconfig.json", "wrangler.toml"],
  // documents that are pages of the site
  ...["CHANGELOG.md", "LICENSE", "docs/comparison.md", "docs/examples", "docs/glossary.md"],
  ...["docs/interface.md", "fixtures/README.md"],
];

/** The inputs' hash and the files that were made from them. It lies beside the folder: what is inside is served. */
interface Made {
  readonly inputs: string;
  readonly files: readonly string[];
}

export type Contents = ReadonlyMap<string, string | Uint8Array>;

/** Makes the folder by `make`, unless it was made from the same inputs. */
export async function buildFolder(folder: string, make: () => Promise<Contents>): Promise<void> {
  const madeFile = `${folder}.json`;
  const inputs = await hashInputs();
  const made = await readMade(madeFile);
  if (made?.inputs === inputs && made.files.every((file) => existsSync(join(folder, file)))) return;
  const contents = await make();
  for (const [file, content] of contents) await replace(join(folder, file), content);
  await removeOthers(folder, new Set(contents.keys()));
  await replace(madeFile, JSON.stringify({ inputs, files: [...contents.keys()] } satisfies Made));
}
async function hashInputs(): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  for (const input of INPUTS)
    for (const file of await listFiles(join(ROOT, input)))
      hash.update(`\0${relative(ROOT, file)}\0`).update(
        createHash("sha256")
          .update(await readFile(file))
          .digest(),
      );
  return hash.digest("hex");
}

/** The files in a folder and those below it, sorted; a file alone is itself. */
async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === "ENOTDIR") return null;
    throw error;
  });
  if (entries === null) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Null if there is none, or it is of another form. */
async function readMade(file: string): Promise<Made | null> {
  try {
    const made: Partial<Made> = JSON.parse(await readFile(file, "utf8"));
    return typeof made.inputs === "string" && Array.isArray(made.files) ? (made as Made) : null;
  } catch {
    return null;
  }
}

async function replace(file: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content);
  const before = await readFile(file).catch(() => null);
  if (before?.equals(bytes)) return;
  // outside the folder that is served
  const written = join(ROOT, "dist", `.${process.pid}-${createHash("sha256").update(file).digest("hex")}`);
  await mkdir(dirname(written), { recursive: true });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(written, bytes);
  await rename(written, file);
}

/** What an earlier version made and this one does not. */
async function removeOthers(folder: string, files: ReadonlySet<string>): Promise<void> {
  for (const file of await listFiles(folder)) if (!files.has(relative(folder, file))) await rm(file, { force: true });
}
