/**
 * The static files that the Worker serves (wrangler.toml, `[assets]`): pages made from the error catalogue, the contract
 * and the guides. Made when a program needs them (`npm start`, a deployment, tests), and only when their inputs changed.
 *
 * Several processes may build at once and others serve meanwhile: a file is replaced by a rename, and only if it differs,
 * because `wrangler dev` reloads when one changes. All of them write the same contents.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** What a deployment sends. */
const SITE = join(ROOT, "dist/site");
/** What `npm start` serves: the same, and with it the sandbox's credentials and certificates. Never deployed. */
const SANDBOX_SITE = join(ROOT, "dist/sandbox-site");

/** Everything that a page may be made from: the code, the sandbox's certificates, the versions of the packages. */
const INPUTS = ["src", "fixtures/certificates", "package.json", "package-lock.json"];

/** The inputs' hash and the files that were made from them. It lies beside the folder: what is inside is served. */
interface Made {
  readonly inputs: string;
  readonly files: readonly string[];
}

/** Makes the folder, unless it was made from the same inputs. Returns its path. */
export async function buildSite({ sandbox }: { readonly sandbox: boolean }): Promise<string> {
  const folder = sandbox ? SANDBOX_SITE : SITE;
  const madeFile = `${folder}.json`;
  const inputs = await hashInputs();
  const made = await readMade(madeFile);
  if (made?.inputs === inputs && made.files.every((file) => existsSync(join(folder, file)))) return folder;
  // the page makers load packages, which takes half a second
  const { makeSite } = await import("./pages.ts");
  const site = await makeSite(sandbox);
  for (const [file, content] of site) await replace(join(folder, file), content);
  await removeOthers(folder, new Set(site.keys()));
  await replace(madeFile, JSON.stringify({ inputs, files: [...site.keys()] } satisfies Made));
  return folder;
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

/** Null if there is none, or one that another version wrote. */
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
  await mkdir(dirname(file), { recursive: true });
  await writeFile(written, bytes);
  await rename(written, file);
}

/** What an earlier version made and this one does not. */
async function removeOthers(folder: string, files: ReadonlySet<string>): Promise<void> {
  for (const file of await listFiles(folder)) if (!files.has(relative(folder, file))) await rm(file, { force: true });
}
