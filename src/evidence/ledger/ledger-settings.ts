/** What of the ledger a deployment has switched off or lacks, as sentences for `status` and `doctor`. */

export interface LedgerSettings {
  /** The variable LEDGER_RECORDS. */
  readonly records: unknown;
  /** Whether the R2 bucket EVIDENCE is bound. */
  readonly bucket: boolean;
  /** Whether there is a key that signs; null if it was not looked for. */
  readonly signs: boolean | null;
}

export function ledgerWarnings({ records, bucket, signs }: LedgerSettings): string[] {
  if (records === "off") return ["LEDGER_RECORDS is off: what institutions are answered is not recorded"];
  return [
    ...(bucket
      ? []
      : [
          "there is no R2 bucket EVIDENCE: what checks rested on is not kept, and of each ledger only the newest GiB, in its Durable Object",
        ]),
    ...(signs === false
      ? ["there is no signing key: the heads of ledgers are not signed (npm run admin -- signing-key rotate)"]
      : []),
  ];
}
