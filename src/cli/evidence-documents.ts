/** Everything that records rest on, each document once. */
import { digest } from "../evidence/archive/manifest.ts";
import { MAX_FILES } from "../evidence/archive/zip-file.ts";
import { listContents, listNamedDocuments, NAMING } from "../evidence/ledger/record-documents.ts";
import type { AuditService, ListedRecord } from "./audit-service.ts";
import { fail } from "./fail.ts";

/** Requests that are under way at once. */
const AT_ONCE = 6;

interface Wanted {
  /** A record that rests on it: a document is given out with a record. */
  readonly id: string;
  readonly sha256: string;
}

export interface GatheredDocuments {
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 of those that are not kept, or were altered. */
  readonly missing: readonly string[];
}

export async function gatherDocuments(
  service: AuditService,
  records: readonly ListedRecord[],
): Promise<GatheredDocuments> {
  const documents = new Map<string, Uint8Array>();
  const missing = new Set<string>();
  const fetchAll = async (wanted: readonly Wanted[]) => {
    const open = [...Map.groupBy(wanted, ({ sha256 }) => sha256)];
    const waiting = open.filter(([sha256]) => !documents.has(sha256) && !missing.has(sha256)).values();
    const lane = async () => {
      // the lanes take from one iterator
      for (const [sha256, naming] of waiting) {
        const bytes = await findDocument(service, sha256, naming);
        if (bytes) documents.set(sha256, bytes);
        else missing.add(sha256);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  };
  const named = records.flatMap(({ record }) => listNamedDocuments(record).map((each) => ({ ...each, id: record.id })));
  // said before hours of requests
  if (new Set(named.map(({ sha256 }) => sha256)).size > MAX_FILES)
    fail(
      `these records rest on more than ${MAX_FILES} documents, which is what one archive holds: export a shorter time`,
    );
  await fetchAll(named);
  const naming = new Map(named.flatMap((each) => (NAMING.has(each.kind) ? [[each.sha256, each] as const] : [])));
  await fetchAll(
    [...naming].flatMap(([sha256, { kind, id }]) =>
      listContents(kind, documents.get(sha256) ?? null).map((each) => ({ id, sha256: each.sha256 })),
    ),
  );
  return { documents, missing: [...missing] };
}

/** Of how many records a document is asked for: what could not be kept with one may have been kept with another. */
const RECORDS_ASKED = 8;

async function findDocument(
  service: AuditService,
  sha256: string,
  naming: readonly Wanted[],
): Promise<Uint8Array | null> {
  for (const id of new Set(naming.map((each) => each.id).slice(-RECORDS_ASKED))) {
    const bytes = await service.document(id, sha256);
    // an archive in which it is missing proves the rest
    if (bytes && digest(bytes) === sha256) return bytes;
  }
  return null;
}
