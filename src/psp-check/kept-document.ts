/** A document that checks rest on, named by its SHA-256: equal ones are kept once. */
import { hashText } from "../platform/node-crypto.ts";

export interface KeptDocument {
  /** In lower-case hex. */
  readonly sha256: string;
  /** Called only if the document is not kept yet. */
  readonly bytes: () => Uint8Array;
  /** The certificate that a check is about. */
  readonly leaf?: true;
}

/** Keeps documents behind the answer. It never throws, and what fails is tried again when a check brings it again. */
export type KeepDocuments = (documents: readonly KeptDocument[]) => void;

const digests = new WeakMap<object, string>();

/** The JSON of a value that never changes: its digest is made once. */
export function jsonDocument(value: object): KeptDocument {
  const known = digests.get(value);
  if (known !== undefined) return { sha256: known, bytes: () => encode(JSON.stringify(value)) };
  const document = textDocument(JSON.stringify(value));
  digests.set(value, document.sha256);
  return document;
}

/** The UTF-8 of a text. */
export const textDocument = (text: string): KeptDocument => ({
  sha256: hashText("sha256", text),
  bytes: () => encode(text),
});

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
