/**
 * `node process-group.ts PROGRAM ARGUMENTS`: runs a program as the leader of a process group, and leaves none of the group when it
 * ends, is told to end, or loses its starter. A program alone cannot: wrangler's runtime outlives a wrangler that was killed.
 *
 * The program ends the group when this process was killed: the channel between the two is closed then. npm runs scripts by a
 * shell, which passes no signal on; `exec` in package.json puts this process into its place.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { removeAddress, type WrittenAddress } from "./address-file.ts";

/** npm has no pipe to what it starts, and a killed process sends no signal: that it is gone has to be looked for. */
const LOOK_MS = 500;
/** Then what has not ended by itself is killed. */
const PATIENCE_MS = 10_000;

const starter = process.ppid;
const group = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(2)], {
  detached: true,
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});

function tellGroup(signal: NodeJS.Signals): void {
  try {
    process.kill(-(group.pid ?? Number.NaN), signal);
  } catch {
    // nobody is left in it
  }
}

/** Of start.ts, which may be killed. */
let written: WrittenAddress | undefined;
group.on("message", (message) => {
  written = message as WrittenAddress;
});

let stopping = false;
function stop(): void {
  // npm passes a signal on that a terminal has sent to all
  if (stopping) return;
  stopping = true;
  tellGroup("SIGINT");
  setTimeout(tellGroup, PATIENCE_MS, "SIGKILL").unref();
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
setInterval(() => process.ppid !== starter && stop(), LOOK_MS).unref();

const [code, signal] = (await once(group, "exit")) as [number | null, NodeJS.Signals | null];
tellGroup("SIGKILL");
if (written) removeAddress(written);
process.exitCode = code ?? 128 + constants.signals[signal ?? "SIGKILL"];
