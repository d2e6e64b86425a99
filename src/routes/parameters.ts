/**
 * Schemas of the parameters that several endpoints share, and their maximum lengths. Messages are phrases that follow
 * the parameter's name. http/middleware/validate.ts distinguishes missing parameters from invalid ones.
 */
import * as z from "zod";
import { ANY_NATIVE, findRedirectUriFault, type NativeRedirects } from "../grants/redirect-uri.ts";
import { once } from "../platform/memory.ts";
import { quoteAlways } from "../platform/quotation.ts";
import { optional, text } from "../platform/schemas.ts";
import { SCOPES } from "../registers/entitlement.ts";

/** In UTF-16 code units, as JavaScript and JSON count. The interface gives no limits. */
const MAX_CHARACTERS = {
  accountId: 256,
  /** Far above the length of this service's: a resource server passes on what it was shown. */
  bearerToken: 8_192,
  code: 512,
  consentId: 128,
  redirectUri: 2048,
  state: 2048,
} as const;

const SHOWN_CHARACTERS = 40;

/** A message that quotes the value. Only for parameters that have one of a few values, so never a secret. */
export const isNot = (given: unknown, allowed: string): string =>
  typeof given === "string" ? `is ${quoteAlways(given, SHOWN_CHARACTERS)}, not ${allowed}` : `is not ${allowed}`;

/** How many records a page may have. It is sent in a query, where a repeated parameter is a list. */
export function pageLimit(most: number, usual: number) {
  const error = ({ input }: { readonly input?: unknown }) => isNot(String(input), `a number from 1 to ${most}`);
  return z
    .string("is given twice")
    .regex(/^[1-9]\d{0,2}$/, { error })
    .transform(Number)
    .refine((limit) => limit <= most, { error })
    .meta({ type: "integer", minimum: 1, maximum: most, default: usual });
}

/** A message for a value that is not an object. Clients that encode JSON twice send an object in a string. */
export const isNotObject = ({ input }: { readonly input?: unknown }): string =>
  typeof input === "string" && /^\s*\{/.test(input) ? "is a string, not an object" : "is not an object";

/** Of an authorization request. A text beyond the limit is not parsed. */
export const requestedRedirectUri = (native: () => NativeRedirects) =>
  text(MAX_CHARACTERS.redirectUri)
    .superRefine((value, ctx) => {
      const fault = findRedirectUriFault(value, native());
      if (fault !== null) ctx.addIssue({ code: "custom", message: fault });
    })
    .meta({ format: "uri" });

/** Of a token request: it must equal that of the code, for which the configuration was checked already. */
export const redirectUri = once(() => requestedRedirectUri(() => ANY_NATIVE));

export const scope = once(() => z.enum(SCOPES, { error: ({ input }) => isNot(input, SCOPES.join(" or ")) }));
/** Of an authorization request: any text. The error for an unknown scope is part of the redirect URI. */
export const requestedScope = once(() => z.string("is not a string").min(1, "is empty"));
export const state = once(() => optional(text(MAX_CHARACTERS.state)));
/**
 * Not "." or "..": URL parsers remove these from a path (RFC 3986 section 5.2.4), so the account could not be listed.
 */
export const accountId = once(() =>
  text(MAX_CHARACTERS.accountId).refine((id) => id !== "." && id !== "..", {
    error: ({ input }) => `is "${input}", which cannot be part of a URL path`,
  }),
);
/** In a query, where a repeated parameter is a list. */
export const accountIdInQuery = once(() => text(MAX_CHARACTERS.accountId, "is given twice"));
export const bearerToken = once(() => text(MAX_CHARACTERS.bearerToken));
export const code = once(() => text(MAX_CHARACTERS.code));
export const consentId = once(() => text(MAX_CHARACTERS.consentId));
