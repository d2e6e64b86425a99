/** What the forms of the page of events change: acknowledgements, watches, deliveries. */

import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { acknowledgeEvents, REPLAYED_AT_ONCE, replayDead, replayDeliveryOf } from "../../events/event-review.ts";
import { enqueue, findQueue } from "../../events/queue.ts";
import { readStanding } from "../../events/standing.ts";
import { deleteWatch, insertWatch } from "../../events/watches.ts";
import type { RecordedEndpoint } from "../../http/endpoint.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import type { ErrorCode } from "../../http/errors/every-code.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { type Chosen, requireChosen } from "../chosen-institution.tsx";
import { textOf } from "../forms.ts";
import type { Page, Visit } from "../page.ts";
import { logNameOf, PageProblem, pageNotFound, type Reader } from "../page.ts";
import { CHECK } from "../roles.ts";
import { ACKNOWLEDGE, EVENTS, REPLAY, UNWATCH, WATCH } from "./event-words.ts";
import { MAX_REFUSED_CHARACTERS } from "./watches-card.tsx";

type Change = (visit: Visit<Reader>, fi: Chosen, form: FormData) => Promise<Response>;

const change = (path: string, form: RecordedEndpoint | { readonly unrecorded: string }, make: Change): Page => ({
  path,
  menu: null,
  roles: CHECK,
  form,
  post: async (visit, fields) => make(visit, await requireChosen(visit, fields), fields),
});

const REPLAYED = { unrecorded: "it decides nothing: what is sent again was sent before" };

export const acknowledgePage = change(ACKNOWLEDGE, CONSOLE_FORMS.acknowledgement, acknowledge);
export const watchPage = change(WATCH, CONSOLE_FORMS.watch, watch);
export const unwatchPage = change(UNWATCH, CONSOLE_FORMS.unwatch, unwatch);
export const replayPage = change(REPLAY, REPLAYED, replay);

const back = ({ c }: Visit<Reader>, fi: Chosen, done: string): Response => c.redirect(fi.link(EVENTS, { done }), 303);

async function acknowledge(visit: Visit<Reader>, fi: Chosen, form: FormData): Promise<Response> {
  const [first, last] = [textOf(form, "first"), textOf(form, "last")].map(Number);
  if (!isPosition(first) || !isPosition(last)) throw pageNotFound();
  await acknowledgeEvents(databaseOf(visit.c.env, fi), fi.id, { first, last }, logNameOf(visit.reader), visit.now);
  return back(visit, fi, "acknowledged");
}

const isPosition = (number: number | undefined): number is number => Number.isSafeInteger(number) && Number(number) > 0;

async function watch(visit: Visit<Reader>, fi: Chosen, form: FormData): Promise<Response> {
  const { c, now } = visit;
  const psp = textOf(form, "psp");
  const number = parseAuthorisationNumber(psp);
  if (!number.ok) return refuse(visit, fi, psp, "authorisation_number_invalid");
  c.set("concerns", { psp: number.pspId });
  const known = await readStanding(c.env, number.pspId, now);
  const watched = await insertWatch(databaseOf(c.env, fi), fi.id, number.pspId, known, now);
  return watched ? back(visit, fi, "watched") : refuse(visit, fi, psp, "watches_full");
}

/** The page says why (watches-card.tsx): this address has no page that could be loaded again. */
function refuse({ c }: Visit<Reader>, fi: Chosen, psp: string, outcome: ErrorCode): Response {
  c.set("outcome", outcome);
  return c.redirect(fi.link(EVENTS, { refused: psp.slice(0, MAX_REFUSED_CHARACTERS) }), 303);
}

async function unwatch(visit: Visit<Reader>, fi: Chosen, form: FormData): Promise<Response> {
  const number = parseAuthorisationNumber(textOf(form, "psp"));
  if (!number.ok) throw pageNotFound();
  visit.c.set("concerns", { psp: number.pspId });
  await deleteWatch(databaseOf(visit.c.env, fi), fi.id, number.pspId, visit.now);
  return back(visit, fi, "unwatched");
}

/** A second click finds it under way. One of another institution gets the same answer. */
const notBegun = (): PageProblem =>
  new PageProblem({
    status: 404,
    code: "delivery_not_begun",
    heading: "Nothing was begun now",
    text: "The delivery is under way already, or there is none of this name here, its event is not kept any more, or its webhook takes no more.",
  });

async function replay(visit: Visit<Reader>, fi: Chosen, form: FormData): Promise<Response> {
  const { c, now } = visit;
  const db = databaseOf(c.env, fi);
  const webhookId = textOf(form, "webhook");
  if (webhookId !== "") return await replayWebhook(visit, fi, webhookId);
  const delivery = textOf(form, "delivery");
  if (!(await replayDeliveryOf(db, fi.id, delivery))) throw notBegun();
  const queue = findQueue(c.env);
  // without a queue the scheduled run finds it
  if (queue) await enqueue(db, queue, [{ database: fi.database, delivery }], now);
  const line = { event: "delivery_replayed", request_id: c.var.requestId, fi: fi.fiReferenceId, delivery };
  console.log(JSON.stringify({ ...line, by: logNameOf(visit.reader) }));
  return back(visit, fi, "replayed");
}

/** The scheduled run finds them. */
async function replayWebhook(visit: Visit<Reader>, fi: Chosen, webhookId: string): Promise<Response> {
  const { c, now } = visit;
  const replayed = await replayDead(databaseOf(c.env, fi), { fiId: fi.id, webhookId, since: 0 }, now);
  if (replayed === 0) throw notBegun();
  const line = { event: "deliveries_replayed", request_id: c.var.requestId, fi: fi.fiReferenceId, webhook: webhookId };
  console.log(JSON.stringify({ ...line, replayed, by: logNameOf(visit.reader) }));
  return back(visit, fi, replayed < REPLAYED_AT_ONCE ? "all_replayed" : "some_replayed");
}
