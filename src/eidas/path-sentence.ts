/** Explains to the caller why no valid path was found: which issuer is missing, and what to send. */

import { quote } from "../platform/quotation.ts";
import { findHolder, type Name, sameName } from "../x509/name.ts";
import type { PathFailure } from "../x509/path.ts";
import { MAX_INTERMEDIATES } from "../x509/path-budget.ts";

/** The commonName, else the organizationName, quoted; null if the name has neither. */
export function nameOf(name: Name): string | null {
  const found = findHolder(name);
  return found === null ? null : quote(found);
}

/** `missing`: what was looked for because the issuer was not sent; null if nothing was. */
export function describeFailure({ reason, at, message, path }: PathFailure, missing: string | null = null): string {
  if (reason !== "no-anchor" || !at || path.length > MAX_INTERMEDIATES) return message;
  if (sameName(at.issuer, at.subject)) return `${message}: it is self-issued and not on a trusted list`;
  const issuer = nameOf(at.issuer) ?? "which has no name";
  const advice = missing ?? "an intermediate CA's certificate can be sent after the PSP's";
  return `${message}: its issuer, ${issuer}, is neither on a trusted list nor among the certificates sent; ${advice}`;
}
