/** However `npm start` or `npm run demo` ends, or loses its starter, it leaves no process, no open port and no address of one. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { findFreePort } from "../free-port.ts";
import { addressFileOf, ROOT, readOutput, type Service, startService } from "../spec/service.ts";

const folder = await mkdtemp(join(tmpdir(), "psp-gate-ends-"));
let service: Service | undefined;
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The one that runs, or a new one: a start takes seconds of processor time. */
async function running(): Promise<Service> {
  service ??= await startService({ state: folder });
  return service;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Without those that have ended and that nobody has asked for. */
const listProcesses = (): Process[] =>
  execFileSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid = "", parent = "", state = "", command = ""] = /^ *(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? [];
      return pid === "" || state.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    });

/** The process and all below it, from above. */
function listTree(top: number): Process[] {
  const all = listProcesses();
  const tree = all.filter(({ pid }) => pid === top);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/** A pid alone may be another's by now. */
async function expectEnded(tree: readonly Process[]): Promise<void> {
  const isLeft = ({ pid, command }: Process) =>
    listProcesses().some((one) => one.pid === pid && one.command === command);
  await vi.waitFor(() => expect(tree.filter(isLeft)).toEqual([]), { timeout: 120_000, interval: 200 });
}

const find = (tree: readonly Process[], command: RegExp): number =>
  tree.find((one) => command.test(one.command))?.pid ?? expect.unreachable(`${command} in ${JSON.stringify(tree)}`);

const NPM = /^npm /;
const OUTER = /process-group\.ts src\/cli\/start\/start\.ts/;
const INNER = /node src\/cli\/start\/start\.ts/;
const WRANGLER = /\.bin\/wrangler dev/;
const CLI = /wrangler-dist\/cli\.js dev/;
const RUNTIME = /workerd serve/;
/** Of the demo. */
const SHELL = /^bash -euo pipefail/;

async function waitForRuntime({ pid = 0 }: ChildProcess, awaited = RUNTIME): Promise<Process[]> {
  return await vi.waitFor(
    () => {
      const tree = listTree(pid);
      expect(tree.filter(({ command }) => awaited.test(command))).not.toEqual([]);
      return tree;
    },
    { timeout: 240_000, interval: 50 },
  );
}

test("`npm run demo` ends with the shell of its guides, however it is ended", async () => {
  const { url } = await running();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const child = spawn("npm", ["run", "demo", "--", "--base-url", url], {
      ...{ cwd: ROOT, env: { ...process.env, STATE_DIR: folder }, stdio: "ignore", detached: true },
    });
    const tree = await waitForRuntime(child, SHELL);
    child.kill(signal);
    await expectEnded(tree);
  }
});

test("a second `npm start` in one folder is refused, and says which, where and what to do", async () => {
  const { pid, url } = await running();
  const inner = find(listTree(pid), INNER);
  const port = await findFreePort();
  const child = spawn("npm", ["start", "--", "--port", String(port)], {
    ...{ cwd: ROOT, env: { ...process.env, STATE_DIR: folder }, stdio: ["ignore", "ignore", "pipe"] },
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect({ code, said: said.replaceAll(/^npm .*\n/gm, "") }).toEqual({
    code: 1,
    said: `error: another npm start serves the folder ${folder} at ${url} (process ${inner}): use that one, or end it (Ctrl-C in its terminal, or kill ${inner}). A second one needs a folder of its own: STATE_DIR=FOLDER npm start -- --port 9000\n`,
  });
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(readOutput(folder)).not.toContain("[ERROR]");
});

test.each<[NodeJS.Signals, string, RegExp | "group"]>([
  ["SIGTERM", "npm", NPM],
  ["SIGKILL", "npm", NPM],
  ["SIGTERM", "the process that npm started", OUTER],
  ["SIGKILL", "the process that npm started", OUTER],
  ["SIGTERM", "the process that a second start names", INNER],
  ["SIGKILL", "the process that a second start names", INNER],
  ["SIGKILL", "wrangler", WRANGLER],
  ["SIGKILL", "wrangler's own process", CLI],
  ["SIGHUP", "all that the terminal has, which was closed", "group"],
])("`npm start` ends with all its processes: %s of %s", async (signal, _, killed) => {
  const { pid, url, stop } = await running();
  const tree = listTree(pid);
  expect(tree.filter(({ command }) => RUNTIME.test(command))).not.toEqual([]);
  service = undefined;
  process.kill(killed === "group" ? -pid : find(tree, killed), signal);
  await expectEnded(tree).finally(stop);
  expect(existsSync(addressFileOf(folder))).toBe(false);
  await expect(fetch(`${url}/errors`)).rejects.toThrow();
});

test("`npm start` ends with all its processes while it fills its stores; the address that another has left is gone by then", async () => {
  const state = await mkdtemp(join(folder, "fills-"));
  await writeFile(addressFileOf(state), "http://127.0.0.1:1\n");
  const child = spawn("npm", ["start", "--", "--port", "0", "--address-file", addressFileOf(state)], {
    ...{ cwd: ROOT, env: { ...process.env, STATE_DIR: state }, stdio: "ignore", detached: true },
  });
  const tree = await waitForRuntime(child);
  expect(tree.filter(({ command }) => WRANGLER.test(command))).toEqual([]);
  expect(existsSync(addressFileOf(state))).toBe(false);
  process.kill(find(tree, OUTER), "SIGKILL");
  await expectEnded(tree);
});
