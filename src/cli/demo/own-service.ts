/** A service of the demo's own, in a folder that is deleted with it, so that the demo may withdraw a PSP. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clock } from "../../platform/clock.ts";

const ROOT = join(import.meta.dirname, "../../..");
const START_TIMEOUT_MS = 120_000;
/** As shells report an end by SIGINT. */
const INTERRUPTED = 130;

interface CommandResult {
  readonly code: number;
  /** What it wrote to both of its outputs. */
  readonly output: string;
}

export interface OwnService {
  readonly url: string;
  /** For files of the demo. */
  readonly folder: string;
  /** `npm run admin -- ...` on this service's stores. */
  readonly admin: (...args: readonly string[]) => Promise<CommandResult>;
  /** Ends it, and deletes its folder. */
  readonly end: () => Promise<void>;
}

/** `npm start` with stores of its own. */
export async function startOwnService(): Promise<OwnService> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-demo-"));
  const port = await findFreePort();
  const variables = { ...process.env, STATE_DIR: folder };
  const node = (...args: readonly string[]) =>
    spawn(process.execPath, ["--import", "./src/cli/compile-cache.ts", ...args], {
      cwd: ROOT,
      env: variables,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const service = node("src/cli/start/process-group.ts", "src/cli/start/start.ts", "--port", String(port));
  const said = gather(service);
  const url = `http://127.0.0.1:${port}`;
  const end = async () => {
    if (service.exitCode === null && service.signalCode === null) {
      const ended = once(service, "exit");
      service.kill("SIGINT");
      await ended;
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("SIGINT", () => end().finally(() => process.exit(INTERRUPTED)));
  try {
    await waitUntilServing(url, service);
  } catch (error) {
    await end();
    throw new Error(`the service did not start: ${said.join("").slice(-2000)}`, { cause: error });
  }
  const admin = async (...args: readonly string[]): Promise<CommandResult> => {
    const command = node("src/cli/main.ts", ...args);
    const output = gather(command);
    // `exit` may come before the last of the output
    const [code] = (await once(command, "close")) as [number | null];
    return { code: code ?? 1, output: output.join("").trim() };
  };
  return { url, folder, admin, end };
}

function gather({ stdout, stderr }: ChildProcess): string[] {
  const texts: string[] = [];
  for (const stream of [stdout, stderr]) stream?.setEncoding("utf8").on("data", (text: string) => texts.push(text));
  return texts;
}

async function waitUntilServing(url: string, service: ChildProcess): Promise<void> {
  const until = clock.now() + START_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`${url}/health`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (service.exitCode !== null || clock.now() > until) throw new Error(`${url} does not answer`);
    await clock.wait(200);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
