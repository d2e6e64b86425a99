/** What an institution is told, and the PSPs that it watches. */
import * as z from "zod";
import { EVENT_TYPES } from "../../events/event.ts";
import { instant, list } from "./field.ts";

const count = z.int().min(0);

const event = z.object({
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  timestamp: instant,
  data: z.object({
    psp_id: z.string().nullable(),
    // as the type of the event has it
    before: z.unknown(),
    after: z.unknown(),
    evidence: list(z.object({ document: z.string(), sha256: z.string() })),
    grants: z.object({ tokens: count, consents: count }).nullable(),
  }),
});

export const eventList = z.object({ data: list(event), next_after: z.string() });
export type EventList = z.output<typeof eventList>;

const watch = z.object({ psp_id: z.string(), watched_since: instant });
export const watchAnswer = z.object({ data: watch });
export type WatchAnswer = z.output<typeof watchAnswer>;
export const watchList = z.object({ data: list(watch), next_cursor: z.string().optional() });
export type WatchList = z.output<typeof watchList>;
