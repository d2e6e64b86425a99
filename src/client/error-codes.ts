/** The codes of the service's error catalogue. In the package a list made from it stands in the place of this file (package/pack.ts). */
import { ENTRIES } from "../http/errors/every-code.ts";

export type ErrorCode = keyof typeof ENTRIES;

/** By whose business the error is, and when the same request may be sent again: `caller never`. */
export const CODES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...Map.groupBy(Object.entries(ENTRIES), ([, { whose, retry }]) => `${whose} ${retry}`)].map(([advice, codes]) => [
    advice,
    codes.map(([code]) => code),
  ]),
);
