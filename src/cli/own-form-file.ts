/** `register import` of a file in the registers' own form: one country's, as JSON or CSV. */
import { clock } from "../platform/clock.ts";
import { recordRefusedImport, recordSuccess } from "../refresh/refreshes.ts";
import { registerTask } from "../refresh/schedule.ts";
import { importRegister } from "../registers/import/import-register.ts";
import { describeProblem, readRegisterFile } from "../registers/import/own-form.ts";
import { readRegisterCsv } from "../registers/import/own-form-csv.ts";
import type { RegisterSource } from "../registers/psp-record.ts";
import { fail } from "./fail.ts";
import { readInput } from "./input-file.ts";
import type { LeasedWork } from "./lease.ts";
import { makeProgressBar } from "./progress-bar.ts";
import { whenSettled } from "./settled-import.ts";

/** Fails with the reason for a file that is refused: what was loaded stays. */
export async function importOwnForm(
  { KV, DB }: Pick<Env, "KV" | "DB">,
  path: string,
  { source, force, older }: { source?: RegisterSource; force: boolean; older: boolean },
  leased: LeasedWork,
) {
  const text = (await readInput(path)).toString("utf8");
  const isJson = /^\uFEFF?\s*[{[]/.test(text);
  const file = isJson ? readRegisterFile(text) : readRegisterCsv(text);
  if (!file.ok) fail(`${path} is refused:\n${file.problems.map(describeProblem).join("\n")}`);
  const { register } = file;
  if (source && source !== register.source) fail(`${path} is refused: it is of the source ${register.source}`);
  const task = registerTask(register.source, register.country);
  const bar = makeProgressBar("writing");
  const onEntries = (written: number, of: number) => {
    bar.show(written, of);
    leased.left = `${written} of ${of} entries of ${register.country} are written: the same command finishes it`;
  };
  const result = await whenSettled(() =>
    importRegister({ KV, DB }, register, { now: clock.now(), force, refuseOlder: !older, onEntries }),
  );
  bar.clear();
  if (result.ok) {
    // as of its end: events wait from then on until KV shows it everywhere (refresh/events.ts)
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
