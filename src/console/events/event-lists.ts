/** Events, and deliveries to webhooks, as files have them, one row each. */
import type { ListedDelivery } from "../../events/deliveries.ts";
import { describeEvent } from "../../events/event.ts";
import { type ReviewedEvent, type ReviewFilter, reviewDeliveries, reviewEvents } from "../../events/event-review.ts";
import { type ListFile, members, PART_RECORDS, readPosition, writeInstant } from "../list-file.tsx";
import { describeNews, TYPE_WORDS } from "./event-words.ts";

export const eventList = (db: D1Database, fiId: number, filter: ReviewFilter): ListFile<ReviewedEvent> => ({
  name: "events",
  columns: {
    time: ({ created_at }) => writeInstant(created_at),
    ...members("seq", "id", "type"),
    what: ({ type }) => TYPE_WORDS[type],
    psp: (event) => describeEvent(event).data.psp_id,
    news: (event) => describeNews(describeEvent(event)).join(" "),
    acknowledged_at: ({ acknowledgedAt }) => writeInstant(acknowledgedAt),
    acknowledged_by: ({ acknowledgedBy }) => acknowledgedBy,
  },
  read: async ({ before }) => {
    const query = { ...filter, before: readPosition(before), limit: PART_RECORDS };
    const rows = await reviewEvents(db, fiId, query);
    return { rows, next: rows.length < PART_RECORDS ? null : { before: String(rows.at(-1)?.seq) } };
  },
});

/** In the order in which people have to care; the newest of each first. */
export const DELIVERY_STATES: readonly ListedDelivery["status"][] = ["dead", "pending", "delivered"];

export const deliveryList = (db: D1Database, fiId: number): ListFile<ListedDelivery> => ({
  name: "deliveries",
  columns: {
    made_at: ({ createdAt }) => writeInstant(createdAt),
    ...members("id", "eventId", "subject", "webhookId", "status", "attempts"),
    next_at: ({ status, nextAt }) => (status === "pending" ? writeInstant(nextAt) : null),
    ended_at: ({ endedAt }) => writeInstant(endedAt),
    receiver: ({ outcome }) => outcome,
  },
  read: async ({ state, before }) => {
    const status = DELIVERY_STATES.find((each) => each === state) ?? "dead";
    const rows = await reviewDeliveries(db, fiId, status, PART_RECORDS, readPosition(before) ?? undefined);
    const last = rows.at(-1)?.eventSeq;
    if (rows.length === PART_RECORDS) {
      // the last event's deliveries to other webhooks may follow: they begin the next part
      const whole = rows.filter(({ eventSeq }) => eventSeq !== last);
      return { rows: whole, next: { state: status, before: String(Number(last) + 1) } };
    }
    const following = DELIVERY_STATES[DELIVERY_STATES.indexOf(status) + 1];
    return { rows, next: following ? { state: following, before: "" } : null };
  },
});
