/** What the ledger of an institution holds, once what runs behind the answers is done. */

import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { bundleKey } from "../../../../src/evidence/ledger/document-bundle.ts";
import type { LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import type { RecordQuery } from "../../../../src/evidence/ledger/record-query.ts";
import { memories } from "../../../../src/platform/memory.ts";
import { SANDBOX_FI } from "../../sandbox.ts";

export const EVERYTHING: RecordQuery = {
  ...{ from: null, to: null, psp: null, endpoint: null, event: null, outcome: null, before: null },
  limit: 1_000,
};

export async function idOf(reference: string = SANDBOX_FI.fi_reference_id): Promise<number> {
  const find = env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1").bind(reference);
  return (await find.first<number>("id")) ?? 0;
}

export const ledgerOfBank = async (reference?: string) => env.LEDGER.getByName(String(await idOf(reference)));

/** What lies in R2 under `evidence/`. */
export const listKept = async (): Promise<R2Object[]> =>
  (await env.EVIDENCE.list({ prefix: "evidence/", include: ["customMetadata"] })).objects;

/** The isolate as one that has written or found nothing of it. `now`: milliseconds since 1970, of the same year. */
export async function forgetKept(now: number): Promise<void> {
  for (const { key, customMetadata } of await listKept())
    for (const each of [key, bundleKey(customMetadata?.["answer"] ?? "", now)])
      memories.get("keptDocuments")?.delete(each);
}

/** Newest first. */
export async function listRecords(query: Partial<RecordQuery> = {}, reference?: string): Promise<LedgerRecord[]> {
  const { texts } = await (await ledgerOfBank(reference)).list({ ...EVERYTHING, ...query });
  return texts.map((text: string) => JSON.parse(text) as LedgerRecord);
}

/** The record of an answer: it arrives behind it. */
export async function recordOf(answer: { readonly headers: Headers }, reference?: string): Promise<LedgerRecord> {
  const id = answer.headers.get("x-evidence-id") ?? "";
  const ledger = await ledgerOfBank(reference);
  const text = await vi.waitFor(
    async () => {
      const found = await ledger.find(id);
      expect(found).not.toBeNull();
      return found ?? "";
    },
    { timeout: 60_000, interval: 20 },
  );
  return JSON.parse(text) as LedgerRecord;
}
