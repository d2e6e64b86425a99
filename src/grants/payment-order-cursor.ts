/** Where the next page of a PSP's payment order consents begins, as an answer carries it. Pure. */
import { digestCursor } from "../platform/secrets.ts";
import type { ConsentOwner } from "./consent.ts";
import { isRecordId } from "./record-id.ts";

/**
 * Opaque to the caller. It is no secret, only a position in a list that the caller may read anyway; the digest keeps it
 * from being used for another PSP's list, where it would leave out consents silently.
 */
export const writePaymentOrderCursor = (owner: ConsentOwner, id: string): string =>
  `${id}.${digestCursor(owner.fiId, owner.pspId, id)}`;

/** The inverse of {@link writePaymentOrderCursor}: the id; null for any other text, and for a cursor of another list. */
export function parsePaymentOrderCursor(owner: ConsentOwner, text: string): string | null {
  const [id = ""] = text.split(".");
  return isRecordId(id) && text === writePaymentOrderCursor(owner, id) ? id : null;
}
