/** Lists the CRLs stored in KV by their metadata, without reading the values. */
import { callStore } from "../platform/stores.ts";
import { CRLS } from "./crl-slot.ts";
import { hasEnded } from "./freshness.ts";
import type { KeptMetadata } from "./kept-answers.ts";

export interface KeptCrl extends KeptMetadata {
  readonly key: string;
}

export interface KeptCrls {
  readonly loaded: number;
  /** The earliest nextUpdate as an ISO instant in UTC; null if there is none. */
  readonly nextUpdate: string | null;
}

type CrlLister = Pick<KVNamespace, "list">;

/** Returns every stored CRL, including expired ones, which are kept so that an older CRL cannot be replayed. */
export async function listKeptCrls(kv: CrlLister): Promise<KeptCrl[]> {
  const kept: KeptCrl[] = [];
  for (let cursor: string | null = null, complete = false; !complete; ) {
    const page: KVNamespaceListResult<KeptMetadata> = await callStore("KV", () =>
      kv.list<KeptMetadata>({ prefix: CRLS, cursor }),
    );
    for (const { name, metadata } of page.keys) if (metadata) kept.push({ key: name, ...metadata });
    complete = page.list_complete;
    cursor = page.list_complete ? null : page.cursor;
  }
  return kept;
}

/** Summarises the CRLs that are current at `now` (milliseconds since 1970). */
export async function summariseCrls(kv: CrlLister, now: number): Promise<KeptCrls> {
  const kept = (await listKeptCrls(kv)).filter((crl) => !hasEnded(crl, now));
  const ends = kept.flatMap(({ nextUpdate }) => nextUpdate ?? []);
  return { loaded: kept.length, nextUpdate: ends.length > 0 ? new Date(Math.min(...ends)).toISOString() : null };
}
