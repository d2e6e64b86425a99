/**
 * Authenticates the PSP of the core flow by its eIDAS certificate in the header `eidas`. All four verdicts of the PSP
 * check must be true, else 401 with the code of the first that is false.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { noteCertificate } from "../../events/noted.ts";
import { contextOfChecks } from "../../evidence/ledger/kept-documents.ts";
import type { Client } from "../../grants/client.ts";
import { SCOPES } from "../../grants/scopes.ts";
import { decideOnCheck, findVerdictError } from "../../psp-check/decision.ts";
import { checkPsp, type PspCheck } from "../../psp-check/psp-check.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { checkPresented, type PresentedText, readPresentedAhead, rememberText } from "./presented-certificate.ts";
import { explainMissingHeader } from "./request-headers.ts";
import { noteCheck } from "./request-log.ts";
import { keepBasis } from "./rested-on.ts";

/** Starts reads for the certificate. In the core flow only POST needs one. */
export const readAheadCertificate = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === "POST") c.set("readAhead", () => readPresentedAhead(c, null));
  await next();
});

export const certificate = createMiddleware<AppEnv>(async (c, next) => {
  const presented = await checkPresented(c, null, c.get("now"));
  if (!presented) throw new ApiError({ code: "certificate_missing", title: explainMissingHeader(c, "eidas") });
  if (!presented.ok)
    throw new ApiError({ code: "certificate_unreadable", title: `Header eidas is unreadable: ${presented.message}` });
  c.set("client", requireClient(c, presented.check));
  await next();
});

/** For POST /v1/obie/ccg_tokens, where the certificate is in the body. Throws {@link ApiError} 401. */
export async function authenticateText(
  c: Context<AppEnv>,
  presented: PresentedText & { readonly ok: true },
): Promise<Client> {
  const { subject } = presented;
  const now = c.get("now");
  if ("known" in subject) return requireClient(c, subject.known);
  const check = await checkPsp(c.env, contextOfChecks(c.env, c.executionCtx, now), subject.chain, null, now);
  rememberText(presented, now);
  noteCertificate(c.env, c.executionCtx, subject.chain, check, now);
  return requireClient(c, check);
}

function requireClient(c: Context<AppEnv>, check: PspCheck): Client {
  noteCheck(c, check, decideOnCheck(check, null, c.get("now")));
  keepBasis(c, check);
  const { psp, home } = check;
  const failed = findVerdictError(check);
  if (failed) throw new ApiError({ code: failed.code, title: failed.message });
  if (psp.pspId === null || home === null) throw new ApiError({ code: "certificate_authorisation_number_missing" });
  return { pspId: psp.pspId, services: psp.paymentServices, scopes: SCOPES, home: Promise.resolve(home) };
}
