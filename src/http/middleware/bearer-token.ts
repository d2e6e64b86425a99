/** The token that a PSP shows to its bank, judged with the certificate that it shows with it. */
import type { Context } from "hono";
import type { EidasHeaderFault } from "../../eidas/certificate-text.ts";
import { findTokenRefusal, type TokenRefusal } from "../../grants/bearer.ts";
import { readTokenKeys } from "../../grants/token-keys.ts";
import { readAccessToken } from "../../grants/token-texts.ts";
import type { Introspection } from "../../grants/tokens.ts";
import { type Decision, decideOnCheck } from "../../psp-check/decision.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { checkPresented, readPresented } from "./certificate.ts";
import { noteCheck } from "./noted-check.ts";

/** The certificate that was shown and is the PSP's of the token, with its decision for the home country. */
interface ShownCertificate {
  readonly check: PspCheck;
  readonly decision: Decision;
}

export type JudgedToken =
  /** `shown`: null if no certificate was. */
  | { readonly ok: true; readonly found: Introspection; readonly shown: ShownCertificate | null }
  | { readonly ok: false; readonly reason: TokenRefusal };

/**
 * Reads the token by `find` while the certificate of the header `eidas` is checked. No store is read for a token that this
 * service did not give this institution. Throws {@link ApiError} 400 if the header is unreadable.
 */
export async function judgeBearer(
  c: Context<AppEnv>,
  text: string,
  find: (id: string) => Promise<Introspection | null>,
): Promise<JudgedToken> {
  const { fi, now } = c.var;
  const id = readAccessToken(readTokenKeys(c.env), fi.id, text);
  if (id === null) {
    requireReadable(readPresented(c));
    return { ok: false, reason: "token_unknown" };
  }
  const [found, check] = await Promise.all([find(id), checkShown(c)]);
  if (found) c.set("psp", found.token.pspId);
  // of the PSP that shows the token, whosever it is
  const shown = check && { check, decision: decideOnCheck(check, null, now) };
  if (shown) noteCheck(c, shown.check, shown.decision);
  const reason = findTokenRefusal(found, check, now);
  return found === null || reason !== null
    ? { ok: false, reason: reason ?? "token_unknown" }
    : { ok: true, found, shown };
}

/** The certificate of the header, checked; null if none is shown. Throws {@link ApiError} 400 if it is unreadable. */
export async function checkShown(c: Context<AppEnv>): Promise<PspCheck | null> {
  const presented = await checkPresented(c, null, c.get("now"));
  requireReadable(presented);
  return presented?.ok ? presented.check : null;
}

function requireReadable(presented: { readonly ok: true } | EidasHeaderFault | null): void {
  if (presented === null || presented.ok) return;
  const title = `Header eidas is unreadable: ${presented.message}`;
  throw new ApiError({ code: "certificate_unreadable", status: 400, title });
}
