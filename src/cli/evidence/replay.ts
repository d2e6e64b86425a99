/** `evidence replay`: makes recorded answers again from what they were based on, and says where they differ. */
import type { Command } from "commander";
import { describeGap } from "../../evidence/ledger/damage.ts";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import type { Notes } from "../../evidence/replay/differences.ts";
import type { Compared, Replay } from "../../evidence/replay/replay.ts";
import { EXIT, type ExitCode, fail } from "../fail.ts";
import { addOutputOptions, type OutputOptions, print, type Style } from "../output.ts";
import { addRangeOptions, type RangeOptions, readRange } from "./audit.ts";
import { type AuditOptions, type AuditService, addAuditOptions, type Gap, withAuditService } from "./audit-service.ts";

const HELP = `
What is compared: verdicts, decisions, codes and facts of registers. A text that was reworded since is noted.

Exit codes: 0 all are equal, 1 one differs, 3 one could not be made again, or the service does not answer.

Examples:
  evidence replay 0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ --fi PSDFI-FINFSA-0001
  evidence replay --fi PSDFI-FINFSA-0001 --from 2026-11-22T00:00:00Z --psp PSDFI-FINFSA-1234567-8`;

interface Replayed {
  readonly id: string;
  readonly time: string;
  readonly result: Replay;
}

export function addReplayCommand(evidence: Command): void {
  const command = evidence
    .command("replay [id]")
    .description("make recorded answers again from what they were based on, and compare");
  addOutputOptions(addRangeOptions(addAuditOptions(command)))
    .addHelpText("after", HELP)
    .action(async (id: string | undefined, options: AuditOptions & OutputOptions & RangeOptions) => {
      const range = readRange(options);
      if (id === undefined && range.from === undefined && range.to === undefined && range.psp === undefined)
        fail("the id of a record, or --from, --to or --psp", EXIT.usage);
      const replayed = await withAuditService(options, (service) => replayRecords(service, id, range));
      if (replayed === null) fail(`${id}: ${options.fi} has no such record`);
      const { replays, missing } = replayed;
      print(replayed, options, (style) =>
        [describeReplays(replays, style), ...missing.map((gap) => style.bad(describeGap(gap)))].join("\n"),
      );
      const code = exitCodeOf(replays.map(({ result }) => result));
      process.exitCode = code === EXIT.yes && missing.length > 0 ? EXIT.unknown : code;
    });
}

/** Null if there is no record of this id. */
async function replayRecords(
  service: AuditService,
  id: string | undefined,
  range: ReturnType<typeof readRange>,
): Promise<{ readonly replays: readonly Replayed[]; readonly missing: readonly Gap[] } | null> {
  const { replay } = await import("../../evidence/replay/replay.ts");
  const documents = new RecentDocuments(service);
  const run = async (record: LedgerRecord): Promise<Replayed> => ({
    ...{ id: record.id, time: record.time },
    result: await replay(record, (sha256) => documents.read(record.id, sha256)),
  });
  if (id !== undefined) {
    const kept = await service.record(id);
    return kept && { replays: [await run(kept.record as LedgerRecord)], missing: [] };
  }
  const [replays, missing]: [Replayed[], Gap[]] = [[], []];
  for await (const { data, gaps } of service.pages(range)) {
    for (const { record } of data) replays.push(await run(record));
    missing.push(...gaps);
  }
  return { replays, missing };
}

const MAX_RECENT_BYTES = 64 * 1024 * 1024;

/** Records share most of what they are based on: a CRL of megabytes is fetched once, not once for each. */
class RecentDocuments {
  readonly #service: AuditService;
  readonly #documents = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(service: AuditService) {
    this.#service = service;
  }

  async read(id: string, sha256: string): Promise<Uint8Array | null> {
    const known = this.#documents.get(sha256);
    if (known) return known;
    const bytes = await this.#service.document(id, sha256);
    if (!bytes) return null;
    if (this.#bytes + bytes.length > MAX_RECENT_BYTES) {
      this.#documents.clear();
      this.#bytes = 0;
    }
    this.#documents.set(sha256, bytes);
    this.#bytes += bytes.length;
    return bytes;
  }
}

/** A difference outweighs what could not be found out. */
export function exitCodeOf(results: readonly Replay[]): ExitCode {
  if (results.some((result) => result.ok && !result.equal)) return EXIT.no;
  return results.some(({ ok }) => !ok) ? EXIT.unknown : EXIT.yes;
}

const describeReplays = (replayed: readonly Replayed[], style: Style): string =>
  replayed.length === 0
    ? "no record"
    : replayed.map(({ id, time, result }) => `${time} ${id} ${describeReplay(result, style)}`).join("\n");

export function describeReplay(result: Replay, style: Style): string {
  if (!result.ok) {
    const missing = result.missing.map(({ what, sha256, reason }) => `${what} ${sha256} is ${reason}`);
    return `${style.doubtful("cannot be made again:")} ${missing.join("; ")}`;
  }
  if (!result.equal) {
    const { difference, releases } = result;
    const [was, is] = [difference.recorded, difference.replayed].map((value) => JSON.stringify(value));
    return `${style.bad("differs:")} ${difference.path} was ${was} (release ${releases.recorded}) and is ${is} (release ${releases.replayed})`;
  }
  const { notes } = result;
  return `${describeCompared(result.compared, style)}${notes ? `; ${style.doubtful(describeNotes(notes))}` : ""}`;
}

/** Of a reworded text the exit code says nothing: what was decided is the same. */
function describeNotes({ first, count, releases }: Notes): string {
  const said = first.slice(0, SHOWN_NOTES).map(({ path, recorded, replayed }) => {
    const [was, is] = [recorded, replayed].map((value) => JSON.stringify(value));
    return recorded === null ? `${path} is new: ${is}` : `${path} was ${was} and is ${is}`;
  });
  const more = count > said.length ? [`and ${count - said.length} more`] : [];
  return `texts were reworded or added since release ${releases.recorded}: ${[...said, ...more].join("; ")}`;
}

const SHOWN_NOTES = 5;

function describeCompared(compared: Compared, style: Style): string {
  return {
    answer: style.good("equal"),
    results: `${style.good("equal")}: all results; what was refused in the answer is not judged again`,
    checks: `${style.good("equal")}: verdicts and decisions`,
    nothing: "rests on no check",
  }[compared];
}
