/**
 * How many bytes each memory of an isolate may take. The platform gives an isolate 128 MB: a quarter is for what is
 * remembered, the rest for code, requests under way and what a refresh works on.
 */
const KIB = 1024;
const MIB = 1024 * KIB;

export const MEMORY_SHARES = {
  /** CRLs with what was parsed of them: room for the largest that is read, 10 MiB (revocation/answer-memory.ts). */
  crls: 11 * MIB,
  /** OCSP responses: some 4 KiB each. */
  ocspResponses: 1 * MIB,
  /** Checks of certificates, for each jurisdiction: 10 to 90 KiB each (psp-check.ts). */
  checks: 8 * MIB,
  /** Requests of each IP in five minutes: 1 to 20 KiB (middleware/rate-limit.ts). */
  sources: 4 * MIB,
  /** Trust anchors by name: some 30 KiB each anchor (eidas/known-anchors.ts). */
  anchors: 3 * MIB,
  /** Which certificates a header held: half a KiB each (middleware/presented-certificate.ts). */
  headers: 2 * MIB,
  /** What registers say of a PSP: 3 to 30 KiB each (registers/known-registers.ts). */
  registers: 1.5 * MIB,
  /** Verified credentials: under one KiB each (middleware/financial-institution.ts). */
  credentials: 0.5 * MIB,
  /** Clients for whom the stores are read ahead (middleware/read-ahead-gate.ts). */
  clients: 256 * KIB,
  /** Sources of revocation that failed, and certificates whose answers were just refreshed (revocation/). */
  revocationFailures: 256 * KIB,
  revocationRefreshes: 256 * KIB,
  revocationPuts: 128 * KIB,
  /** One word (routes/health.ts). */
  health: 1 * KIB,
} as const;

export const MAX_MEMORY_BYTES = 32 * MIB;
