/**
 * What the imports of full-size EBA registers take, that of the banks, too: time, and peak memory above a tiny one's, by the
 * operator's own command, each on empty stores. Runs by itself: `node test/bench/eba.ts [FILE]`; the file is an answer of the
 * search to measure beside the made ones.
 */
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { FULL_SIZE_BANKS, writeBanks } from "./bank-file.ts";
import { FULL_SIZE_RECORDS, writeEba } from "./eba-file.ts";

/** Each write to a local store passes wrangler's proxy, which copies it in the command's process: 154 MB were measured. */
const MAX_MB_ABOVE_IDLE = 160;
const ADMIN = join(import.meta.dirname, "../../src/cli/main.ts");
/** Has the process tell its own peak, in kilobytes; workerd, which holds the stores, is another one. */
const TELL_PEAK = `data:text/javascript,process.on("exit",()=>console.error("peak "+process.resourceUsage().maxRSS))`;
const run = promisify(execFile);

async function measureImport(folder: string, path: string, source: "eba" | "credit-institutions") {
  const env = { ...process.env, STATE_DIR: join(folder, `state-${basename(path)}`) };
  const began = performance.now();
  const { stderr } = await run(
    process.execPath,
    ["--import", TELL_PEAK, ADMIN, "register", "import", path, "--source", source],
    { env, maxBuffer: 64 * 1024 * 1024 },
  );
  const seconds = (performance.now() - began) / 1000;
  const [, kilobytes] = /^peak (\d+)$/m.exec(stderr) ?? [];
  if (kilobytes === undefined) throw new Error(`no peak in: ${stderr}`);
  return { fileMegabytes: (await stat(path)).size / 1e6, seconds, peakMegabytes: Number(kilobytes) / 1024 };
}

const folder = await mkdtemp(join(tmpdir(), "psp-gate-eba-"));
try {
  const write = async (name: string, records: number) => {
    const path = join(folder, name);
    await writeEba(createWriteStream(path), records, name.endsWith(".zip"));
    return path;
  };
  const tiny = await measureImport(folder, await write("tiny.json", 1_000), "eba");
  const banks = join(folder, "banks.json");
  await writeFile(banks, writeBanks(FULL_SIZE_BANKS));
  const [, , given] = process.argv;
  const files = [
    ...["full.json", "full.zip"].map((name) => ["eba", name, () => write(name, FULL_SIZE_RECORDS)] as const),
    ...[banks, ...(given ? [given] : [])].map(
      (path) => ["credit-institutions", basename(path), async () => path] as const,
    ),
  ];
  for (const [source, name, make] of files) {
    const { fileMegabytes, seconds, peakMegabytes } = await measureImport(folder, await make(), source);
    const above = peakMegabytes - tiny.peakMegabytes;
    const verdict = above <= MAX_MB_ABOVE_IDLE ? "ok" : `MORE THAN ${MAX_MB_ABOVE_IDLE} MB`;
    console.log(
      `${name}: ${fileMegabytes.toFixed(0)} MB in ${seconds.toFixed(1)} s, peak ${above.toFixed(0)} MB above the ${tiny.peakMegabytes.toFixed(0)} MB of a tiny file: ${verdict}`,
    );
    if (above > MAX_MB_ABOVE_IDLE) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true });
}
