/**
 * Sets the request's id and its instant, and logs one JSON line per request: the route (never the path, which may
 * contain a token), the FI, the PSP and the outcome. The line never contains a credential, token, code, certificate or
 * account.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { CheckedCertificate } from "../../evidence/ledger/record.ts";
import { clock } from "../../platform/clock.ts";
import { writeRequestTime } from "../../platform/request-time.ts";
import { makeRequestId } from "../../platform/secrets.ts";
import { VERSION } from "../../platform/version.ts";
import { basisOf } from "../../psp-check/basis.ts";
import { type Decision, findVerdictError, VERDICTS } from "../../psp-check/decision.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import type { AppEnv } from "../context.ts";
import { findEndpoints } from "../endpoints.ts";
import { parseTransactionReference } from "./transaction-reference.ts";

export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const received = clock.now();
  c.set("now", received);
  const requestId = makeRequestId(received);
  c.set("requestId", requestId);
  const parsed = parseTransactionReference(c.req.header("transaction_reference"));
  c.set("reference", parsed);
  const reference = parsed?.ok ? parsed.text : null;
  // before the handlers, so that the answer is built once: with a header set later it is built again
  setNames(c, requestId, reference);
  await next();
  // an answer that was not built by the context: a file, a redirect
  if (c.res.headers.get("x-request-id") !== requestId) setNames(c, requestId, reference);
  // the endpoint is not set if the rate limit or the method was the reason to refuse
  const endpoint = c.get("endpoint") ?? findEndpoints(c.req.path, c.env)[0];
  const line = {
    time: writeRequestTime(received),
    request_id: requestId,
    evidence_id: c.get("evidenceId") ?? null,
    version: VERSION,
    method: c.req.method,
    route: endpoint?.path ?? null,
    ...(endpoint?.successor !== undefined && { legacy: true }),
    status: c.res.status,
    ms: clock.now() - received,
    fi: c.get("fi")?.fiReferenceId ?? null,
    client: c.get("clientId") ?? null,
    psp: c.get("psp") ?? null,
    jurisdiction: c.get("jurisdiction") ?? null,
    transaction_reference: reference,
    outcome: c.get("outcome") ?? "ok",
    ...c.get("check"),
    ...c.get("checks"),
  };
  console.log(JSON.stringify(line));
});

function setNames(c: Context<AppEnv>, requestId: string, reference: string | null): void {
  c.header("x-request-id", requestId);
  if (reference !== null) c.header("transaction_reference", reference);
}

/**
 * Notes for the log line and the ledger which PSP's certificate was checked, and with which result. The outcome is that of the first
 * false verdict, in the words of the 401s, also where the answer is 200.
 */
export function noteCheck(c: Context<AppEnv>, check: PspCheck, { payments, accounts }: Decision): void {
  const { pspId } = check.psp;
  if (pspId !== null) c.set("psp", pspId);
  const { checked, outcome } = describeChecked(check, { payments, accounts }, c.get("jurisdiction"));
  c.set("check", {
    verdicts: checked.verdicts,
    decision: checked.decisions[0] ?? { payments: false, accounts: false },
  });
  c.set("checked", [checked]);
  if (outcome !== "ok") c.set("outcome", outcome);
}

/** What the ledger says of one certificate and one jurisdiction. `outcome`: as {@link noteCheck} notes it; `ok` if nothing is false. */
export function describeChecked(
  check: PspCheck,
  { payments, accounts }: Decision,
  jurisdiction: string | undefined,
): { readonly checked: CheckedCertificate; readonly outcome: string } {
  const { psp, validity, certificate } = check;
  const verdicts = VERDICTS.filter((verdict) => !validity[verdict]);
  const decisions = [{ payments: payments.allowed, accounts: accounts.allowed }];
  const jurisdictions = jurisdiction === undefined ? [] : [jurisdiction];
  const basis = basisOf([check]);
  const missing = psp.pspId === null ? "certificate_authorisation_number_missing" : "ok";
  return {
    checked: { certificate, psp: psp.pspId, jurisdictions, verdicts, decisions, basis },
    outcome: findVerdictError(check)?.code ?? missing,
  };
}
