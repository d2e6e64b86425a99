/** What wrangler.toml says of the ledger: for `status` and `doctor`. */
import { type LedgerSettings, ledgerWarnings } from "../ledger/ledger-settings.ts";
import { readDeploymentTables } from "./deployment-tables.ts";
import { type Finding, good } from "./finding.ts";
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
