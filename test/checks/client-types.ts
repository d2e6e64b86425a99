/**
 * Packs the client for banks and uses it in empty projects, as ES modules and as CommonJS, with the TypeScript of today and the one
 * before: the types of ES2020 are enough, mistakes do not compile, and what was compiled runs.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");
const COMPILERS = {
  "TypeScript 5": join(import.meta.dirname, "tools/node_modules/typescript-5/bin/tsc"),
  "TypeScript 7": join(ROOT, "node_modules/typescript/bin/tsc"),
} as const;
type Compiler = keyof typeof COMPILERS;
const BOTH: readonly Compiler[] = ["TypeScript 5", "TypeScript 7"];

/** Types that are unknown would be `any`, and then no mistake is one: that is an error here (TS2578). */
const PROGRAM = `
import { CallError, PspGate, verifyAnswer, type PspCheck } from "psp-gate-client";
const gate = new PspGate({ baseUrl: "http://127.0.0.1:1", clientId: "a", clientSecret: "b", fiReferenceId: "c", allowHttp: true });
const check: Promise<PspCheck> = gate.psp.check({ eidas: "MIIE", jurisdiction: "FI" });
// @ts-expect-error no certificate
void ((): unknown => gate.psp.check({ jurisdiction: "FI" }));
// @ts-expect-error no such scope
void ((): unknown => gate.obie.createCcgToken({ eIDAS: "MIIE", scope: "account" }));
check.catch((error: unknown) => {
  if (!(error instanceof CallError)) throw error;
  const { name, cause } = error;
  // @ts-expect-error it may be anything
  const text: string = cause;
  console.log(name, typeof text, typeof verifyAnswer);
});
`;
const PRINTED = "NetworkError object function";

interface Project {
  readonly type: "module" | "commonjs";
  readonly compilers: readonly Compiler[];
  readonly options: Readonly<Record<string, unknown>>;
}
const PROJECTS: Readonly<Record<string, Project>> = {
  "ES modules, nodenext": { type: "module", compilers: BOTH, options: { module: "nodenext" } },
  "ES modules, Node's types alone": {
    ...{ type: "module", compilers: BOTH },
    options: { module: "nodenext", lib: ["es2020"], types: ["node"] },
  },
  "ES modules, bundler": {
    ...{ type: "module", compilers: BOTH },
    options: { module: "es2020", moduleResolution: "bundler" },
  },
  "CommonJS, nodenext": { type: "commonjs", compilers: BOTH, options: { module: "nodenext" } },
  // TypeScript 7 has it no more
  "CommonJS, node10": {
    ...{ type: "commonjs", compilers: ["TypeScript 5"] },
    options: { module: "commonjs", moduleResolution: "node10" },
  },
};

/** What a command said; rejects with it if the command failed. */
const run = (cwd: string, command: string, ...args: readonly string[]): Promise<string> =>
  promisify(execFile)(command, [...args], { cwd, maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout.trim(),
    ({ stdout, stderr, message }) => Promise.reject(new Error(`${stdout}${stderr}` || message)),
  );

async function useClient(folder: string, packed: string, { type, compilers, options }: Project): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "bank", private: true, type }));
  await writeFile(join(folder, "main.ts"), PROGRAM);
  await run(folder, "npm", "install", "--offline", "--no-audit", "--no-fund", packed);
  // of a bank on Node; without `types` a compiler takes all that are there
  await mkdir(join(folder, "node_modules/@types"));
  for (const types of ["@types/node", "undici-types"])
    await symlink(join(ROOT, "node_modules", types), join(folder, "node_modules", types));
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  for (const compiler of compilers) {
    const outDir = join(folder, compiler.replace(" ", "-"));
    const compilerOptions = { ...strict, target: "es2020", rootDir: ".", types: [], outDir, ...options };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    const version = await run(folder, process.execPath, COMPILERS[compiler], "--version");
    if (!version.startsWith(`Version ${compiler.replace(/\D/g, "")}.`)) throw new Error(`${compiler}: ${version}`);
    await run(folder, process.execPath, COMPILERS[compiler], "-p", ".").catch((error) => {
      throw new Error(`${compiler}:\n${error.message}`);
    });
    const printed = await run(folder, process.execPath, join(outDir, "main.js"));
    if (printed !== PRINTED) throw new Error(`${compiler}: it printed ${printed}`);
  }
}

const folder = await mkdtemp(join(tmpdir(), "psp-gate-client-types-"));
try {
  const packed = await run(ROOT, process.execPath, "src/client/package/pack.ts", "--out", folder);
  for (const [i, [name, project]] of Object.entries(PROJECTS).entries()) {
    await useClient(join(folder, String(i)), packed, project).catch((error) => {
      console.error(`The client in an empty project (${name}), ${error.message}`);
      process.exitCode = 1;
    });
  }
  if (!process.exitCode) console.log(`The client compiles and runs in ${Object.keys(PROJECTS).length} empty projects.`);
} finally {
  await rm(folder, { recursive: true });
}
