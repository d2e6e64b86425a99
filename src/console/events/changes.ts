/** What the forms of the page of events change: acknowledgements, deliveries. */

import { acknowledgeEvents, REPLAYED_AT_ONCE, replayDead, replayDeliveryOf } from "../../events/event-review.ts";
import { enqueue, findQueue } from "../../events/queue.ts";
import type { RecordedEndpoint } from "../../http/endpoint.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { type Chosen, requireChosen } from "../chosen-institution.tsx";
import { textOf } from "../forms.ts";
import type { Page, Visit } from "../page.ts";
import { logNameOf, PageProblem, pageNotFound, type Reader } from "../page.ts";
import { CHECK } from "../roles.ts";
import { ACKNOWLEDGE, EVENTS, REPLAY } from "./event-words.ts";

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
export const replayPage = change(REPLAY, REPLAYED, replay);

const back = ({ c }: Visit<Reader>, fi: Chosen, done: string): Response => c.redirect(fi.link(EVENTS, { done }), 303);

async function acknowledge(visit: Visit<Reader>, fi: Chosen, form: FormData): Promise<Response> {
  const [first, last] = [textOf(form, "first"), textOf(form, "last")].map(Number);
  if (!isPosition(first) || !isPosition(last)) throw pageNotFound();
  await acknowledgeEvents(databaseOf(visit.c.env, fi), fi.id, { first, last }, logNameOf(visit.reader), visit.now);
  return back(visit, fi, "acknowledged");
}

const isPosition = (number: number | undefined): number is number => Number.isSafeInteger(number) && Number(number) > 0;

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
