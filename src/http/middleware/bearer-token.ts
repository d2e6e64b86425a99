/** The token that a PSP shows to its bank, judged with the certificate that it shows with it. */
import type { Context } from "hono";
import type { EidasHeaderFault } from "../../eidas/certificate-text.ts";
import { findTokenRefusal, type TokenRefusal } from "../../grants/bearer.ts";
import { readTokenKeys } from "../../grants/token-keys.ts";
import { readAccessToken } from "../../grants/token-texts.ts";
import type { Introspection } from "../../grants/tokens.ts";
import { AT_HOME, type Decision, decideOnCheck, findVerdictError } from "../../psp-check/decision.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { checkPresented, readPresented } from "./certificate.ts";
import { noteCheck } from "./noted-check.ts";
import { explainMissingHeader, hasOldName } from "./request-headers.ts";

/** The certificate that was shown and is the PSP's of the token, with its decision for the home country. */
interface ShownCertificate {
  readonly check: PspCheck;
  readonly decision: Decision;
}

export type JudgedToken =
  /** `shown`: null if no certificate was. */
  | { readonly ok: true; readonly introspection: Introspection; readonly shown: ShownCertificate | null }
  /** `verdict`: what is wrong with the certificate that was shown, if anything is. */
  | { readonly ok: false; readonly reason: TokenRefusal; readonly verdict: ReturnType<typeof findVerdictError> };

/**
 * Reads the token by `find` while the certificate of the header `eidas` is checked. No store is read for a token that this
 * service did not give this institution. Throws {@link ApiError} 400 as {@link checkShown}.
 */
export async function judgeBearer(
  c: Context<AppEnv>,
  text: string,
  find: (id: string) => Promise<Introspection | null>,
): Promise<JudgedToken> {
  const { fi, now } = c.var;
  const id = readAccessToken(readTokenKeys(c.env), fi.id, text);
  if (id === null) {
    requireReadable(c, readPresented(c));
    return { ok: false, reason: "token_unknown", verdict: null };
  }
  const [introspection, check] = await Promise.all([find(id), checkShown(c)]);
  if (introspection) c.set("psp", introspection.token.pspId);
  // of the PSP that shows the token, whosever it is
  const shown = check && { check, decision: decideOnCheck(check, AT_HOME, now) };
  if (shown) noteCheck(c, shown.check, shown.decision);
  const reason = findTokenRefusal(introspection, check, now);
  return introspection === null || reason !== null
    ? { ok: false, reason: reason ?? "token_unknown", verdict: check && findVerdictError(check) }
    : { ok: true, introspection, shown };
}

/**
 * For every endpoint where the header may be absent: its certificate, checked; null if none is shown. Throws {@link ApiError} 400 if
 * it is unreadable. So it does if the header is empty, or has its old name: whoever sends that means a
 * certificate to be compared, which must not be left out silently.
 */
export async function checkShown(c: Context<AppEnv>): Promise<PspCheck | null> {
  const presented = await checkPresented(c, null, c.get("now"));
  requireReadable(c, presented);
  return presented?.ok ? presented.check : null;
}

function requireReadable(c: Context<AppEnv>, presented: { readonly ok: true } | EidasHeaderFault | null): void {
  if (presented?.ok) return;
  const refuse = (code: "certificate_unreadable" | "certificate_missing", title: string) =>
    new ApiError({ code, status: 400, title });
  if (presented) throw refuse("certificate_unreadable", `Header eidas is unreadable: ${presented.message}`);
  if (c.req.header("eidas") === "")
    throw refuse("certificate_missing", "Header eidas is empty: leave it out if the PSP shows no certificate");
  if (hasOldName(c, "eidas")) throw refuse("certificate_missing", explainMissingHeader(c, "eidas"));
}
