/**
 * The maximum size of each cache of an isolate, in bytes. The platform limits an isolate to 128 MB: a quarter is for
 * caches, the rest for code, active requests and refreshes.
 */
const KIB = 1024;
const MIB = 1024 * KIB;

export const MEMORY_SHARES = {
  /** CRLs and their parsed form: must fit the largest accepted CRL, 10 MiB (revocation/answer-memory.ts). */
  crls: 11 * MIB,
  /** OCSP responses: about 4 KiB each. */
  ocspResponses: 1 * MIB,
  /** PSP checks by certificate and jurisdiction: 10 to 90 KiB each (psp-check/psp-check.ts). */
  checks: 6.5 * MIB,
  /** Answers to PSP checks, with their digests: 4 to 10 KiB each (psp-check/kept-answer.ts). */
  answers: 1.25 * MIB,
  /** Documents that are known to be kept: half a KiB each (evidence/ledger/document-bundle.ts). */
  keptDocuments: 256 * KIB,
  /** Request counts of each IP in the last five minutes: 1 to 20 KiB each (http/middleware/rate-limit.ts). */
  sources: 3 * MIB,
  /** Trust anchors by name: about 30 KiB each (trust/known-anchors.ts). */
  anchors: 3 * MIB,
  /** Certificates of issuers that PSPs did not send: 1 to 2 KiB each (psp-check/kept-issuers.ts). */
  issuers: 192 * KIB,
  /** The certificates that a header contained: half a KiB each (http/middleware/presented-certificate.ts). */
  headers: 1.875 * MIB,
  /** Register readings of PSPs: 3 to 30 KiB each (registers/lookup.ts). */
  registers: 1.5 * MIB,
  /** Records that no ledger has confirmed yet: 1 to 3 KiB each (evidence/ledger/waiting-records.ts). */
  records: 768 * KIB,
  /** Verified credentials: less than 1 KiB each (http/middleware/financial-institution.ts). */
  credentials: 0.5 * MIB,
  /** Clients for which store reads start before authentication (http/middleware/read-ahead-gate.ts). */
  clients: 256 * KIB,
  /** Revocation sources that failed, and certificates whose revocation data was just refreshed (revocation/). */
  revocationFailures: 256 * KIB,
  revocationRefreshes: 256 * KIB,
  revocationPuts: 128 * KIB,
  /** Certificates whose issuer, or revocation, was noted, and PSPs with a grant: less than half a KiB each (events/noted.ts). */
  notes: 128 * KIB,
  /** A word and some codes (routes/health.ts). */
  health: 2 * KIB,
  /** The keys of the operators' Cloudflare Access: 2 KiB (console/access-keys.ts). */
  accessKeys: 64 * KIB,
} as const;

export const MAX_MEMORY_BYTES = 32 * MIB;
