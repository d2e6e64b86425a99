/** /console/events: what changed of PSPs, the PSPs that are watched, and what webhooks were sent. */

import { countReview, REPLAYED_AT_ONCE, reviewDeliveries, reviewEvents } from "../../events/event-review.ts";
import { countWatches, listWatches } from "../../events/watches.ts";
import { listWebhooks } from "../../events/webhook.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { aboutInstitution, type Chosen, ChosenName } from "../chosen-institution.tsx";
import { show } from "../frame.tsx";
import { readFormat, readPosition, sendList } from "../list-file.tsx";
import type { Page, Reader, Visit } from "../page.ts";
import { findNames, isTag } from "../people/names.ts";
import { READ } from "../roles.ts";
import { COUNT_UP_TO } from "../wording.ts";
import { Deliveries, MAX_DELIVERIES } from "./deliveries-card.tsx";
import { DELIVERY_STATES, deliveryList, eventList } from "./event-lists.ts";
import { EVENTS } from "./event-words.ts";
import { Events } from "./events-card.tsx";
import { readRefused, Watches } from "./watches-card.tsx";

export const eventsPage: Page = {
  path: EVENTS,
  menu: "Events",
  roles: READ,
  get: aboutInstitution("Events and watches", showEvents),
};

const EVENTS_PER_PAGE = 20;
const WATCHES_PER_PAGE = 50;

const DONE: Readonly<Record<string, string>> = {
  acknowledged: "Acknowledged.",
  watched: "The PSP is watched: each change from now on makes an event.",
  unwatched:
    "The PSP is not watched any more. While it has live tokens or consents here, its changes make events nevertheless.",
  replayed: "The event is delivered again within a minute or two.",
  all_replayed: "All that was given up there is delivered again, beginning within a minute or two.",
  some_replayed: `The oldest ${REPLAYED_AT_ONCE} that were given up there are delivered again: more remain.`,
};

async function showEvents(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c } = visit;
  const { all, before, list, after = "", done = "", refused: typed } = c.req.query();
  const db = databaseOf(c.env, fi);
  const onlyOpen = all === undefined;
  const format = readFormat(c.req.query());
  if (format && list === "deliveries") return await sendList(visit, fi, deliveryList(db, fi.id), format);
  if (format) return await sendList(visit, fi, eventList(db, fi.id, onlyOpen), format);
  const query = { onlyOpen, before: readPosition(before) };
  // one more of each, to find out whether there is a next page
  const [counts, watched, events, watches, webhooks, ...deliveries] = await Promise.all([
    countReview(db, fi.id, { onlyOpen, upTo: COUNT_UP_TO }),
    countWatches(db, fi.id, COUNT_UP_TO),
    reviewEvents(db, fi.id, { ...query, limit: EVENTS_PER_PAGE + 1 }),
    listWatches(db, fi.id, after, WATCHES_PER_PAGE + 1),
    listWebhooks(db, fi.id),
    ...DELIVERY_STATES.map((status) => reviewDeliveries(db, fi.id, status, MAX_DELIVERIES)),
  ]);
  const acknowledged = events.map(({ acknowledgedBy: by }) => ({ person: by !== null && isTag(by) ? by : null }));
  const names = await findNames(c.env, fi.id, acknowledged);
  const said = DONE[done];
  const refused = typed === undefined ? null : readRefused(typed);
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={EVENTS} />
      {said && (
        <p class="notice yes" role="status">
          <span>{said}</span>
        </p>
      )}
      <Events
        visit={visit}
        fi={fi}
        events={events.slice(0, EVENTS_PER_PAGE)}
        length={counts.events}
        hasOlder={events.length > EVENTS_PER_PAGE}
        onlyOpen={onlyOpen}
        names={names}
      />
      <Watches
        visit={visit}
        fi={fi}
        watches={watches.slice(0, WATCHES_PER_PAGE)}
        length={watched}
        hasMore={watches.length > WATCHES_PER_PAGE}
        refused={refused}
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
  return await show(visit, { title: "Events and watches", children, status: refused ? 400 : 200 });
}
