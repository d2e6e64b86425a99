/** What actors may do in a history (workload.ts). */

export const KINDS = [
  "core grant",
  "consent grant",
  "payment grant",
  "withdrawal of all",
  "withdrawal of a consent",
  "revocation of a token",
  "deletion of a consent",
  "list of permissions",
  "block",
  "introspection",
  "audit",
  "status of an institution",
  "PSP check",
  "revocation of a certificate",
  "disabling of an institution",
  "erasure of an account",
  "watch",
  "register change",
  "change of lists",
  "refresh of lists",
  "publication by the EBA",
  "refresh of the EBA's register",
  "flood",
] as const;
/** The last one only in histories of its theme: what other seeds draw stays as it is. */
export type Kind = (typeof KINDS)[number] | "end of sessions";

/** Only in histories in which events are made. */
export const EVENT_KINDS: readonly Kind[] = ["watch", "register change"];

/** Only in histories in which trusted lists change. */
export const LIST_KINDS: readonly Kind[] = ["change of lists", "refresh of lists"];

/** Only in histories in which the EBA publishes. */
export const EBA_KINDS: readonly Kind[] = ["publication by the EBA", "refresh of the EBA's register"];

/** Only in histories in which an address sends too much. */
export const FLOOD_KINDS: readonly Kind[] = ["flood"];

/** One of them changes much. */
export const RARE_KINDS: readonly Kind[] = ["disabling of an institution", "erasure of an account"];
