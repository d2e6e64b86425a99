/**
 * GET /v1/events: what an institution was notified of, oldest first, for those who poll. /v1/psp/watches: the PSPs of which it
 * is notified, whether or not they have tokens or consents there. Not in the interface.
 */

import * as z from "zod";
import { parseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { describeEvent, parseListCursor, writeListCursor } from "../events/event.ts";
import { listEvents } from "../events/event-log.ts";
import { readStanding } from "../events/standing.ts";
import { deleteWatch, insertWatch, listWatches, MAX_WATCHES, type Watch } from "../events/watches.ts";
import { formatDateTime } from "../grants/date-times.ts";
import { ApiError } from "../http/errors/errors.ts";
import { validate } from "../http/middleware/validate.ts";
import { steps } from "../http/steps.ts";
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

export const answerEvents = steps(validate("query", query), async (c) => {
  const fi = c.get("fi");
  const { after, limit = DEFAULT_LIMIT } = c.req.valid("query");
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
});

/** Records per answer. */
const PAGE_SIZE = 1_000;
const SHOWN_CHARACTERS = 40;

/** In the normal form, so that every spelling is the same watch. */
const authorisationNumber = () =>
  z
    .string()
    .transform((given, ctx) => {
      const number = parseAuthorisationNumber(given);
      if (number.ok) return number.pspId;
      const message = `${quoteAlways(given, SHOWN_CHARACTERS)} is none: ${number.message}`;
      ctx.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .meta({ minLength: 1, maxLength: 128 });

export const path = once(() => z.object({ authorisation_number: authorisationNumber() }));
const ofPath = validate("param", path);
/** There is nothing to say of a watch yet. */
export const body = once(() => z.looseObject({}));
export const watchQuery = once(() => z.object({ cursor: optional(z.string("is given twice")) }));

export const putWatch = steps(ofPath, validate("json", body), async (c) => {
  const [psp, fi, now] = [c.req.valid("param").authorisation_number, c.get("fi"), c.get("now")];
  c.set("concerns", { psp });
  // first: of a watch without it the next change would be learnt, not notified
  const known = await readStanding(c.env, psp, now);
  const watch = await insertWatch(databaseOf(c.env, fi), fi.id, psp, known, now);
  if (!watch) {
    const title = `${MAX_WATCHES} PSPs are watched already: DELETE one to watch another`;
    throw new ApiError({ code: "watches_full", title });
  }
  return c.json({ data: describe(watch) } satisfies WatchAnswer);
});

export const removeWatch = steps(ofPath, async (c) => {
  const [psp, fi] = [c.req.valid("param").authorisation_number, c.get("fi")];
  c.set("concerns", { psp });
  await deleteWatch(databaseOf(c.env, fi), fi.id, psp, c.get("now"));
  return c.body(null, 204);
});

export const answerWatches = steps(validate("query", watchQuery), async (c) => {
  const fi = c.get("fi");
  const { cursor } = c.req.valid("query");
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
});

const describe = ({ pspId, since }: Watch) => ({ psp_id: pspId, watched_since: formatDateTime(since) });
