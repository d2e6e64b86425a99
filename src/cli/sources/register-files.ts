/** `register import` of one file: one of the EBA's as a stream, or one country in the own form, as JSON or CSV. */
import { createReadStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { clock } from "../../platform/clock.ts";
import { forgetStepState, recordRefusedImport, recordSuccess } from "../../refresh/refreshes.ts";
import { registerTask } from "../../refresh/schedule.ts";
import { isBankFile, readBankFile } from "../../registers/import/bank-file.ts";
import type { BankRegisters } from "../../registers/import/bank-registers.ts";
import { readEbaFile } from "../../registers/import/eba-file.ts";
import type { EbaRegisters } from "../../registers/import/eba-registers.ts";
import { ebaInstant } from "../../registers/import/euclid-entity.ts";
import { describeProblem } from "../../registers/import/form-fields.ts";
import { importRegister, importSource } from "../../registers/import/import-register.ts";
import { readRegisterFile } from "../../registers/import/own-form.ts";
import { readRegisterCsv } from "../../registers/import/own-form-csv.ts";
import { listRegisters, type RegisterManifest } from "../../registers/manifest.ts";
import { BANKS, EBA, type RegisterSource } from "../../registers/sources.ts";
import { fail, failUnread, readInput } from "../fail.ts";
import { makeProgressBar } from "../output.ts";
import type { LeasedWork } from "./lease.ts";
import { whenSettled } from "./settled-import.ts";

/** How a register is taken, as the options of the command say. `bulk`: into a KV whose writes travel together. */
interface Taking {
  readonly force: boolean;
  readonly older: boolean;
  readonly bulk?: boolean;
}

/** Entries that are written at once then. */
const BULK = 10_000;
const writesOf = ({ bulk = false }: Taking) => (bulk ? { writesAtOnce: BULK } : {});

type EuclidSource = typeof EBA | typeof BANKS;

/** One of the EBA's files, with all countries. Fails with the reason if it is refused: loaded data is kept then, and `status` reports it. */
export async function importEuclidFile(
  { KV, DB }: Pick<Env, "KV" | "DB">,
  path: string,
  source: EuclidSource,
  { sha256, ...taking }: Taking & { readonly sha256?: string },
  leased: LeasedWork,
) {
  const { force, older } = taking;
  const task = registerTask(source, null);
  const { size } = await stat(path).catch(failUnread(path));
  const refuse = async (reason: string): Promise<never> => {
    await recordRefusedImport(DB, task, `${path} was refused: ${reason}`, clock.now());
    fail(`${path} is refused: ${reason}`);
  };
  const reading = makeProgressBar("reading");
  const onProgress = (bytes: number) => reading.show(bytes, size);
  const checksum = sha256 ?? (source === EBA ? await findChecksum(path) : null);
  const bytes = createReadStream(path);
  const file =
    source === EBA
      ? await readEbaFile(bytes, { sha256: checksum, published: null, onProgress })
      : await readBankFile(bytes, { fetchedAt: null, onProgress });
  reading.clear();
  if (!file.ok) return await refuse(file.reason);
  if (checksum && checksum.toLowerCase() !== file.sha256)
    return await refuse(`its SHA-256 is ${file.sha256}, and should be ${checksum.toLowerCase()}`);
  const { published } = file;
  const newer = older ? null : findNewer(file, await listRegisters(KV));
  if (newer) return await refuse(`${newer}; nothing was changed. If that is right, say --older`);
  const writing = makeProgressBar("writing");
  const onCountry = (done: number, total: number) => {
    writing.show(done, total);
    leased.left = `${done} of ${total} countries are written: the same command finishes the others`;
  };
  await forgetStepState(DB, task);
  const result = await whenSettled(() =>
    importSource({ KV, DB }, file, { ...writesOf(taking), now: clock.now(), force, onCountry }),
  );
  writing.clear();
  if (!result.ok) {
    const drops = result.drops.map(({ country, dropped, stored }) => `${country}: ${dropped} of ${stored} PSPs`);
    return await refuse(`it drops too many (${drops.join(", ")}); nothing was changed. If that is right, say --force`);
  }
  // the metadata's checksum is that of the packed file; after an unpacked one the scheduled refresh fetches again. As of its
  // end: events wait from then on until KV shows it everywhere (refresh/events.ts)
  await recordSuccess(DB, task, { sha256: file.sha256 }, clock.now());
  const { records, institutions, unreadable, unknownTypes, unnumbered } = file.registers;
  return {
    ...{ ok: true, source, published, records, institutions, unreadable, unknownTypes },
    ...(file.registers.source === EBA && { unknownServices: file.registers.unknownServices }),
    ...{ unnumbered, countries: result.countries },
  };
}

/**
 * Why what is loaded may be newer; null if it is not. A file of banks has no date, and who was withdrawn leaves no record in
 * it: it may be older than any fetch after its newest record.
 */
function findNewer(
  { registers, published }: { readonly registers: EbaRegisters | BankRegisters; readonly published: string },
  loaded: readonly RegisterManifest[],
): string | null {
  const its = loaded.filter(({ source }) => source === registers.source);
  if (registers.source === BANKS) {
    const last =
      its
        .map((one) => one.published)
        .sort()
        .at(-1) ?? "";
    if (published >= last) return null;
    return `its newest record is of ${published}, and what is loaded is of ${last}: nobody can tell which of them is newer`;
  }
  const newest = its.find(({ newestRecord = "" }) => registers.latestVersion < newestRecord)?.newestRecord;
  if (newest === undefined) return null;
  return `its newest record is of ${ebaInstant(registers.latestVersion)}, and that of the loaded file of ${ebaInstant(newest)}`;
}

/** Of a ZIP (APPNOTE section 4.3.7). */
const ZIP_START = "PK\u0003\u0004";
const START_BYTES = 4_096;

/**
 * Which of the EBA's files it looks like: of banks, or the golden copy, which is a ZIP, or JSON that is a list where this project's own
 * form is an object; null for none of them. Fails for a file that cannot be read, before a store is opened.
 */
export async function findEuclidSource(path: string): Promise<EuclidSource | null> {
  const file = await open(path).catch(failUnread(path));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0).catch(failUnread(path));
    const start = buffer.subarray(0, bytesRead);
    if (isBankFile(start.toString("utf8"))) return BANKS;
    return start.indexOf(ZIP_START) === 0 || /^\uFEFF?\s*\[/.test(start.toString("utf8")) ? EBA : null;
  } finally {
    await file.close();
  }
}

