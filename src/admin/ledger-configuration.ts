/** What wrangler.toml says of the ledger: for `status` and `doctor`. */
import { join } from "node:path";
import { type LedgerSettings, ledgerWarnings } from "../ledger/ledger-settings.ts";
import { type Finding, good } from "./finding.ts";
import { ROOT } from "./stores.ts";
import type { Target } from "./target.ts";
import { loadWrangler } from "./wrangler-package.ts";

/** Whether a key signs, the service itself says (GET /status): the commands cannot read its secrets. */
export function readLedgerSettings({ environment }: Target): LedgerSettings {
  const { unstable_readConfig } = loadWrangler();
  const config = join(ROOT, "wrangler.toml");
  const { vars, r2_buckets } = unstable_readConfig({ config, ...(environment !== null && { env: environment }) });
  const bucket = r2_buckets.some(({ binding }: { binding: string }) => binding === "EVIDENCE");
  return { records: vars["LEDGER_RECORDS"], bucket, signs: null };
}

/** Both may be missed on purpose, so there is nothing to do. */
export function findLedger(settings: LedgerSettings): Finding {
  const off = ledgerWarnings(settings);
  return good(
    "configuration",
    off.length > 0 ? off.join("; ") : "answers are recorded; what they rest on, and old records, go to R2",
  );
}
