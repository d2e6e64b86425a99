/** /console/events: what changed of PSPs, and what webhooks were sent. */

import { countReview, REPLAYED_AT_ONCE, reviewDeliveries, reviewEvents } from "../../events/event-review.ts";
import { listWebhooks } from "../../events/webhook.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { aboutInstitution, type Chosen, ChosenName } from "../chosen-institution.tsx";
import { LinkButton, Said } from "../elements.tsx";
import { show } from "../frame.tsx";
import { readFormat, readPosition, sendList } from "../list-file.tsx";
import { hasRole, type Page, type Reader, type Visit } from "../page.ts";
import { findNames, isTag } from "../people/names.ts";
import { ADMINISTER, READ } from "../roles.ts";
import { COUNT_UP_TO } from "../wording.ts";
import { Deliveries, MAX_DELIVERIES } from "./deliveries-card.tsx";
import { DELIVERY_STATES, deliveryList, eventList } from "./event-lists.ts";
import { EVENTS, WEBHOOKS } from "./event-words.ts";
import { Events } from "./events-card.tsx";
import { EventsFilter, readFilter } from "./events-filter.tsx";

export const eventsPage: Page = {
  path: EVENTS,
  menu: "Events",
  roles: READ,
  get: aboutInstitution("Events", showEvents),
};

const EVENTS_PER_PAGE = 25;

const DONE: Readonly<Record<string, string>> = {
  acknowledged: "Acknowledged.",
  replayed: "The event is delivered again within a minute or two.",
  all_replayed: "All that was given up there is delivered again, beginning within a minute or two.",
  some_replayed: `The oldest ${REPLAYED_AT_ONCE} that were given up there are delivered again: more remain.`,
};

async function showEvents(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c } = visit;
  const given = c.req.query();
  const { before, done = "", list } = given;
  const db = databaseOf(c.env, fi);
  const asked = readFilter(given);
  const format = readFormat(given);
  if (format && list === "deliveries") return await sendList(visit, fi, deliveryList(db, fi.id), format);
  if (format) return await sendList(visit, fi, eventList(db, fi.id, asked.filter), format);
  const query = { ...asked.filter, before: readPosition(before) };
  const [counts, events, webhooks, ...deliveries] = await Promise.all([
    countReview(db, fi.id, { ...asked.filter, upTo: COUNT_UP_TO }),
    // one more, to find out whether there is a next page
    reviewEvents(db, fi.id, { ...query, limit: EVENTS_PER_PAGE + 1 }),
    listWebhooks(db, fi.id),
    ...DELIVERY_STATES.map((status) => reviewDeliveries(db, fi.id, status, MAX_DELIVERIES)),
  ]);
  const acknowledged = events.map(({ acknowledgedBy: by }) => ({ person: by !== null && isTag(by) ? by : null }));
  const names = await findNames(c.env, fi.id, acknowledged);
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={EVENTS} />
      <p>What has changed of the PSPs that your institution watches or has given access, for somebody to look at.</p>
      <Said>{DONE[done]}</Said>
      {hasRole(visit.reader, ADMINISTER) && <LinkButton href={visit.href(WEBHOOKS)}>Webhooks</LinkButton>}
      <EventsFilter visit={visit} fi={fi} asked={asked} />
      <Events
        visit={visit}
        fi={fi}
        events={events.slice(0, EVENTS_PER_PAGE)}
        length={counts.events}
        hasOlder={events.length > EVENTS_PER_PAGE}
        asked={asked}
        names={names}
      />
      <Deliveries
        visit={visit}
        fi={fi}
        webhooks={webhooks}
        deliveries={deliveries.flat()}
        lengths={counts.deliveries}
      />
    </>
  );
  return await show(visit, { title: "Events", children, status: asked.problem === null ? 200 : 400 });
}
