/**
 * Records what an institution was answered (src/ledger/): each PSP check and each grant, whatever the answer's status. The
 * record leaves behind the answer, which does not wait for it; of an institution that asks for it (`fi add --ledger
 * required`) the answer leaves only when its record is kept, else it is withheld with 503.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { clock } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";
import { noteGrant } from "../events/grants.ts";
import { writeEntry } from "../ledger/entry-text.ts";
import type { LedgerEntry, LedgerEvent } from "../ledger/record.ts";
import { record, recordNow } from "../ledger/recorder.ts";
import type { WaitingRecord } from "../ledger/waiting-records.ts";
import { writeRequestTime } from "../request-time.ts";
import { VERSION } from "../version.ts";

/** The other endpoints only read. */
const EVENTS: Readonly<Record<string, LedgerEvent>> = {
  "GET /v1/psp/eidas": "psp.checked",
  "GET /v1/tpp/eidas": "psp.checked",
  "POST /v1/psp/checks": "psps.checked",
  "POST /v1/oauth2/authorization_codes": "code.issue",
  "POST /v1/obie/authorization_codes": "code.issue",
  "POST /v1/obie/authorization_code": "code.issue",
  "POST /v1/oauth2/tokens": "code.redemption",
  "POST /v1/obie/tokens": "code.redemption",
  "POST /v1/obie/token": "code.redemption",
  "POST /v1/obie/ccg_tokens": "ccg_token.issue",
  "POST /v1/obie/ccg_token": "ccg_token.issue",
  "DELETE /v1/oauth2/tokens/{token}": "token.deletion",
  "POST /v1/obie/account_access_consents": "consent.creation",
  "POST /v1/obie/payment_order_consents": "consent.creation",
  "DELETE /v1/obie/account_access_consents/{consent_id}": "consent.revocation",
  "DELETE /v1/accounts/{account_id}/permissions": "consent.revocation",
  "DELETE /v1/accounts/{account_id}/permissions/{permission_id}": "consent.revocation",
};

/** With the first of them an institution has to do with a PSP: from then on it is told what changes (events/interest.ts). */
const BEGIN_INTEREST: ReadonlySet<LedgerEvent> = new Set(["code.issue", "consent.creation"]);

export const ledger = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const [endpoint, fi] = [c.get("endpoint"), c.get("fi")];
  // before both are known there is nobody whose ledger it would be
  if (!endpoint || !fi) return;
  const name = `${endpoint.method} ${endpoint.path}`;
  const event = EVENTS[name];
  if (!event) return;
  const mayLeave = recordAnswer(c, { event, endpoint: name, status: c.res.status });
  if (mayLeave === true || (await mayLeave)) {
    // not before: an answer that waits for its record would wait for these calls, too
    if (BEGIN_INTEREST.has(event) && c.res.status === 201)
      noteGrant(c.env, c.executionCtx, fi, c.get("client"), c.get("noted") ?? null, c.get("now"));
    return;
  }
  // undefined first: else Hono adds the headers of the answer that is withheld
  c.res = undefined;
  throw withheld(c.req.method);
});

/** What a record says that the context does not: `client` of a form of the console. */
type Answered = Pick<LedgerEntry, "event" | "endpoint" | "status" | "client">;

/**
 * Records an answer to the institution of the context. False: its institution requires the record, and it may not be
 * kept, so the answer must not leave.
 */
export function recordAnswer(c: Context<AppEnv>, answered: Answered): boolean | Promise<boolean> {
  const [fi, now] = [c.get("fi"), clock.now()];
  if (c.env.LEDGER_RECORDS === "off") return !fi.ledgerRequired;
  const made = describe(c, answered, now);
  if (fi.ledgerRequired) return recordNow(c.env, fi, made);
  record(c.env, c.executionCtx, fi, made, now);
  return true;
}

function describe(c: Context<AppEnv>, { event, endpoint, status, client }: Answered, now: number): WaitingRecord {
  const [id, arrived, reference, concerns] = [c.get("evidenceId"), c.get("now"), c.get("reference"), c.get("concerns")];
  const entry: LedgerEntry = {
    id,
    time: writeRequestTime(arrived),
    release: VERSION,
    fi: c.get("fi").fiReferenceId,
    request_id: c.get("requestId"),
    event,
    endpoint,
    version: c.get("version") ?? "1",
    status,
    outcome: c.get("outcome") ?? "ok",
    ms: now - arrived,
    psp: c.get("psp") ?? null,
    checks: c.get("checked") ?? [],
    answer: c.get("keptAnswer") ?? null,
    token: concerns?.tokenId ?? null,
    consent: concerns?.consentId ?? null,
    account: null,
    transaction_reference: reference?.ok ? reference.text : null,
    ...(client !== undefined && { client }),
  };
  return { id, entry: writeEntry(entry), accountId: concerns?.accountId ?? null };
}

/**
 * Only a GET changes nothing. What was done before another answer was withheld is done: its code is one that no program
 * takes for "send it again", and without Retry-After, since a code that is sent twice revokes its token.
 */
const withheld = (method: string): ApiError =>
  method === "GET"
    ? new ApiError({ code: "temporarily_unavailable", title: `${WITHHELD}: ${UNCHANGED}` }, { "Retry-After": "1" })
    : new ApiError({ code: "answer_withheld", title: `${WITHHELD}: ${PERHAPS_DONE}` });
const WITHHELD = "The answer is withheld, because its record could not be kept";
const UNCHANGED = "nothing was changed. Send the request again";
const PERHAPS_DONE = "what was asked for may have been done. Look before you send the request again";
