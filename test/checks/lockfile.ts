/**
 * Fails on a package of a lockfile without the hash that `npm ci` holds its download against, and on `engines` of packages.
 * They run on the Node of packages/node-24, but npm would warn for each of that of the system. `--write` takes them out.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const LOCKFILES = ["", "test/bench/peers", "test/checks/tools", "test/mutants", "test/outside-client"].map((folder) =>
  join(ROOT, folder, "package-lock.json"),
);

/**
 * Binaries for other platforms that the registry did not offer when the lockfile was made, so that their hash is not
 * known. `npm ci` on such a platform takes them unchecked. One that gets a hash leaves this list.
 */
const WITHOUT_HASH = [
  "@biomejs/cli-android-arm64@2.6.8",
  "@biomejs/cli-android-x64@2.6.8",
  "@biomejs/cli-darwin-arm64@2.6.8",
  "@biomejs/cli-darwin-x64@2.6.8",
  "@biomejs/cli-linux-arm64-musl@2.6.8",
  "@biomejs/cli-linux-x64-musl@2.6.8",
  "@biomejs/cli-win32-arm64@2.6.8",
  "@biomejs/cli-win32-x64@2.6.8",
  "@cloudflare/workerd-darwin-64@1.20261102.1",
  "@cloudflare/workerd-darwin-arm64@1.20261102.1",
  "@cloudflare/workerd-windows-64@1.20261102.1",
  "@oxc-parser/binding-android-arm-eabi@0.156.0",
  "@oxc-parser/binding-android-arm64@0.156.0",
  "@oxc-parser/binding-darwin-arm64@0.156.0",
  "@oxc-parser/binding-darwin-x64@0.156.0",
  "@oxc-parser/binding-freebsd-x64@0.156.0",
  "@oxc-parser/binding-linux-arm-gnueabihf@0.156.0",
  "@oxc-parser/binding-linux-arm-musleabihf@0.156.0",
  "@oxc-parser/binding-linux-ppc64-gnu@0.156.0",
  "@oxc-parser/binding-linux-riscv64-gnu@0.156.0",
  "@oxc-parser/binding-linux-riscv64-musl@0.156.0",
  "@oxc-parser/binding-linux-s390x-gnu@0.156.0",
  "@oxc-parser/binding-openharmony-arm64@0.156.0",
  "@oxc-parser/binding-win32-arm64-msvc@0.156.0",
  "@oxc-parser/binding-win32-ia32-msvc@0.156.0",
  "@oxc-parser/binding-win32-x64-msvc@0.156.0",
];

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
  engines?: unknown;
}

const locked = await Promise.all(
  LOCKFILES.map(async (file) => JSON.parse(await readFile(file, "utf8")) as { packages: Record<string, Locked> }),
);
const [main = { packages: {} }] = locked;
const isInstalled = (path: string): boolean => path.includes("node_modules/");
// npm chooses among optional packages by theirs
const withEngines = Object.entries(main.packages).filter(
  ([path, { engines, optional }]) => isInstalled(path) && engines !== undefined && !optional,
);
if (process.argv.includes("--write")) {
  for (const [, entry] of withEngines.splice(0)) delete entry.engines;
  await writeFile(LOCKFILES[0] ?? "", `${JSON.stringify(main, null, 2)}\n`);
}
const unhashed = locked
  .flatMap(({ packages }) => Object.entries(packages))
  .filter(([path, { integrity, link }]) => isInstalled(path) && !link && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""))
  .map(([path, { version, optional }]) => ({
    name: `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`,
    optional,
  }));

const faults = [
  ...(withEngines.length > 0 ? ["has `engines`: node test/checks/lockfile.ts --write"] : []),
  ...unhashed
    .filter(({ name, optional }) => !optional || !WITHOUT_HASH.includes(name))
    .map(({ name }) => `${name} has no integrity`),
  ...WITHOUT_HASH.filter((name) => !unhashed.some((found) => found.name === name)).map(
    (name) => `${name} has its integrity, or is gone: remove it from test/checks/lockfile.ts`,
  ),
];
for (const fault of faults) console.error(`a package-lock.json: ${fault}`);
if (faults.length > 0) process.exitCode = 1;
