/** What an institution is notified of, and its watches. */
import { at, DATA, type FieldTexts, NEXT_CURSOR, PSP_ID } from "../reference/field-texts.ts";
import type { Resource } from "../reference/operation.ts";
import { eventList, KINDS, watchAnswer, watchList } from "./events.answer.ts";
import { body, path, query, watchQuery } from "./events.ts";

const WATCHED_SINCE = "Since when it is watched.";

/** Of every event; `type` and `data.before` have a text for each type. */
const EVENT: FieldTexts = {
  id: "The event's id: the header `webhook-id` of its deliveries.",
  type: "Decides the form of `before` and `after`. A later release may have more types.",
  timestamp: "When it was found out.",
  data: "What has changed.",
  "data.psp_id": `${PSP_ID} Null if it is not about one PSP.`,
  "data.before": "What the institution knew before. Null where there was nothing.",
  "data.after": "The same, as it is now.",
  "data.evidence": "The documents that it is based on.",
  "data.evidence[].document": "Which one, such as `register FI eba`, `listed service`, `certificate`, `OCSP` or `CRL`.",
  "data.evidence[].sha256":
    "Its SHA-256 in lower-case hexadecimal; of a register the `snapshot` of `GET /status` and of a check's evidence, which is half as long.",
  "data.grants": "What the PSP has at the institution at that time. Null if it is not about one PSP.",
  "data.grants.tokens":
    "Accounts and scopes for which it has a live token of the core flow; counted among its newest 5,000.",
  "data.grants.consents": "Its authorised consents that have not ended; counted among its newest 5,000 of each kind.",
};

const textsOf = (kind: (typeof KINDS)[keyof typeof KINDS]): FieldTexts => ({
  ...EVENT,
  ...("before" in kind ? {} : at("data.before", kind.texts)),
  ...at("data.after", kind.texts),
});

export const EVENTS: Resource = {
  operations: {
    "GET /v1/psp/watches": {
      id: "listWatches",
      tag: "Events",
      summary: "List the watched PSPs",
      description:
        "Lists the PSPs that the institution watches, in the order of their authorisation numbers as texts. A page has up to 1,000.",
      query: watchQuery(),
      answers: ["WatchList"],
      success: "A page of watches; an empty list if there are none.",
      parameters: {
        cursor: "The `next_cursor` of the page before; nothing for the first page.",
      },
    },
    "PUT /v1/psp/watches/{authorisation_number}": {
      id: "putWatch",
      tag: "Events",
      summary: "Watch a PSP",
      description:
        "Begins a watch: from now on the institution is notified of what changes of this PSP. The PSP needs no token or consent there. Repeating the request changes nothing. At most 10,000 are watched.",
      path: path(),
      body: "WatchRequest",
      answers: ["Watch"],
      refuses: { 400: ["authorisation_number_invalid"], 403: ["watches_full"] },
      success: "The PSP is watched.",
      parameters: {
        authorisation_number: "The authorisation number of a PSP, in any spelling, percent-encoded.",
      },
    },
    "DELETE /v1/psp/watches/{authorisation_number}": {
      id: "deleteWatch",
      tag: "Events",
      summary: "End a watch",
      description:
        "Ends the watch of a PSP. While the PSP has live tokens or consents, the institution is notified nevertheless. Without a watch it changes nothing.",
      path: path(),
      answers: [],
      refuses: { 400: ["authorisation_number_invalid"] },
      success: "The PSP is not watched.",
      parameters: {
        authorisation_number: "The authorisation number of a PSP, in any spelling, percent-encoded.",
      },
    },
    "GET /v1/events": {
      id: "listEvents",
      tag: "Events",
      summary: "List events",
      description:
        "Lists what changed of PSPs, the oldest first, from a position on. The PSPs are those that the institution watches, and those with live tokens or consents there. A change is listed minutes after its list or register was loaded. The operator can have events delivered to a webhook, too.",
      query: query(),
      answers: ["EventList"],
      success: "A page of events; an empty list if there is nothing new.",
      parameters: {
        after: "The `next_after` of the answer before; nothing for the oldest events that are kept.",
        limit: "How many events an answer has at most: 1 to 100.",
      },
    },
  },
  requests: {
    WatchRequest: body(),
  },
  answers: {
    EventList: eventList,
    ...Object.fromEntries(Object.values(KINDS).map(({ name, payload }) => [name, payload])),
    Watch: watchAnswer,
    WatchList: watchList,
  },
  texts: {
    ...Object.fromEntries(Object.values(KINDS).map((kind) => [kind.name, textsOf(kind)])),
    EventList: {
      data: "One page, oldest first.",
      ...at("data[]", Object.assign({}, ...Object.values(KINDS).map(textsOf))),
      next_after: "The parameter `after` of the next request. Always given: without a new event it is the same.",
    },
    Watch: {
      data: DATA,
      "data.psp_id": PSP_ID,
      "data.watched_since": WATCHED_SINCE,
    },
    WatchList: {
      data: "One page, in the order of the authorisation numbers as texts.",
      "data[].psp_id": PSP_ID,
      "data[].watched_since": WATCHED_SINCE,
      next_cursor: NEXT_CURSOR,
    },
  },
};
