/**
 * Where in R2 lies what records of the ledger rest on, and what of it this isolate knows to be there. By the UTC year of
 * the record, so that what is older than its retention can go by the year:
 *
 * - `evidence/<year>/<SHA-256>`: a document that many checks rest on;
 * - `evidence/<year>/bundles/<name>`: what one answer alone rests on, named by {@link nameBundle} (document-bundle.ts);
 * - `evidence/<year>/bundles/<SHA-256 of a certificate>`: that certificate, and the documents of its first answer.
 */
import { heapBytes, MEMORY_SHARES, Memory } from "../../platform/memory.ts";
import { hashText } from "../../platform/node-crypto.ts";
import type { KeptDocument } from "../../psp-check/basis.ts";

/** By key: what this isolate found in the bucket or wrote to it. Exported for the test that fills it. */
export const knownDocuments = new Memory<true>(MEMORY_SHARES.keptDocuments, heapBytes);

/** The key of a document of a record. `time`: of the record, in milliseconds since 1970. */
export const documentKey = (sha256: string, time: number): string =>
  `evidence/${new Date(time).getUTCFullYear()}/${sha256}`;

/** The key of a bundle of this name. `time` as for {@link documentKey}. */
export const bundleKey = (name: string, time: number): string => documentKey(`bundles/${name}`, time);

/** The key of a part of a bundle, from 0 on. */
export const partKey = (key: string, part: number): string => (part === 0 ? key : `${key}.${part}`);

/**
 * The name of an answer's bundle. `named`: all that its record names, in its order (`listNamedDocuments`): an equal answer
 * that rests on another basis is another bundle.
 */
export const nameBundle = (named: readonly string[]): string =>
  named.length === 1 ? (named[0] ?? "") : hashText("sha256", named.join(" "));

/** What one answer rests on alone. */
export interface RestedOn {
  /** See {@link nameBundle}. */
  readonly name: string;
  /** Of an answer on one certificate: the SHA-256 of its DER. */
  readonly certificate: string | null;
  /** All that the record names, and more: the same for the same name. Called only if they are not kept yet. */
  readonly documents: () => readonly KeptDocument[];
}

/** What one request has brought. */
export interface Gathered {
  readonly documents: KeptDocument[];
  /** Leaves, which the isolate did not know as kept. */
  readonly certificates: KeptDocument[];
  readonly answers: RestedOn[];
}
