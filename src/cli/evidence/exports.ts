/**
 * What of the ledgers is in archives outside of the account, which may be lost as a whole: `evidence export` notes it in D1, and
 * `doctor` says which institution's months are missing.
 */
import { LATE_MS } from "../../evidence/archive/manifest.ts";
import { clock, relativeTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { bindNamed } from "../../platform/statements.ts";
import { type Finding, good, toDo } from "../doctor/finding.ts";

/** What was exported before, and what follows without a gap, is one span: a part from the middle leaves the span as it was. */
const NOTE = `
  INSERT INTO evidence_exports (fi_id, exported_at, until)
  SELECT id, :now, iif(:from <= created_at, max(:to, created_at), created_at) FROM financial_institutions WHERE fi_reference_id = :fi
  ON CONFLICT (fi_id) DO UPDATE SET exported_at = :now, until = iif(:from <= until, max(:to, until), until)`;
const LIST = `
  SELECT fi_reference_id AS reference, exported_at AS exportedAt, coalesce(until, created_at) AS until
  FROM financial_institutions LEFT JOIN evidence_exports ON fi_id = id ORDER BY id`;

export interface ExportState {
  readonly reference: string;
  /** Of the last export; null: there was none. */
  readonly exportedAt: Instant | null;
  /** Before this time each record that could be read is in an archive; `doctor` names by itself what is damaged. */
  readonly until: Instant;
}

/** Notes an archive with the records of `fi` from `from` on and before `to`, which was made at `now`. What came last may still grow. */
export async function noteExport(
  db: D1Database,
  fi: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  now = clock.now(),
): Promise<void> {
  await bindNamed(db, NOTE, { fi, from, to: Math.min(to, now - LATE_MS), now }).run();
}

export const listExports = async (db: D1Database): Promise<ExportState[]> =>
  (await db.prepare(LIST).all<ExportState & Record<string, unknown>>()).results;

const DAY_MS = 86_400_000;
/** After the end of a month, for whoever exports it. */
const GRACE_MS = 7 * DAY_MS;
const MOST_NAMED = 3;

/** Of a deployment. `command`: a command line of this program. */
export function findExports(
  institutions: readonly ExportState[],
  command: (words: string) => string,
  now: Instant,
): Finding[] {
  if (institutions.length === 0) return [];
  const last = Math.max(...institutions.map(({ exportedAt }) => exportedAt ?? 0));
  const when = last === 0 ? "no evidence was exported yet" : `evidence was last exported ${relativeTime(last, now)}`;
  const month = new Date(now - GRACE_MS);
  const due = Date.UTC(month.getUTCFullYear(), month.getUTCMonth());
  const late = institutions.filter(({ until }) => until < due);
  if (late.length === 0) return [good("records", `${when}; no month that has ended is missing`)];
  const named = late.slice(0, MOST_NAMED).map(({ reference, until }) => `${reference} since ${dayOf(until)}`);
  const rest = late.length > MOST_NAMED ? ` and of ${late.length - MOST_NAMED} more` : "";
  const [{ reference, until }] = late as [ExportState];
  const words = `evidence export FILE --reference ${reference} --from ${dayOf(until)} --to ${dayOf(due)}`;
  return [
    toDo(
      "records",
      `${when}; these records are in this account alone: of ${named.join(", ")}${rest}`,
      `${command(words)}; docs/examples/evidence-export.yml does so each month`,
    ),
  ];
}

const dayOf = (time: Instant): string => new Date(time).toISOString().slice(0, 10);
