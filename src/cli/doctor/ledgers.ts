/** What `doctor` says of the ledgers: whether they are written, and what of them is damaged. */
import { describeGap, type KnownDamage, LIST_DAMAGE, nameGap } from "../../evidence/ledger/damage.ts";
import { type LedgerSettings, ledgerWarnings } from "../../evidence/ledger/ledger-settings.ts";
import { readDeploymentTables } from "../deployment/tables.ts";
import type { Target } from "../target.ts";
import { type Finding, good, toDo } from "./finding.ts";

/** Whether a key signs, the service itself says (GET /status): the commands cannot read its secrets. */
export function readLedgerSettings({ environment }: Target): LedgerSettings {
  const { vars, buckets } = readDeploymentTables(environment);
  return {
    records: vars["LEDGER_RECORDS"] as LedgerSettings["records"],
    bucket: buckets.includes("EVIDENCE"),
    signs: null,
  };
}

/** Both may be missed on purpose, so there is nothing to do. */
export function findLedger(settings: LedgerSettings): Finding {
  const off = ledgerWarnings(settings);
  return good(
    "configuration",
    off.length > 0 ? off.join("; ") : "answers are recorded; what they are based on, and old records, go to R2",
  );
}

const REQUIRED =
  "SELECT fi_reference_id FROM financial_institutions WHERE ledger_required = 1 AND status = 'active' ORDER BY 1";

/** Institutions that get no answer because no record can be kept. */
export async function findWithheld(
  db: D1Database,
  records: unknown,
  command: (words: string) => string,
): Promise<Finding[]> {
  if (records !== "off") return [];
  const { results } = await db.prepare(REQUIRED).all<{ fi_reference_id: string }>();
  return results.map(({ fi_reference_id: reference }) =>
    toDo(
      "configuration",
      `${reference} requires its records, and LEDGER_RECORDS is off: its checks and grants are answered with 503`,
      `LEDGER_RECORDS = "on" in wrangler.toml and npm run deploy, or ${command(`fi set --reference ${reference} --ledger default`)}`,
    ),
  );
}

/** One finding for each file of a ledger that is damaged. */
export async function findDamage(db: D1Database, command: (words: string) => string): Promise<Finding[]> {
  const { results } = await db.prepare(LIST_DAMAGE).all<KnownDamage & Record<string, unknown>>();
  return results.map(({ fi, ...damage }) =>
    toDo(
      "records",
      `${fi}: ${describeGap(nameGap(damage))} (${damage.file})`,
      `put the file back into the bucket EVIDENCE from a copy; then ${command(`audit list --fi ${fi} --to ${new Date(damage.last_time + 1).toISOString()}`)} reads it. Nobody can make it again: without a copy tell the institution, for export and verify name the gap`,
    ),
  );
}
