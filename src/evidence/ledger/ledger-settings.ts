/** What settings of a deployment make of its evidence: how long it is kept, and what is switched off or missing. */
import type { Instant } from "../../platform/instant.ts";
import { callStore } from "../../platform/stores.ts";

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

const DOCUMENTS = "evidence/";
/** As many keys as one list, and one delete, may name. */
const KEYS_AT_ONCE = 1_000;
const DAY_MS = 86_400_000;

/**
 * What is from before this instant goes. A setting that is no number of days from 1 on, as in a wrangler.toml without it,
 * lets nothing go: what is deleted here is nowhere else.
 */
export const retentionStart = (retentionDays: unknown, now: Instant): Instant =>
  typeof retentionDays === "number" && retentionDays >= 1 ? Math.max(0, now - retentionDays * DAY_MS) : 0;

/**
 * One bounded step: at most `steps` lists with their deletions. A year's documents go when its last day is longer ago than
 * `retentionDays`. Returns how many went, and whether more are left. Throws StoreError.
 */
export async function deleteOldEvidence(
  bucket: R2Bucket,
  retentionDays: number,
  now: Instant,
  steps: number,
): Promise<{ readonly deleted: number; readonly unfinished: boolean }> {
  const years = await callStore("R2", () => bucket.list({ prefix: DOCUMENTS, delimiter: "/" }));
  const old = years.delimitedPrefixes.filter((prefix) => {
    const year = Number(prefix.slice(DOCUMENTS.length, -1));
    return Date.UTC(year + 1, 0, 1) <= retentionStart(retentionDays, now);
  });
  let deleted = 0;
  for (let step = 0; step < steps; step++) {
    const [prefix] = old;
    if (prefix === undefined) return { deleted, unfinished: false };
    const { objects, truncated } = await callStore("R2", () => bucket.list({ prefix, limit: KEYS_AT_ONCE }));
    const keys = objects.map(({ key }) => key);
    if (keys.length > 0) await callStore("R2", () => bucket.delete(keys));
    deleted += keys.length;
    if (!truncated) old.shift();
  }
  return { deleted, unfinished: old.length > 0 };
}
