/**
 * `npm run client:pack`: makes the package `psp-gate-client` in dist/client and packs it beside. It is published with
 * `npm publish dist/psp-gate-client-<version>.tgz`.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleClient } from "./bundle.ts";

const ROOT = join(import.meta.dirname, "../../..");
const run = promisify(execFile);

/** `--out FOLDER`: in the place of dist, for tests, of which several may pack at once. */
const [option, folder = ""] = process.argv.slice(2);
const OUT = option === "--out" ? folder : join(ROOT, "dist");
const PACKAGE = join(OUT, "client");

await rm(PACKAGE, { recursive: true, force: true });
await mkdir(PACKAGE, { recursive: true });
await bundleClient(join(PACKAGE, "index.js"));
await writeDeclarations();
await writeFile(join(PACKAGE, "package.json"), `${JSON.stringify(await describePackage(), null, 2)}\n`);
await cp(join(ROOT, "src/client/README.md"), join(PACKAGE, "README.md"));
await cp(join(ROOT, "LICENSE"), join(PACKAGE, "LICENSE"));
const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", OUT], { cwd: PACKAGE });
console.log(join(OUT, stdout.trim()));

async function describePackage(): Promise<object> {
  const { version, license, engines } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  return {
    name: "psp-gate-client",
    version,
    description: "Client of psp-gate for banks' backends: PSP checks, authorization codes, tokens, consents",
    license,
    type: "module",
    sideEffects: false,
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    types: "./index.d.ts",
    engines,
    keywords: ["psd2", "eidas", "open banking", "oauth2"],
  };
}

/** The types of each file, with the names that they have beside JavaScript. */
async function writeDeclarations(): Promise<void> {
  const configuration = join(OUT, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: PACKAGE,
    rootDir: join(ROOT, "src/client"),
    // as a bank's project may have it: nothing of Node, nothing of Workers
    types: [],
    lib: ["es2022", "dom", "dom.iterable"],
  };
  const files = [join(ROOT, "src/client/index.ts")];
  const tsconfig = { extends: join(ROOT, "tsconfig.json"), compilerOptions, files, include: [] };
  await writeFile(configuration, JSON.stringify(tsconfig));
  await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", configuration]);
  await rm(configuration);
  for (const file of await readdir(PACKAGE)) {
    if (!file.endsWith(".d.ts")) continue;
    const text = await readFile(join(PACKAGE, file), "utf8");
    await writeFile(join(PACKAGE, file), text.replaceAll(/from "(\.\/[\w-]+)\.ts"/g, 'from "$1.js"'));
  }
}
