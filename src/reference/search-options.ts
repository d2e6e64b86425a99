/** What the index of the search has and how it is asked, for who makes it (search-index.ts) and who asks it (browser/search.js). */
import type MiniSearch from "minisearch";
import type { SearchResult } from "minisearch";

export type Kind = "Operation" | "Guide" | "Page" | "Webhook" | "Word" | "Error" | "Change";

/** Whoever searches wants to do something first, then to know what failed. */
const WEIGHTS: Readonly<Record<Kind, number>> = {
  ...{ Operation: 2, Guide: 1.5, Page: 1.5, Webhook: 1, Word: 1 },
  ...{ Error: 0.2, Change: 0.1 },
};

export const SEARCH_OPTIONS = {
  fields: ["title", "keys", "page", "text"],
  storeFields: ["title", "kind", "page", "about"],
  idField: "href",
  // the beginning of a text, from which what was found is shown
  extractField: (place: Readonly<Record<string, string>>, field: string) =>
    field === "about" ? (place["text"] ?? "").slice(0, 700) : (place[field] ?? ""),
  searchOptions: {
    boost: { title: 6, keys: 6, page: 2 },
    boostDocument: (_: string, __: string, place?: Record<string, unknown>) => WEIGHTS[place?.["kind"] as Kind],
    prefix: true,
  },
};

/** A slip in every fourth letter. */
const FUZZY = { fuzzy: (term: string) => (term.length > 3 ? 0.25 : false) };
const WAYS = [
  { said: "", options: { combineWith: "AND" } },
  { said: "Nothing has these words. Near them:", options: { combineWith: "AND", ...FUZZY } },
  { said: "Nothing has all of these words. With some of them:", options: {} },
  { said: "Nothing has these words. Near some of them:", options: FUZZY },
] as const;

/** Every word as it is written first: a page with one of them only, or with another, is rarely meant. */
export function search(index: MiniSearch, words: string): { readonly said: string; readonly places: SearchResult[] } {
  const asked = wordsOf(words);
  for (const { said, options } of WAYS) {
    const all = index.search(words, options);
    // a code whose words are asked for is meant itself; of a word there is more than what it means
    const isAsked = ({ title, kind }: SearchResult) => kind !== "Word" && wordsOf(title) === asked;
    const places = [...all.filter(isAsked), ...all.filter((place) => !isAsked(place))];
    if (places.length > 0) return { said, places };
  }
  return { said: "", places: [] };
}

const wordsOf = (text: string): string =>
  String(
    text
      .toLowerCase()
      .match(/[^\s_]+/g)
      ?.sort(),
  );