/** Reads `<file>.sha256`, the checksum that the EBA publishes with each file. */
async function findChecksum(path: string): Promise<string | null> {
  const text = await readFile(`${path}.sha256`, "utf8").catch(() => "");
  return /[0-9a-f]{64}/i.exec(text)?.[0] ?? null;
}

/** Fails with the reason for a file that is refused: what was loaded stays. */
export async function importOwnForm(
  { KV, DB }: Pick<Env, "KV" | "DB">,
  path: string,
  { source, ...taking }: Taking & { readonly source?: RegisterSource },
  leased: LeasedWork,
) {
  const { force, older } = taking;
  const text = (await readInput(path)).toString("utf8");
  const isJson = /^\uFEFF?\s*[{[]/.test(text);
  const file = isJson ? readRegisterFile(text) : readRegisterCsv(text);
  if (!file.ok) fail(`${path} is refused:\n${file.problems.map(describeProblem).join("\n")}`);
  const { register } = file;
  if (source && source !== register.source) fail(`${path} is refused: it is of the source ${register.source}`);
  const task = registerTask(register.source, register.country);
  const bar = makeProgressBar("writing");
  const onEntries = (written: number, total: number) => {
    bar.show(written, total);
    leased.left = `${written} of ${total} entries of ${register.country} are written: the same command finishes it`;
  };
  const result = await whenSettled(() =>
    importRegister({ KV, DB }, register, {
      ...writesOf(taking),
      now: clock.now(),
      force,
      refuseOlder: !older,
      onEntries,
    }),
  );
  bar.clear();
  if (result.ok) {
    // at its end: events wait from then on until KV shows it everywhere (refresh/events.ts)
    await recordSuccess(DB, task, {}, clock.now());
    return result;
  }
  const whose = `${register.country} (${register.source})`;
  const [message, option] =
    result.reason === "older"
      ? [
          `${path} was published ${register.published}, and what was imported last of ${whose} ${result.last}`,
          "--older",
        ]
      : [`${path} drops ${result.dropped} of the ${result.stored} PSPs of ${whose}`, "--force"];
  await recordRefusedImport(DB, task, message, clock.now());
  fail(`${message}: nothing was changed. If that is right, say ${option}`);
}
