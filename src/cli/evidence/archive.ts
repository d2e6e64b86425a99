/** The archive of `evidence export`: the chain of a range, everything that its records are based on, and the signature. */
import { fillArchive, type UnsignedArchive } from "../../evidence/archive/archive.ts";
import {
  acceptSignature,
  digest,
  type MissingRecords,
  SIGNED_PATH,
  writeSignature,
} from "../../evidence/archive/manifest.ts";
import { MAX_FILES } from "../../evidence/archive/zip-file.ts";
import { listContents, listNamedDocuments, NAMING } from "../../evidence/ledger/record-documents.ts";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { VERSION } from "../../platform/version.ts";
import { EXIT, fail } from "../fail.ts";
import type { AuditService, ListedRecord } from "./audit-service.ts";
import { gatherChain } from "./chain.ts";

/** Requests that are under way at once. */
const AT_ONCE = 6;

interface Wanted {
  /** A record that is based on it: a document is given out with a record. */
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
  const named = records.flatMap(({ record }) =>
    listNamedDocuments(record).map((document) => ({ ...document, id: record.id })),
  );
  // said before hours of requests
  if (new Set(named.map(({ sha256 }) => sha256)).size > MAX_FILES)
    fail(
      `these records are based on more than ${MAX_FILES} documents, which is what one archive holds: export a shorter time`,
    );
  await fetchAll(named);
  const naming = new Map(
    named.flatMap((document) => (NAMING.has(document.kind) ? [[document.sha256, document] as const] : [])),
  );
  await fetchAll(
    [...naming].flatMap(([sha256, { kind, id }]) =>
      listContents(kind, documents.get(sha256) ?? null).map((content) => ({ id, sha256: content.sha256 })),
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

const iso = (time: Instant): string => new Date(time).toISOString();

interface Made {
  readonly bytes: Uint8Array;
  readonly records: number;
  readonly documents: number;
  /** SHA-256 of documents that the service does not keep. */
  readonly missing: readonly string[];
  readonly missingRecords: readonly MissingRecords[];
  readonly refusedHeads: readonly string[];
}

export async function makeArchive(
  service: AuditService,
  fi: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
): Promise<Made> {
  const keys = await service.keys();
  const chain = await gatherChain(service, fi, { from, to }, keys);
  const { documents, missing } = await gatherDocuments(service, chain.records);
  const about = { fi, release: VERSION, made_at: iso(clock.now()), from: iso(from), to: iso(to) };
  const { before, last, heads, missing: missingRecords, refusedHeads } = chain;
  const texts = chain.records.map(({ text }) => text);
  const archive = fillArchive({ about, missing: missingRecords, before, last, heads, keys, documents, records: texts });
  const answer = await service.ask(SIGNED_PATH, { "Accept-Signature": acceptSignature(archive.manifest) });
  const body = await answer.text();
  if (!answer.ok || !answer.headers.has("signature"))
    fail(`${service.url} did not sign the archive: it answered ${answer.status}`, EXIT.unknown);
  const sent = { fi_reference_id: fi, version: "latest" };
  const signature = writeSignature({
    sent: (name) => sent[name as keyof typeof sent],
    answered: (name) => answer.headers.get(name) ?? "",
    ...{ status: answer.status, body },
  });
  const counted = { records: texts.length, documents: documents.size };
  return { bytes: close(archive, signature), ...counted, missing, missingRecords, refusedHeads };
}

function close(archive: UnsignedArchive, signature: string): Uint8Array {
  try {
    return archive.close(signature);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail(`${error.message}: export a shorter time`);
  }
}
