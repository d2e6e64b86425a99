/** Forms: their body, the proof that a page of this console sent them, and the record that they leave. */
import type { Context } from "hono";
import type { LedgerEvent } from "../evidence/ledger/record.ts";
import { makeRecordId } from "../grants/record-order.ts";
import { readTokenKeys, type TokenKeys } from "../grants/token-keys.ts";
import type { AppEnv } from "../http/context.ts";
import type { RecordedEndpoint } from "../http/endpoint.ts";
import { baseUrl } from "../http/errors/errors.ts";
import { nameEndpoint, observeShown, recordAnswer } from "../http/middleware/ledger.ts";
import { readAtMost } from "../http/request-body.ts";
import { clock } from "../platform/clock.ts";
import { makeMacText, sameSecret } from "../platform/secrets.ts";
import { StoreError } from "../platform/stores.ts";
import type { Visit } from "./page.ts";
import { PageProblem, type Reader, signatureOf } from "./page.ts";

/** The request's time is that of its end from then on. Throws {@link PageProblem}. */
export async function readFormBody(c: Context<AppEnv>, maxBytes: number): Promise<FormData> {
  const type = c.req.header("Content-Type") ?? "";
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type))
    throw new PageProblem({
      status: 400,
      code: "form_malformed",
      heading: "Not a form",
      text: "The request's Content-Type is not that of a form.",
    });
  const { body } = c.req.raw;
  const bytes = body && (await readAtMost(body, maxBytes, { tooLarge, incomplete }));
  // it may be sent slowly, as the API's (http/middleware/json-body.ts)
  c.set("now", clock.now());
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw unreadable("It is incomplete, or not in the form that its Content-Type names.");
  }
}

const unreadable = (why: string): PageProblem =>
  new PageProblem({
    status: 400,
    code: "form_malformed",
    heading: "The form cannot be read",
    text: `${why} Load the page again and repeat.`,
  });

const incomplete = (why: string): PageProblem => unreadable(`It is incomplete: ${why}.`);

const tooLarge = (maxBytes: number): PageProblem =>
  new PageProblem({
    status: 413,
    code: "form_too_large",
    heading: "Too much at once",
    text: `A form has at most ${maxBytes / 1024} KiB. Send fewer or smaller files.`,
  });

/** The text of a field; "" if it is absent or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/*
 * Proves that a form was sent by a page of this console, for the reader who has it open. Three independent checks: what
 * the browser says of the sender (Fetch Metadata, Origin), the cookie's SameSite=Strict, and a token in the form.
 */

/** Name of the form's field. */
export const FORM_TOKEN = "form_token";

/** The token for a reader's forms. `bond`: of the reader, so that it ends with the session. */
export const formToken = (keys: TokenKeys, bond: string): string => tokenOf(keys.newest.console, bond);

const tokenOf = (key: Uint8Array, bond: string): string => makeMacText(key, `form ${bond}`);

/**
 * Refuses a request that another site's page caused. Sec-Fetch-Site cannot be set by scripts; browsers before 2023 have
 * Origin only, and one of the two is needed. Throws {@link PageProblem}.
 */
export function requireOwnPage(c: Context<AppEnv>): void {
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  const own = [new URL(c.req.url).origin, new URL(baseUrl(c.env.BASE_URL, c.req.url)).origin];
  const sameSite = site === undefined || site === "same-origin";
  const sameOrigin = origin === undefined || own.includes(origin);
  if (!sameSite || !sameOrigin || (site === undefined && origin === undefined)) throw forged();
}

/** Refuses a form without the reader's token. Throws {@link PageProblem}. */
export function requireFormToken(c: Context<AppEnv>, form: FormData, bond: string): void {
  const given = form.get(FORM_TOKEN);
  const keys = [...readTokenKeys(c.env).byKid.values()];
  const fits = keys.map((key) => sameSecret(typeof given === "string" ? given : "", tokenOf(key.console, bond)));
  if (!fits.includes(true)) throw forged();
}

const forged = (): PageProblem =>
  new PageProblem({
    status: 403,
    code: "form_not_ours",
    heading: "The form was not taken",
    text: "It did not come from a page of this console that you have open now, so nothing was done. Load the page again and repeat.",
  });

/*
 * The record is as an answer of the API leaves one: else an auditor would see tokens end without a reason. `endpoint`
 * names the form, `client` or `operator` who had signed in. Which forms leave one is in the table of endpoints.
 */

const FAILED_STORE = "temporarily_unavailable";

/**
 * Answers the form, then records it. What was refused has changed nothing, and leaves no record. A store that failed may
 * have done what was asked: that leaves one, as by the API. Throws what `answer` throws, and PageProblem if the
 * institution requires its records and this one may not be kept.
 */
export async function recordForm(
  { c, now, reader }: Visit<Reader>,
  form: RecordedEndpoint,
  answer: () => Promise<Response>,
): Promise<Response> {
  const evidenceId = makeRecordId(now);
  c.set("evidenceId", evidenceId);
  // before the handler, as the API's (http/middleware/answer-headers.ts)
  c.header("x-evidence-id", evidenceId);
  // most send the reader on; one that makes a secret shows it
  const isDone = (status: number): boolean => form.statuses.includes(status);
  const leave = async (status: number): Promise<boolean> => {
    const change = { event: form.event, endpoint: nameEndpoint(form), status };
    const who = signatureOf(reader);
    const checks = c.get("formChecks");
    // an operator's, where there is no institution yet
    if (!c.get("fi")) return true;
    // whatever was found, nobody was notified
    const untold = !isDone(status) && { outcome: FAILED_STORE };
    const kept = await Promise.all(
      (checks ?? [{}]).map((check) => recordAnswer(c, { ...change, ...who, ...check, ...untold })),
    );
    observeShown(c);
    return kept.every(Boolean);
  };
  let response: Response;
  try {
    response = await answer();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    c.set("outcome", FAILED_STORE);
    await leave(503);
    throw error;
  }
  if (!isDone(response.status) || (await leave(response.status))) return response;
  // of the answer that is withheld
  c.header("Location", undefined);
  const { heading, text } = NOT_RECORDED[form.event] ?? CHANGED;
  throw new PageProblem({
    status: 503,
    code: FAILED_STORE,
    heading,
    text: `${text} ${c.env.LEDGER_RECORDS === "off" ? KEEPS_NONE : FAILED}`,
  });
}

const CHANGED = { heading: "Changed, but not recorded yet", text: "What you asked for is done." };
const NOT_RECORDED: Readonly<Partial<Record<LedgerEvent, typeof CHANGED>>> = {
  "psp.checked": { heading: "Checked, but not recorded yet", text: "What was found is not shown." },
  "consent.revocation": {
    heading: "Withdrawn, but not recorded yet",
    text: "What you asked for is done: it cannot be undone.",
  },
  "webhook.change": { ...CHANGED, text: `${CHANGED.text} A new secret is not shown: rotate it to get another one.` },
};
const FAILED =
  "Its record could not be kept at once, which your institution requires. It follows when the ledger answers again. If it is not in the list of records in some minutes, send the form again: that records it, too.";
/** The setting of a service while its institutions require their records: only its operator can end that. */
const KEEPS_NONE =
  "The service keeps no records at present, which your institution requires: sending the form again changes nothing. Tell the service's operator.";
