/** Everything that records rest on, each document once. */
import { listContents, listNamedDocuments, NAMING } from "../ledger/record-documents.ts";
import type { AuditService, ListedRecord } from "./audit-service.ts";

/** Requests that are under way at once. */
const AT_ONCE = 6;

interface Wanted {
  /** A record that rests on it: a document is given out with a record. */
  readonly id: string;
  readonly sha256: string;
}

export interface GatheredDocuments {
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 of those that are not kept. */
  readonly missing: readonly string[];
}

export async function gatherDocuments(
  service: AuditService,
  records: readonly ListedRecord[],
): Promise<GatheredDocuments> {
  const documents = new Map<string, Uint8Array>();
  const missing = new Set<string>();
  const fetchAll = async (wanted: readonly Wanted[]) => {
    const open = [...new Map(wanted.map((each) => [each.sha256, each])).values()];
    const waiting = open.filter(({ sha256 }) => !documents.has(sha256) && !missing.has(sha256)).values();
    const lane = async () => {
      // the lanes take from one iterator
      for (const { id, sha256 } of waiting) {
        const bytes = await service.document(id, sha256);
        if (bytes) documents.set(sha256, bytes);
        else missing.add(sha256);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  };
  const named = records.flatMap(({ record }) => listNamedDocuments(record).map((each) => ({ ...each, id: record.id })));
  await fetchAll(named);
  const naming = new Map(named.flatMap((each) => (NAMING.has(each.kind) ? [[each.sha256, each] as const] : [])));
  await fetchAll(
    [...naming].flatMap(([sha256, { kind, id }]) =>
      listContents(kind, documents.get(sha256) ?? null).map((each) => ({ id, sha256: each.sha256 })),
    ),
  );
  return { documents, missing: [...missing] };
}
