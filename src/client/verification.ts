/** What a verification takes of a message, and throws. */
import { toBase64 } from "./settings.ts";

/** It cannot be proven, and why: no secret and no content is in the message. Nothing of it is to be believed. */
export class VerificationError extends Error {
  override readonly name = "VerificationError";
}

/** Of `fetch`, of Node's `http`, or as they were saved: names in any case. */
export type FieldValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** As RFC 9421 section 2.1 combines the lines of a field. */
export function readFields(given: FieldValues): Headers {
  const headers = new Headers();
  for (const [name, value] of given instanceof Headers ? given : Object.entries(given))
    for (const line of Array.isArray(value) ? value : [value]) if (line !== undefined) headers.append(name, line);
  return headers;
}

export const toContent = (given: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  (typeof given === "string" ? new TextEncoder().encode(given) : given) as Uint8Array<ArrayBuffer>;

/** Null for what is not base64 (RFC 4648 section 4), or has bits that no byte needs. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}
