/** `register import` of one file: the EBA's golden copy as a stream, or one country in the own form, as JSON or CSV. */
import { createReadStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { clock } from "../../platform/clock.ts";
import { forgetStepState, recordRefusedImport, recordSuccess } from "../../refresh/refreshes.ts";
import { EBA_TASK, registerTask } from "../../refresh/schedule.ts";
import { readEbaFile } from "../../registers/import/eba-file.ts";
import { ebaInstant } from "../../registers/import/euclid-entity.ts";
import { describeProblem } from "../../registers/import/form-fields.ts";
import { importEba, importRegister } from "../../registers/import/import-register.ts";
import { readRegisterFile } from "../../registers/import/own-form.ts";
import { readRegisterCsv } from "../../registers/import/own-form-csv.ts";
import { listRegisters } from "../../registers/manifest.ts";
import { EBA, type RegisterSource } from "../../registers/sources.ts";
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

/** Fails with the reason if the file is refused. Loaded data is kept then, and `status` reports the refusal. */
export async function importEbaFile(
  { KV, DB }: Pick<Env, "KV" | "DB">,
  path: string,
  { sha256, ...taking }: Taking & { readonly sha256?: string },
  leased: LeasedWork,
) {
  const { force, older } = taking;
  const { size } = await stat(path).catch(failUnread(path));
  const refuse = async (reason: string): Promise<never> => {
    await recordRefusedImport(DB, EBA_TASK, `${path} was refused: ${reason}`, clock.now());
    fail(`${path} is refused: ${reason}`);
  };
  const reading = makeProgressBar("reading");
  const file = await readEbaFile(createReadStream(path), {
    sha256: sha256 ?? (await findChecksum(path)),
    published: null,
    onProgress: (bytes) => reading.show(bytes, size),
  });
  reading.clear();
  if (!file.ok) return await refuse(file.reason);
  const { registers, published } = file;
  const loaded = (await listRegisters(KV)).find(({ newestRecord = "" }) => registers.latestVersion < newestRecord);
  if (loaded?.newestRecord && !older) {
    const [its, last] = [registers.latestVersion, loaded.newestRecord].map(ebaInstant);
    return await refuse(
      `its newest record is of ${its}, and that of the loaded file of ${last}; nothing was changed. If that is right, say --older`,
    );
  }
  const writing = makeProgressBar("writing");
  const onCountry = (done: number, total: number) => {
    writing.show(done, total);
    leased.left = `${done} of ${total} countries are written: the same command finishes the others`;
  };
  await forgetStepState(DB, EBA_TASK);
  const result = await whenSettled(() =>
    importEba({ KV, DB }, file, { ...writesOf(taking), now: clock.now(), force, onCountry }),
  );
  writing.clear();
  if (!result.ok) {
    const drops = result.drops.map(({ country, dropped, stored }) => `${country}: ${dropped} of ${stored} PSPs`);
    return await refuse(`it drops too many (${drops.join(", ")}); nothing was changed. If that is right, say --force`);
  }
  // the metadata's checksum is that of the packed file; after an unpacked one the scheduled refresh fetches again. As of its
  // end: events wait from then on until KV shows it everywhere (refresh/events.ts)
  await recordSuccess(DB, EBA_TASK, { sha256: file.sha256 }, clock.now());
  const { records, institutions, unreadable, unknownTypes, unknownServices, unnumbered } = registers;
  return {
    ...{ ok: true, source: EBA, published, records, institutions, unreadable },
    ...{ unknownTypes, unknownServices, unnumbered, countries: result.countries },
  };
}

/** Of a ZIP (APPNOTE section 4.3.7). */
const ZIP_START = "PK\u0003\u0004";

/**
 * Whether a file looks like the EBA's: a ZIP, or JSON that is a list where this project's own form is an object. Fails
 * for a file that cannot be read, before a store is opened.
 */
export async function isEbaFile(path: string): Promise<boolean> {
  const file = await open(path).catch(failUnread(path));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0).catch(failUnread(path));
    const start = buffer.subarray(0, bytesRead);
    return start.indexOf(ZIP_START) === 0 || /^\uFEFF?\s*\[/.test(start.toString("utf8"));
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
