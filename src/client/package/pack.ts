/**
 * `npm run client:pack`: makes the package `psp-gate-client` in dist/client and packs it beside. It is published with
 * `npm publish dist/psp-gate-client-<version>.tgz`. `--out FOLDER`: in the place of dist.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { build } from "esbuild";
import { CODES } from "../error-codes.ts";
import { writeWireTypes } from "./generate.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CLIENT = join(ROOT, "src/client");
const run = promisify(execFile);

/** What Node 20, Workers and today's browsers run without being changed. */
const TARGET = "es2022";

/** Makes the package below `out` and answers the path of the packed file. */
async function pack(out: string): Promise<string> {
  const folder = join(out, "client");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await withSources(async (sources) => {
    await bundle(sources, join(folder, "index.js"), false);
    await bundle(sources, join(folder, "index.cjs"), false, "cjs");
    await writeWireTypes(sources);
    await writeDeclarations(sources, folder);
  });
  await writeFile(join(folder, "package.json"), `${JSON.stringify(await describePackage(), null, 2)}\n`);
  await cp(join(CLIENT, "README.md"), join(folder, "README.md"));
  await cp(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", out], { cwd: folder });
  return join(out, stdout.trim());
}

/** A copy of the client's sources that has the error codes as a list: the whole catalogue is not for banks. */
async function withSources(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-client-"));
  try {
    for (const file of await readdir(CLIENT))
      if (file.endsWith(".ts")) await cp(join(CLIENT, file), join(folder, file));
    const list = `export const CODES: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(CODES)};\n`;
    const names = Object.values(CODES).flatMap((codes) => codes.map((code) => `  | ${JSON.stringify(code)}`));
    const type = `export type ErrorCode =\n${names.join("\n")};\n`;
    await writeFile(join(folder, "error-codes.ts"), list + type);
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the client as one ES module without imports, minified. */
export const bundleClient = (file: string): Promise<void> => withSources((sources) => bundle(sources, file, true));

async function bundle(sources: string, outfile: string, minify: boolean, format: "esm" | "cjs" = "esm"): Promise<void> {
  const entryPoints = [join(sources, "index.ts")];
  const options = { bundle: true, platform: "neutral", target: TARGET, logLevel: "warning" } as const;
  await build({ ...options, entryPoints, outfile, minify, format });
}

async function describePackage(): Promise<object> {
  const { version, license, engines } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  return {
    name: "psp-gate-client",
    version,
    description: "Client of psp-gate for banks' backends: PSP checks, authorization codes, tokens, consents",
    license,
    type: "module",
    sideEffects: false,
    exports: {
      ".": {
        // a project in CommonJS needs types that are CommonJS, too (TS1479)
        require: { types: "./index.d.cts", default: "./index.cjs" },
        default: { types: "./index.d.ts", default: "./index.js" },
      },
    },
    main: "./index.cjs",
    types: "./index.d.cts",
    engines,
    keywords: ["psd2", "eidas", "open banking", "oauth2"],
  };
}

/** The types of each file, with the names that they have beside JavaScript: for ES modules and for CommonJS. */
async function writeDeclarations(sources: string, folder: string): Promise<void> {
  const configuration = join(sources, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: folder,
    rootDir: sources,
    // as a bank's project may have it: nothing of Node, nothing of Workers
    types: [],
    lib: ["es2022", "dom", "dom.iterable"],
  };
  const files = [join(sources, "index.ts")];
  const tsconfig = { extends: join(ROOT, "tsconfig.json"), compilerOptions, files, include: [] };
  await writeFile(configuration, JSON.stringify(tsconfig));
  await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", configuration]);
  for (const file of await readdir(folder)) {
    if (!file.endsWith(".d.ts")) continue;
    const text = await readFile(join(folder, file), "utf8");
    const named = (ending: string) => text.replaceAll(/from "(\.\/[\w-]+)\.ts"/g, `from "$1.${ending}"`);
    await writeFile(join(folder, file), named("js"));
    await writeFile(join(folder, file.replace(/ts$/, "cts")), named("cjs"));
  }
}

if (process.argv[1] === import.meta.filename) {
  const { out } = parseArgs({ options: { out: { type: "string", default: join(ROOT, "dist") } } }).values;
  console.log(await pack(out));
}
