/**
 * The record of a form that was sent in the console, as an answer of the API leaves one: else an auditor would see tokens
 * end, and accounts blocked, without a reason. `endpoint` names the form, `client` or `operator` who had signed in. Which
 * forms leave one is in the table of endpoints (endpoints.ts).
 */

import type { LedgerEvent } from "../evidence/ledger/record.ts";
import { makeRecordId } from "../grants/record-order.ts";
import type { RecordedEndpoint } from "../http/endpoints.ts";
import { nameEndpoint, recordAnswer } from "../http/middleware/ledger.ts";
import { StoreError } from "../platform/stores.ts";
import type { Visit } from "./page.ts";
import { nameOf, PageProblem, type Reader } from "./page.ts";

/** What was asked for is done: the reader is sent on. */
const DONE = 303;
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
  const leave = async (status: number): Promise<boolean> => {
    const of = { event: form.event, endpoint: nameEndpoint(form), status };
    const who = reader.kind === "institution" ? { client: reader.clientId } : { operator: nameOf(reader) };
    const checks = c.get("formChecks");
    // an operator's, where there is no institution yet
    if (!c.get("fi")) return true;
    // whatever was found, nobody was told
    const untold = status !== DONE && { outcome: FAILED_STORE };
    const kept = await Promise.all(
      (checks ?? [{}]).map((each) => recordAnswer(c, { ...of, ...who, ...each, ...untold })),
    );
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
  if (response.status !== DONE || (await leave(DONE))) return response;
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
};
const FAILED =
  "Its record could not be kept at once, which your institution requires. It follows when the ledger answers again. If it is not in the list of records in some minutes, send the form again: that records it, too.";
/** The setting of a service while its institutions require their records: only its operator can end that. */
const KEEPS_NONE =
  "The service keeps no records at present, which your institution requires: sending the form again changes nothing. Tell the service's operator.";
