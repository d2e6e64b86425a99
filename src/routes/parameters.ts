/**
 * The parameters that several endpoints take, and how long each may be. Messages are phrases that follow the
 * parameter's name. A missing one is told apart from a wrong one in middleware/validate.ts.
 */
import * as z from "zod";
import { ANY_NATIVE, findRedirectUriFault, type NativeRedirects } from "../grants/redirect-uri.ts";
import { SCOPES } from "../grants/scopes.ts";
import { quoteAlways } from "../quotation.ts";

/** In UTF-16 code units, as JavaScript and JSON count. The interface gives no limits. */
const MAX_CHARACTERS = {
  accountId: 256,
  code: 512,
  consentId: 128,
  redirectUri: 2048,
  state: 2048,
} as const;

const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u;

/** A text of 1 to `max` characters, none of them a control character, and no half of a surrogate pair. */
export const text = (max: number) =>
  z
    .string("is not a string")
    .min(1, "is empty")
    .max(max, `is longer than ${max} characters`)
    .regex(NO_CONTROL_CHARACTERS, "holds a control character")
    .refine((value) => value.isWellFormed(), "is not well-formed Unicode");

/** Optional: `null` and `""` are as good as absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === null || value === "" ? undefined : value), schema.optional());

const SHOWN_CHARACTERS = 40;

/** A message for a parameter that holds one of a few words, and so nothing that must not be shown. */
export const isNot = (given: unknown, allowed: string): string =>
  typeof given === "string" ? `is ${quoteAlways(given, SHOWN_CHARACTERS)}, not ${allowed}` : `is not ${allowed}`;

/** A message for what should be an object. An object in a string is a common mistake of clients that encode twice. */
export const isNotObject = ({ input }: { readonly input?: unknown }): string =>
  typeof input === "string" && /^\s*\{/.test(input) ? "is a string, not an object" : "is not an object";

/** Of an authorization request: see middleware/validate-redirect.ts. Longer than the limit is no reason to read it. */
export const requestedRedirectUri = (native: NativeRedirects) =>
  text(MAX_CHARACTERS.redirectUri).superRefine((value, ctx) => {
    const fault = findRedirectUriFault(value, native);
    if (fault !== null) ctx.addIssue({ code: "custom", message: fault });
  });

/** Of a token request: the code's own, so what configuration allows was decided when the code was asked for. */
export const redirectUri = requestedRedirectUri(ANY_NATIVE);

export const scope = z.enum(SCOPES, { error: ({ input }) => isNot(input, SCOPES.join(" or ")) });
/** Of an authorization request: any text. An unknown one is answered by way of the redirect URI (scope.ts). */
export const requestedScope = z.string("is not a string").min(1, "is empty");
export const state = optional(text(MAX_CHARACTERS.state));
/** An account must be listed by its id, and "." and ".." are removed from every path (RFC 3986 section 5.2.4). */
export const accountId = text(MAX_CHARACTERS.accountId).refine((id) => id !== "." && id !== "..", {
  error: ({ input }) => `is "${input}", which no URL path can carry`,
});
export const code = text(MAX_CHARACTERS.code);
export const consentId = text(MAX_CHARACTERS.consentId);
