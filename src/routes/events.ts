/**
 * GET /v1/events: what an institution was notified of, oldest first, for those who poll. /v1/psp/watches: the PSPs of which it
 * is notified, whether or not they have tokens or consents there. Not in the interface.
 */

import type { Context } from "hono";
import * as z from "zod";
import { parseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { describeEvent, parseListCursor, writeListCursor } from "../events/event.ts";
import { listEvents } from "../events/event-log.ts";
import { readStanding } from "../events/standing.ts";
import { deleteWatch, insertWatch, listWatches, MAX_WATCHES, type Watch } from "../events/watches.ts";
import { formatDateTime } from "../grants/date-times.ts";
import type { AppEnv } from "../http/context.ts";
import { ApiError } from "../http/errors/errors.ts";
import { readValid } from "../http/middleware/validate.ts";
import { databaseOf } from "../institutions/databases.ts";
import { once } from "../platform/memory.ts";
import { quoteAlways } from "../platform/quotation.ts";
import { optional } from "../platform/schemas.ts";
import type { EventList, WatchAnswer, WatchList } from "./events.answer.ts";
import { pageLimit } from "./parameters.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100;

export const query = once(() =>
  z.object({
    after: optional(z.string("is given twice")),
    limit: optional(pageLimit(MAX_LIMIT, DEFAULT_LIMIT)),
  }),
);

export async function answerEvents(c: Context<AppEnv>): Promise<Response> {
  const fi = c.get("fi");
  const { after, limit = DEFAULT_LIMIT } = await readValid(c, "query", query());
  const position = after === undefined ? "0" : parseListCursor("events", fi.id, after);
  if (position === null) throw new ApiError({ code: "after_invalid" });
  const events = await listEvents(databaseOf(c.env, fi), fi.id, Number(position), limit);
  const last = events.at(-1)?.seq ?? Number(position);
  // always given, so that who has read everything knows what to ask with later
  const answer: EventList = {
    // as who made them wrote them: by the form of their type
    data: events.map(describeEvent) as EventList["data"],
    next_after: writeListCursor("events", fi.id, String(last)),
  };
  return c.json(answer);
}

/** Records per answer. */
const PAGE_SIZE = 1_000;
const SHOWN_CHARACTERS = 40;

export const path = once(() => z.object({ authorisation_number: z.string().min(1).max(128) }));
/** There is nothing to say of a watch yet. */
export const body = once(() => z.looseObject({}));
export const watchQuery = once(() => z.object({ cursor: optional(z.string("is given twice")) }));

export async function putWatch(c: Context<AppEnv>): Promise<Response> {
  const [pspId, fi, now] = [requirePsp(c), c.get("fi"), c.get("now")];
  await readValid(c, "json", body());
  // first: of a watch without it the next change would be learnt, not notified
  const known = await readStanding(c.env, pspId, now);
  const watch = await insertWatch(databaseOf(c.env, fi), fi.id, pspId, known, now);
  if (!watch) {
    const title = `${MAX_WATCHES} PSPs are watched already: DELETE one to watch another`;
    throw new ApiError({ code: "watches_full", title });
  }
  return c.json({ data: describe(watch) } satisfies WatchAnswer);
}

export async function removeWatch(c: Context<AppEnv>): Promise<Response> {
  const fi = c.get("fi");
  await deleteWatch(databaseOf(c.env, fi), fi.id, requirePsp(c), c.get("now"));
  return c.body(null, 204);
}

export async function answerWatches(c: Context<AppEnv>): Promise<Response> {
  const fi = c.get("fi");
  const { cursor } = await readValid(c, "query", watchQuery());
  const after = cursor === undefined ? "" : parseListCursor("watches", fi.id, cursor);
  if (after === null) throw new ApiError({ code: "cursor_invalid" });
  // one more, to find out whether there is a next page
  const watches = await listWatches(databaseOf(c.env, fi), fi.id, after, PAGE_SIZE + 1);
  const shown = watches.slice(0, PAGE_SIZE);
  const last = watches.length > PAGE_SIZE ? shown.at(-1) : undefined;
  const answer: WatchList = {
    data: shown.map(describe),
    ...(last && { next_cursor: writeListCursor("watches", fi.id, last.pspId) }),
  };
  return c.json(answer);
}

/** In the normal form, so that every spelling is the same watch. */
function requirePsp(c: Context<AppEnv>): string {
  const given = c.req.param("authorisation_number") ?? "";
  const number = parseAuthorisationNumber(given);
  if (number.ok) {
    c.set("concerns", { psp: number.pspId });
    return number.pspId;
  }
  const title = `authorisation_number ${quoteAlways(given, SHOWN_CHARACTERS)} is none: ${number.message}`;
  throw new ApiError({ code: "authorisation_number_invalid", title });
}

const describe = ({ pspId, since }: Watch) => ({ psp_id: pspId, watched_since: formatDateTime(since) });
