/** `audit list | show`: the records of an institution's ledger, for the operator. */
import type { Command } from "commander";
import { describeGap } from "../../evidence/ledger/damage.ts";
import { describeOutcome } from "../../evidence/ledger/record.ts";
import { boundedInstant, type Instant } from "../../platform/instant.ts";
import { EXIT, fail } from "../fail.ts";
import { addOutputOptions, describeFields, drawTable, type OutputOptions, print, type Style } from "../output.ts";
import {
  type AuditOptions,
  addAuditOptions,
  addAuditOptionsOfAll,
  type Gap,
  type ListedRecord,
  withAuditService,
  withAuditServices,
} from "./audit-service.ts";

/** As commander gives them. */
export interface RangeOptions {
  readonly from?: string;
  readonly to?: string;
  readonly psp?: string;
}

export const addRangeOptions = (command: Command): Command =>
  command
    .option("--from <instant>", "records from this time on, e.g. 2026-11-22T00:00:00Z")
    .option("--to <instant>", "records before this time")
    .option("--psp <number>", "records of this PSP: its authorisation number");

/** A day, or a time with its offset: without one it would depend on the machine which records are meant. */
const INSTANT = /^\d{4}-\d\d-\d\d(?:T.*(?:Z|[+-]\d\d:\d\d))?$/;

export function readInstant(option: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const time = INSTANT.test(text) ? boundedInstant(Date.parse(text)) : null;
  return time ?? fail(`${option}: ${text} is not an instant such as 2026-11-22T00:00:00Z`, EXIT.usage);
}

export const readRange = ({ from, to, psp }: RangeOptions) => ({
  from: readInstant("--from", from),
  to: readInstant("--to", to),
  psp,
});

interface ListOptions extends Omit<AuditOptions, "fi">, OutputOptions, RangeOptions {
  readonly fi?: string;
  readonly endpoint?: string;
  readonly limit: string;
}

const MAX_ROWS = 10_000;

export function addAuditCommands(program: Command): void {
  const audit = program.command("audit").description("what institutions were answered, from their ledgers");
  const list = audit.command("list").description("list the records of an institution, or of all, newest first");
  addRangeOptions(addOutputOptions(addAuditOptionsOfAll(list)))
    .option("--endpoint <name>", "records of this endpoint, e.g. 'GET /v1/psp/eidas'")
    .option("--limit <rows>", "at most so many", "50")
    .addHelpText(
      "after",
      "\nExamples:\n  audit list --fi PSDFI-FINFSA-0001 --psp PSDFI-FINFSA-1234567-8\n  audit list --limit 20",
    )
    .action(async (options: ListOptions) => {
      const limit = Number(options.limit);
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ROWS)
        fail(`--limit: ${options.limit} is not a number from 1 to ${MAX_ROWS}`, EXIT.usage);
      const filter = { ...readRange(options), endpoint: options.endpoint };
      const missing: Gap[] = [];
      const ofLedgers = await withAuditServices(options, async ({ pages }) => {
        const records: ListedRecord["record"][] = [];
        for await (const { data, gaps } of pages(filter, Math.min(limit, 200))) {
          records.push(...data.map(({ record }) => record));
          missing.push(...gaps);
          if (records.length >= limit) break;
        }
        return records;
      });
      const records = ofLedgers
        .flat()
        .sort((a, b) => (ofLedgers.length > 1 ? b.time.localeCompare(a.time) : 0))
        .slice(0, limit);
      print({ records, missing }, options, (style) =>
        [
          drawRecords(records, options.fi === undefined, style),
          ...missing.map((gap) => style.bad(describeGap(gap))),
        ].join("\n"),
      );
      if (missing.length > 0) process.exitCode = EXIT.unknown;
    });

  const show = audit.command("show <id>").description("print a record, and what it was based on");
  addOutputOptions(addAuditOptions(show))
    .addHelpText("after", "\nExample:\n  audit show 0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ --fi PSDFI-FINFSA-0001")
    .action(async (id: string, options: AuditOptions & OutputOptions) => {
      const record = await withAuditService(options, (service) => service.record(id));
      if (!record) fail(`${id}: ${options.fi} has no such record`);
      const { text: _, ...shown } = record;
      print(record, options, (style) => describeFields(shown, style));
    });
}

/** `ofAll`: each with its institution. */
function drawRecords(records: readonly ListedRecord["record"][], ofAll: boolean, style: Style): string {
  if (records.length === 0) return "no record";
  const rows = records.map((record) => {
    const { time, event, status, id, fi } = record;
    const whose = ofAll ? [fi] : [];
    const { state, words } = describeOutcome(record);
    const said = { yes: style.good(`✓ ${words}`), warn: style.doubtful(`! ${words}`), no: style.bad(`✗ ${words}`) };
    return [time, ...whose, event, describePsps(record), describeWho(record), `${status}`, said[state], id];
  });
  return drawTable(
    ["time", ...(ofAll ? ["institution"] : []), "event", "PSP", "by", "status", "outcome", "evidence id"],
    rows,
    style,
  );
}

const SHOWN_PSPS = 3;

/** Of a withdrawal of all permissions those whose permissions ended. */
function describePsps(record: ListedRecord["record"]): string {
  if (record.psp !== null) return record.psp;
  const psps = [...new Set((record.ended?.permissions ?? []).map(({ psp }) => psp))];
  const left = psps.length - SHOWN_PSPS;
  return [...psps.slice(0, SHOWN_PSPS), ...(left > 0 ? [`and ${left} more`] : [])].join(", ");
}

/** Whose decision it was, and who sent the form of the console. */
const describeWho = ({ by, client, operator }: ListedRecord["record"]): string =>
  [by, client ?? operator].filter((one) => one !== undefined).join(", ");
