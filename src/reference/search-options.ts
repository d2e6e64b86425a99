/** What the index of the search has, for who makes it (search-index.ts) and who asks it (browser/search.js). */
export const SEARCH_OPTIONS = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "about"],
  idField: "href",
  searchOptions: {
    boost: { title: 6, page: 2 },
    prefix: true,
    // a slip in every fifth letter
    fuzzy: (term: string) => (term.length > 3 ? 0.2 : false),
  },
};
