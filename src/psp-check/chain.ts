/** A certificate and its issuers, as they were presented. */
import type { SoughtIssuers } from "../eidas/sought-issuers.ts";
import { memoryKey } from "../platform/memory.ts";
import type { Certificate } from "../x509/certificate.ts";

export interface Chain {
  readonly leaf: Certificate;
  readonly issuers: readonly Certificate[];
  /** The one of the issuers that was presented before all others; absent if the leaf was: see eidas/stranger.ts. */
  readonly first?: Certificate;
  /** Whether they were presented joined by commas, as those of several senders are, too. */
  readonly joined?: true;
  /** Issuers' certificates that were not presented and were looked for: no part of the key. */
  readonly sought?: SoughtIssuers;
}

/** Names the certificates of a chain in their order: the same key is the same chain. A digest is not digested again. */
export const chainKey = ({ leaf, issuers, first, joined }: Chain): string =>
  issuers.length === 0
    ? leaf.fingerprint
    : memoryKey([first, leaf, ...issuers].map((each) => each?.fingerprint).join(joined ? "," : " "));
