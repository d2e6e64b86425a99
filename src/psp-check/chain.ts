/** A certificate and its issuers, as they were presented. */
import { memoryKey } from "../memory/memory.ts";
import type { Certificate } from "../x509/certificate.ts";

export interface Chain {
  readonly leaf: Certificate;
  readonly issuers: readonly Certificate[];
}

/** Names the certificates of a chain in their order: the same key is the same chain. A digest is not digested again. */
export const chainKey = ({ leaf, issuers }: Chain): string =>
  issuers.length === 0
    ? leaf.fingerprint
    : memoryKey([leaf, ...issuers].map(({ fingerprint }) => fingerprint).join(" "));
