/**
 * Records what an institution was answered (src/evidence/ledger/): each PSP check, each grant and its end, each block and watch,
 * whatever the answer's status. Which endpoints those are, and as what, is in the table of endpoints (endpoints.ts). The
 * record leaves after the response, which does not wait for it; of an institution that asks for it (`fi add --ledger
 * required`) the answer leaves only when its record is kept, else it is withheld with 503, and its record follows.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { observeGrant, observeMetPsp } from "../../events/observations.ts";
import { type LedgerEntry, type LedgerEvent, nameEnded } from "../../evidence/ledger/record.ts";
import { record, recordNow } from "../../evidence/ledger/recorder.ts";
import type { WaitingRecord } from "../../evidence/ledger/waiting-records.ts";
import type { AccountBlock } from "../../grants/account-block.ts";
import { forgetIntrospections } from "../../grants/kept-introspections.ts";
import type { Ended } from "../../grants/permission.ts";
import { isRecordId } from "../../grants/record-order.ts";
import type { Withdrawn, WithdrawnBy } from "../../grants/withdrawal.ts";
import { clock, writeRequestTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { VERSION } from "../../platform/version.ts";
import type { Scope } from "../../registers/entitlement.ts";
import type { AppEnv } from "../context.ts";
import type { Endpoint } from "../endpoint.ts";
import { ApiError } from "../errors/errors.ts";

/** With the first of them an institution has to do with a PSP: from then on it is notified of what changes (events/interest.ts). */
const BEGIN_INTEREST: ReadonlySet<LedgerEvent> = new Set(["code.issue", "consent.creation"]);

/** A second use of a code ends its token. */
const MAY_END_TOKENS: ReadonlySet<LedgerEvent> = new Set<LedgerEvent>([
  "code.redemption",
  "token.deletion",
  "consent.revocation",
  "block.change",
]);

export const ledger = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const [endpoint, fi] = [c.get("endpoint"), c.get("fi")];
  // before both are known there is nobody whose ledger it would be
  if (!endpoint || !fi) return;
  const { event } = endpoint;
  if (!event) return observeShown(c);
  const mayLeave = recordAnswer(c, { event, endpoint: nameEndpoint(endpoint), status: c.res.status });
  if (mayLeave === true || (await mayLeave)) {
    // not before: an answer that waits for its record would wait for these calls, too
    observeShown(c);
    if (BEGIN_INTEREST.has(event) && c.res.status === 201)
      observeGrant(c.env, c.executionCtx, fi, c.get("client"), c.get("observation") ?? null, c.get("now"));
    return;
  }
  // undefined first: else Hono adds the headers of the answer that is withheld
  c.res = undefined;
  throw withheld(endpoint);
});

/** Whom the institution has met by this request. To be called once its answer may leave. */
export function observeShown(c: Context<AppEnv>): void {
  for (const check of c.get("shown") ?? []) observeMetPsp(c.env, c.executionCtx, c.get("fi"), check, c.get("now"));
}

/** As records name it. */
export const nameEndpoint = ({ method, path }: Pick<Endpoint, "method" | "path">): string => `${method} ${path}`;

/** What a record says that the context does not. */
type Answered = Pick<LedgerEntry, "event" | "endpoint" | "status"> & Partial<LedgerEntry>;

/**
 * Records an answer to the institution of the context. False: its institution requires the record, and it may not be
 * kept, so the answer must not leave.
 */
export function recordAnswer(c: Context<AppEnv>, answered: Answered): boolean | Promise<boolean> {
  const [fi, now] = [c.get("fi"), clock.now()];
  if (MAY_END_TOKENS.has(answered.event)) forgetIntrospections(fi.id, now);
  if (c.env.LEDGER_RECORDS === "off") return !fi.ledgerRequired;
  const made = describe(c, answered, now);
  if (fi.ledgerRequired) return recordNow(c.env, c.executionCtx, fi, made);
  record(c.env, c.executionCtx, fi, made, now);
  return true;
}

function describe(c: Context<AppEnv>, answered: Answered, now: Instant): WaitingRecord {
  const [arrived, reference, concerns = {}] = [c.get("now"), c.get("reference"), c.get("concerns")];
  const { scopes, by, ended, about } = concerns;
  const { fiReferenceId, bankPassports } = c.get("fi");
  const checks = answered.checks ?? c.get("checked") ?? [];
  const entry: LedgerEntry = {
    id: c.get("evidenceId"),
    time: writeRequestTime(arrived),
    release: VERSION,
    fi: fiReferenceId,
    request_id: c.get("requestId"),
    version: c.get("version") ?? "1",
    outcome: c.get("outcome") ?? "ok",
    ms: now - arrived,
    psp: concerns.psp ?? c.get("psp") ?? null,
    checks,
    answer: c.get("keptAnswer") ?? null,
    token: concerns.tokenId ?? null,
    consent: concerns.consentId ?? null,
    account: null,
    transaction_reference: reference?.ok ? reference.text : null,
    ...(checks.some(({ jurisdictions }) => jurisdictions.length > 0) && { bank_passports: bankPassports }),
    ...(scopes && { scopes }),
    ...(by && { by }),
    ...(ended && { ended: nameEnded(ended) }),
    ...(about !== undefined && { about }),
    ...answered,
  };
  return { entry, accountId: concerns.accountId ?? null };
}

/**
 * What was done before an answer was withheld is done: its code is one that no program takes for "send it again", and
 * without Retry-After, since a code that is sent twice revokes its token. A check and a CCG token change nothing.
 */
const withheld = ({ outage }: Endpoint): ApiError =>
  outage === undefined
    ? new ApiError({ code: "temporarily_unavailable", title: `${WITHHELD}: ${UNCHANGED}` }, { "Retry-After": "1" })
    : new ApiError({ code: "answer_withheld", title: `${WITHHELD}: ${PERHAPS_DONE}` });
const WITHHELD = "The answer is withheld, because its record could not be kept";
const UNCHANGED = "nothing was changed. Send the request again";
const PERHAPS_DONE = "what was asked for may have been done. Look before you send the request again";

/** Whether an endpoint's answers leave records: of institutions that are known by then. */
export const leavesRecord = ({ event }: Endpoint): boolean => (event ?? null) !== null;

interface Withdrawal {
  readonly accountId: string;
  /** Of the permission; null: all of the account. */
  readonly id: string | null;
  readonly by: WithdrawnBy;
}

/**
 * Withdraws, for the API and the console. What the record says is known before: a store that fails may have made the
 * change. What the store answers follows. Null: there was no such permission.
 */
export async function recordWithdrawal<Result extends Ended | Withdrawn | null>(
  c: Context<AppEnv>,
  { accountId, id, by }: Withdrawal,
  withdraw: () => Promise<Result>,
): Promise<Result> {
  const concerns = { accountId, by, consentId: id !== null && isRecordId(id) ? id : null };
  c.set("concerns", concerns);
  const ended = await withdraw();
  if (!ended) return ended;
  const permission = "permission" in ended ? ended.permission : null;
  if (permission) c.set("psp", permission.psp);
  c.set("concerns", { ...concerns, ended, ...(permission && { scopes: [permission.scope] }) });
  return ended;
}

/** Sets a block. `scopes`: what is to be blocked from then on. */
export async function recordBlock(
  c: Context<AppEnv>,
  accountId: string,
  scopes: readonly Scope[],
  set: () => Promise<AccountBlock>,
): Promise<AccountBlock> {
  c.set("concerns", { accountId, scopes });
  const block = await set();
  c.set("concerns", { accountId, scopes: block.scopes });
  return block;
}
