/**
 * The basis of a PSP check: the document that names everything that the check rested on, so that the check can be made
 * again from kept documents as of its instant (evidence replay). Its SHA-256 is in the ledger's record.
 *
 * Each document is kept once by its SHA-256: DER as it is, everything else as the JSON text that was hashed.
 */
import type { RegisterMaxAges } from "../registers/manifest.ts";
import type { RevocationSource } from "../revocation/revocation-status.ts";

/** What one source said on one certificate: a verified OCSP response or CRL, or why there was none. */
export type BasisAnswer =
  | {
      readonly source: RevocationSource;
      readonly url: string | null;
      /** SHA-256 of the DER of the OCSP response or CRL. */
      readonly sha256: string;
      /** SHA-256 of the DER of the certificate whose key signed a CRL; null for an OCSP response. */
      readonly issuer: string | null;
    }
  | {
      readonly source: RevocationSource;
      readonly url: string | null;
      readonly status: "unusable" | "unavailable";
      /** Of an unusable answer. */
      readonly reason: string | null;
      readonly message: string;
    };

export interface Basis {
  readonly form: 1;
  /** SHA-256 of each DER, as presented: the leaf first. */
  readonly chain: readonly string[];
  /** SHA-256 of the JSON of the listed services that were looked at (`ListedAnchor[]`), in their order. */
  readonly anchors: string;
  /** One for each certificate of the path but the anchor, leaf first; empty if no path leads to an anchor. */
  readonly revocation: readonly { readonly certificate: string; readonly answers: readonly BasisAnswer[] }[];
  /** SHA-256 of the JSON of the `RegisterReading`; null if none was read. */
  readonly home: string | null;
  readonly host: string | null;
  /** The setting by which the answer says that a register is stale. */
  readonly maxAges: RegisterMaxAges;
}
