/**
 * What the import of a full-size EBA register takes: time, and peak memory above a tiny one's, by the operator's own
 * command, each on empty stores. Runs by itself: `node test/bench/eba.ts`.
 */
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { FULL_SIZE_RECORDS, writeEba } from "./eba-file.ts";

/** Each write to a local store passes wrangler's proxy, which copies it in the command's process: 154 MB were measured. */
const MAX_MB_ABOVE_IDLE = 160;
const ADMIN = join(import.meta.dirname, "../../src/cli/main.ts");
/** Has the process tell its own peak, in kilobytes; workerd, which holds the stores, is another one. */
const TELL_PEAK = `data:text/javascript,process.on("exit",()=>console.error("peak "+process.resourceUsage().maxRSS))`;
const run = promisify(execFile);

async function measureImport(folder: string, file: string, records: number) {
  const path = join(folder, file);
  await writeEba(createWriteStream(path), records, file.endsWith(".zip"));
  const env = { ...process.env, STATE_DIR: join(folder, `state-${file}`) };
  const began = performance.now();
  const { stderr } = await run(
    process.execPath,
    ["--import", TELL_PEAK, ADMIN, "register", "import", path, "--source", "eba"],
    { env, maxBuffer: 64 * 1024 * 1024 },
  );
  const seconds = (performance.now() - began) / 1000;
  const [, kilobytes] = /^peak (\d+)$/m.exec(stderr) ?? [];
  if (kilobytes === undefined) throw new Error(`no peak in: ${stderr}`);
  return { fileMegabytes: (await stat(path)).size / 1e6, seconds, peakMegabytes: Number(kilobytes) / 1024 };
}

const folder = await mkdtemp(join(tmpdir(), "psp-gate-eba-"));
try {
  const tiny = await measureImport(folder, "tiny.json", 1_000);
  for (const name of ["full.json", "full.zip"]) {
    const { fileMegabytes, seconds, peakMegabytes } = await measureImport(folder, name, FULL_SIZE_RECORDS);
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
