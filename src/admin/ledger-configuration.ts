/** What wrangler.toml says of the ledger: for `status` and `doctor`. */
import { type LedgerSettings, ledgerWarnings } from "../ledger/ledger-settings.ts";
import { readDeploymentTables } from "./deployment-tables.ts";
import { type Finding, good, toDo } from "./finding.ts";
import type { Target } from "./target.ts";

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
    off.length > 0 ? off.join("; ") : "answers are recorded; what they rest on, and old records, go to R2",
  );
}

const REQUIRED =
  "SELECT fi_reference_id FROM financial_institutions WHERE ledger_required = 1 AND status = 'active' ORDER BY 1";

/** Institutions that get no answer for want of a record: until 0.6.1 they got theirs where none was made. */
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
