/** The redirect record of both authorization_codes endpoints, and its error form (RFC 6749 sections 4.1.2, 4.1.2.1). */
import type { Context } from "hono";
import { composeFullUri } from "../grants/redirect-uri.ts";
import type { RedirectRecord, RefusedRedirectRecord } from "../http/answers/redirect-record.ts";
import type { AppEnv } from "../http/context.ts";
import { errorList, type Problem } from "../http/errors/errors.ts";

/** The parameters of an authorization request that its redirect record repeats. */
interface Redirect {
  readonly redirect_uri: string;
  readonly state?: string | undefined;
}

/** Why no code is issued: OAuth's error for the PSP, and the problem for the FI. */
export interface Refusal {
  readonly ok: false;
  readonly error: "invalid_scope" | "access_denied";
  readonly problem: Problem & { readonly title: string };
}

/** The FI has blocked the account for the scope. The title reaches the PSP, so it says no more than that. */
export const BLOCKED: Refusal = {
  ok: false,
  error: "access_denied",
  problem: { code: "account_blocked", title: "the bank does not allow this access to the account at present" },
};

/** 201: the redirect URI with the code. */
export function answerCode(c: Context<AppEnv>, { redirect_uri, state }: Redirect, code: string): Response {
  const parameters = { code, ...(state !== undefined && { state }) };
  const record = { base_uri: redirect_uri, parameters, full_uri: composeFullUri(redirect_uri, parameters) };
  const answer: RedirectRecord = { data: { redirect_uri: record } };
  return c.json(answer, 201);
}

/** 403: the redirect URI with OAuth's error. The key is `base_url` here, as in the interface's example. */
export function answerRefusal(
  c: Context<AppEnv>,
  { redirect_uri, state }: Redirect,
  { error, problem }: Refusal,
): Response {
  const parameters = { error, error_description: toDescription(problem.title), ...(state !== undefined && { state }) };
  c.set("outcome", problem.code);
  const record = { base_url: redirect_uri, parameters, full_uri: composeFullUri(redirect_uri, parameters) };
  const answer: RefusedRedirectRecord = { data: { redirect_uri: record }, errors: errorList(c, [problem]) };
  return c.json(answer, 403);
}

/** RFC 6749 section 4.1.2.1 allows printable ASCII except the quotation mark and the backslash. */
const toDescription = (title: string): string =>
  title.replaceAll('"', "'").replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?");
