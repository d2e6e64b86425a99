/** Entries as an isolate makes them, and a ledger on the storage of a Durable Object, at any time and with any bucket. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { InstitutionLedger } from "../../../../src/evidence/ledger/institution-ledger.ts";
import type { LedgerEntry } from "../../../../src/evidence/ledger/record.ts";
import { makeRecordId } from "../../../../src/grants/record-order.ts";

/** Long after every run: no alarm rings by itself. */
export const NOON = Date.parse("2099-11-22T12:00:00Z");
export const [MINUTE, DAY] = [60_000, 86_400_000];

export const makeEntry = (time: number, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ id: makeRecordId(time), time: new Date(time).toISOString(), release: "0.4.0", fi: "PSDXX-TEST-FI0001" },
  ...{ request_id: crypto.randomUUID(), event: "psp.checked", endpoint: "GET /v1/psp/eidas", version: "1" },
  ...{ status: 200, outcome: "ok", ms: 3, psp: "PSDXX-TEST-000001", checks: [], answer: null, token: null },
  ...{ consent: null, account: null, transaction_reference: null, ...more },
});

export const makeEntries = (count: number, time: number, more: Partial<LedgerEntry> = {}): LedgerEntry[] =>
  Array.from({ length: count }, (_, i) => makeEntry(time + i, more));

export const FI_ID = 4711;

/** In the place of the environment's: of each signing key only that there was one. */
export const NO_SIGNING_KEY: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(env)
    .filter((name) => name.startsWith("SIGNING_KEY_"))
    .map((name) => [name, "retired"]),
);

export interface Opened {
  readonly ledger: InstitutionLedger;
  readonly storage: DurableObjectStorage;
  /** As after an eviction: from what is stored; `storage`: another view of it. */
  readonly open: (bindings?: Partial<Env>, storage?: DurableObjectStorage) => InstitutionLedger;
}

/** A ledger of an institution of its own, which nothing else writes to. */
export async function withLedger<Result>(
  work: (opened: Opened) => Promise<Result>,
  bindings: Partial<Env> = {},
): Promise<Result> {
  const stub = env.LEDGER.get(env.LEDGER.newUniqueId());
  return await runInDurableObject(stub, async (_, { storage }) => {
    const open = (more: Partial<Env> = {}, view = storage) =>
      new InstitutionLedger(view, { ...env, ...bindings, ...more });
    try {
      return await work({ ledger: open(), storage, open });
    } finally {
      await storage.deleteAlarm();
    }
  });
}
