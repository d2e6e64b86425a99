/** GET /v1/events: what an institution has been told, oldest first, for those who poll. Not in the interface. */

import type { Context } from "hono";
import * as z from "zod";
import { describeEvent, parseListCursor, writeListCursor } from "../events/event.ts";
import { listEvents } from "../events/event-log.ts";
import type { EventList } from "../http/answers/events.ts";
import type { AppEnv } from "../http/context.ts";
import { ApiError } from "../http/errors/errors.ts";
import { parseQuery } from "../http/middleware/validate.ts";
import { databaseOf } from "../institutions/databases.ts";
import { lazySchema, optional } from "../platform/schemas.ts";
import { pageLimit } from "./parameters.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100;

export const query = lazySchema(() =>
  z.object({
    after: optional(z.string("is given twice")),
    limit: optional(pageLimit(MAX_LIMIT, DEFAULT_LIMIT)),
  }),
);

export async function answerEvents(c: Context<AppEnv>): Promise<Response> {
  const fi = c.get("fi");
  const { after, limit = DEFAULT_LIMIT } = parseQuery(c, query());
  const position = after === undefined ? "0" : parseListCursor("events", fi.id, after);
  if (position === null) throw new ApiError({ code: "after_invalid" });
  const events = await listEvents(databaseOf(c.env, fi), fi.id, Number(position), limit);
  const last = events.at(-1)?.seq ?? Number(position);
  // always given, so that who has read everything knows what to ask with later
  const answer: EventList = {
    data: events.map(describeEvent),
    next_after: writeListCursor("events", fi.id, String(last)),
  };
  return c.json(answer);
}
