/** What the index of the search has, for who makes it (search-index.ts) and who asks it (browser/search.js). */

export type Kind = "Operation" | "Guide" | "Webhook" | "Word" | "Error" | "Change";

/** Whoever searches wants to do something first, then to know what failed. */
const WEIGHTS: Readonly<Record<Kind, number>> = {
  ...{ Operation: 2, Guide: 1.5, Webhook: 1, Word: 1 },
  ...{ Error: 0.3, Change: 0.1 },
};

export const SEARCH_OPTIONS = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "kind", "page", "about"],
  idField: "href",
  searchOptions: {
    boost: { title: 6, page: 2 },
    boostDocument: (_: string, __: string, place?: Record<string, unknown>) => WEIGHTS[place?.["kind"] as Kind],
    prefix: true,
    // a slip in every fifth letter
    fuzzy: (term: string) => (term.length > 3 ? 0.2 : false),
  },
};
