/** What keeps a cursor from being used for another list, where it would leave out rows silently. No secret. Pure. */
import { hashSecret } from "./secrets.ts";

export const DIGEST_CHARACTERS = 16;

/** `list`: what names it, and the position in it. */
export const digestCursor = (...list: readonly (string | number | null)[]): string =>
  hashSecret(JSON.stringify(list)).slice(0, DIGEST_CHARACTERS);
