/** What actors may do in a history (workload.ts). */

export const KINDS = [
  "core grant",
  "consent grant",
  "payment grant",
  "withdrawal of all",
  "withdrawal of a consent",
  "revocation of a token",
  "block",
  "introspection",
  "audit",
  "status of an institution",
  "PSP check",
  "revocation of a certificate",
] as const;
export type Kind = (typeof KINDS)[number];
