/** What a process takes, as Linux counts it (proc(5)): memory, and time of the processor. */
import { readdir, readFile } from "node:fs/promises";

/** The process of that name that descends from this one. */
export async function findDescendant(name: string): Promise<number> {
  const processes = new Map<number, { name: string; parent: number }>();
  for (const pid of (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry)).map(Number)) {
    const [, comm = "", parent = ""] =
      /\((.*)\) \S (\d+)/.exec(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")) ?? [];
    processes.set(pid, { name: comm, parent: Number(parent) });
  }
  const descends = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent;
    return parent !== undefined && parent > 1 && (parent === process.pid || descends(parent));
  };
  const found = [...processes].filter(([pid, one]) => one.name === name && descends(pid)).map(([pid]) => pid);
  const pid = found.at(-1);
  if (pid === undefined) throw new Error(`no process ${name}`);
  return pid;
}

/** Megabytes in use. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Nanoseconds of the processor so far, in all threads. */
export async function processorNanoseconds(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const spent = threads.map(async (thread) =>
    Number((await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "0")).split(" ")[0]),
  );
  return (await Promise.all(spent)).reduce((sum, nanoseconds) => sum + nanoseconds, 0);
}
