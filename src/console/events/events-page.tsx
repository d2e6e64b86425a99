/** /console/events: what changed of PSPs, and what webhooks were sent. */

import type { ListedDelivery } from "../../events/deliveries.ts";
import { countReview, REPLAYED_AT_ONCE, reviewDeliveries, reviewEvents } from "../../events/event-review.ts";
import { listWebhooks } from "../../events/webhook.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { aboutInstitution, type Chosen, ChosenName } from "../chosen-institution.tsx";
import { show } from "../frame.tsx";
import type { Page, Reader, Visit } from "../page.ts";
import { READ } from "../roles.ts";
import { COUNT_UP_TO } from "../wording.ts";
import { Deliveries, MAX_DELIVERIES } from "./deliveries-card.tsx";
import { EVENTS } from "./event-words.ts";
import { Events } from "./events-card.tsx";
import { EventsFilter, readFilter } from "./events-filter.tsx";

export const eventsPage: Page = {
  path: EVENTS,
  menu: "Events",
  roles: READ,
  get: aboutInstitution("Events", showEvents),
};

const EVENTS_PER_PAGE = 20;

const DONE: Readonly<Record<string, string>> = {
  acknowledged: "Acknowledged.",
  replayed: "The event is delivered again within a minute or two.",
  all_replayed: "All that was given up there is delivered again, beginning within a minute or two.",
  some_replayed: `The oldest ${REPLAYED_AT_ONCE} that were given up there are delivered again: more remain.`,
};

/** The order in which people have to care. */
const STATES: readonly ListedDelivery["status"][] = ["dead", "pending", "delivered"];

async function showEvents(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c } = visit;
  const given = c.req.query();
  const { before = "", done = "" } = given;
  const db = databaseOf(c.env, fi);
  const asked = readFilter(given);
  const query = { ...asked.filter, before: /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null };
  const [counts, events, webhooks, ...deliveries] = await Promise.all([
    countReview(db, fi.id, { ...asked.filter, upTo: COUNT_UP_TO }),
    // one more, to find out whether there is a next page
    reviewEvents(db, fi.id, { ...query, limit: EVENTS_PER_PAGE + 1 }),
    listWebhooks(db, fi.id),
    ...STATES.map((status) => reviewDeliveries(db, fi.id, status, MAX_DELIVERIES)),
  ]);
  const said = DONE[done];
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={EVENTS} />
      {said && (
        <p class="notice yes" role="status">
          <span>{said}</span>
        </p>
      )}
      <EventsFilter visit={visit} fi={fi} asked={asked} />
      <Events
        visit={visit}
        fi={fi}
        events={events.slice(0, EVENTS_PER_PAGE)}
        length={counts.events}
        hasOlder={events.length > EVENTS_PER_PAGE}
        asked={asked}
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
