/** Reads the documents that a check rested on, each verified against its SHA-256. */
import { createHash } from "../../platform/node-crypto.ts";

/** Gives a kept document by its SHA-256 in lower-case hex; null if it is not kept. Throws only if it could not be asked. */
export type ReadKept = (sha256: string) => Promise<Uint8Array | null>;

/** A document that a replay needs and does not have. */
export interface MissingDocument {
  /** What it would be: `basis`, `certificate`, `OCSP answer`, ... */
  readonly what: string;
  readonly sha256: string;
  readonly reason: "absent" | "altered" | "unreadable";
}

export type KeptDocument =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly missing: MissingDocument };

export async function readDocument(read: ReadKept, what: string, sha256: string): Promise<KeptDocument> {
  const bytes = await read(sha256);
  if (bytes === null) return { ok: false, missing: { what, sha256, reason: "absent" } };
  if (createHash("sha256").update(bytes).digest("hex") !== sha256)
    return { ok: false, missing: { what, sha256, reason: "altered" } };
  return { ok: true, bytes };
}

/** Whoever may read the record is told so instead of being given other bytes. */
export const ALTERED = "The document was altered where it is kept";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The value of a JSON document; undefined if it is none. */
export function parseDocument(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}
