/** The service as its users meet it: `npm start` in a state of its own, spoken to over HTTP. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWorkerModules } from "../../src/cli/build/worker-modules.ts";
import { readConfiguration } from "../../src/cli/configuration.ts";
import { OTHER_FI, SANDBOX_FI } from "../sandbox-fis.ts";

export const ROOT = join(import.meta.dirname, "../..");
const START_TIMEOUT_MILLISECONDS = 240_000;

export interface Service {
  readonly url: string;
  /** Of npm, which leads a process group. */
  readonly pid: number;
  /** Where its D1, KV and secrets rest. */
  readonly state: string;
  /** Everything that it wrote to its terminal so far; it is in the file `output` of its state, too. */
  readonly output: () => string;
  /** As Ctrl-C does; answers the exit code. */
  readonly stop: () => Promise<number | null>;
}

interface StartOptions {
  readonly state?: string;
  readonly port?: number;
  readonly vars?: Readonly<Record<string, string>>;
  readonly alias?: readonly [imported: string, file: string];
}

/**
 * Starts the service, on a free port unless one is named; `state` goes on with that of an earlier one, `vars` replace those of wrangler.toml,
 * `alias` names the file that is built in the place of an imported one.
 */
export async function startService(options: StartOptions = {}): Promise<Service> {
  const state = options.state ?? (await mkdtemp(join(tmpdir(), "psp-gate-")));
  const terminal = openSync(join(state, "output"), "w");
  const vars = Object.entries(options.vars ?? {}).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const alias = options.alias ? ["--config", await writeConfiguration(state, options.alias)] : [];
  const place = ["--port", String(options.port ?? 0), "--address-file", addressFileOf(state)];
  const child = spawn("npm", ["start", "--", ...place, ...vars, ...alias], {
    cwd: ROOT,
    env: { ...process.env, STATE_DIR: state },
    stdio: ["ignore", terminal, terminal],
    detached: true,
  });
  closeSync(terminal);
  const output = () => readOutput(state);
  await waitUntilServing(addressFileOf(state), child, output);
  const url = readFileSync(addressFileOf(state), "utf8").trim();
  return { url, pid: child.pid ?? 0, state, output, stop: () => interrupt(child) };
}

/** Where a service of this state writes its address. */
export const addressFileOf = (state: string): string => join(state, "address-file");

/** wrangler.toml that serves modules with an alias, which are built here. */
async function writeConfiguration(folder: string, [imported, file]: readonly [string, string]): Promise<string> {
  const modules = join(folder, "modules-with-alias");
  await buildWorkerModules(modules, undefined, { [imported]: file });
  const path = join(folder, "wrangler.toml");
  await writeFile(path, await readConfiguration(join(modules, "index.js")));
  return path;
}

/** What the service of this state wrote to its terminal so far. */
export const readOutput = (state: string): string => readFileSync(join(state, "output"), "utf8");

/** Stops a service and deletes its state. */
export async function endService(service: Service): Promise<void> {
  await service.stop();
  await rm(service.state, { recursive: true, force: true });
}

async function waitUntilServing(addressFile: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MILLISECONDS;
  while (performance.now() < deadline) {
    if (hasEnded(child)) throw new Error(`npm start ended with ${child.exitCode}:\n${output()}`);
    if (existsSync(addressFile)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`npm start does not serve:\n${output()}`);
}

/** Ctrl-C: SIGINT to the whole process group, as a terminal sends it. */
async function interrupt(child: ChildProcess): Promise<number | null> {
  if (hasEnded(child) || child.pid === undefined) return child.exitCode;
  const ended = once(child, "exit");
  process.kill(-child.pid, "SIGINT");
  const [code] = (await ended) as [number | null];
  return code;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

export { OTHER_FI, SANDBOX_FI };

/** A fixture's certificate as the `eidas` header carries it. */
export const eidasHeader = async (name: string): Promise<string> =>
  (await readFile(join(ROOT, `fixtures/certificates/${name}.pem`), "utf8")).replaceAll(/-----[^-]+-----|\s/g, "");
