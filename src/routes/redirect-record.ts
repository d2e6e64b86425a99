/** The redirect record of both authorization_codes endpoints, and its error form (RFC 6749 sections 4.1.2, 4.1.2.1). */
import type { Context } from "hono";
import type { AppEnv } from "../context.ts";
import { errorList, type Problem } from "../errors.ts";
import { composeFullUri } from "../grants/redirect.ts";

/** 201: the redirect URI with the code. */
export function answerCode(c: Context<AppEnv>, redirectUri: string, code: string, state: string | undefined): Response {
  const parameters = { code, ...(state !== undefined && { state }) };
  const record = { base_uri: redirectUri, parameters, full_uri: composeFullUri(redirectUri, parameters) };
  return c.json({ data: { redirect_uri: record } }, 201);
}

/** 403: the redirect URI with OAuth's error. The key is `base_url` here, as in the interface's example. */
export function answerRefusal(
  c: Context<AppEnv>,
  redirectUri: string,
  state: string | undefined,
  error: "invalid_scope" | "access_denied",
  problem: Problem & { readonly title: string },
): Response {
  const parameters = { error, error_description: toDescription(problem.title), ...(state !== undefined && { state }) };
  c.set("outcome", problem.code);
  const record = { base_url: redirectUri, parameters, full_uri: composeFullUri(redirectUri, parameters) };
  return c.json({ data: { redirect_uri: record }, errors: errorList(c, [problem]) }, 403);
}

/** RFC 6749 section 4.1.2.1 allows printable ASCII except the quotation mark and the backslash. */
const toDescription = (title: string): string =>
  title.replaceAll('"', "'").replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?");
