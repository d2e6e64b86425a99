/** The index of the search, made of the pages themselves, so that it has what they say and leads to where they say it. */
import MiniSearch from "minisearch";
import { type Kind, SEARCH_OPTIONS } from "./search-options.ts";

interface Place extends Readonly<Record<string, string>> {
  /** The address, which leads to a heading, an error code or a word. */
  readonly href: string;
  readonly title: string;
  readonly kind: Kind;
  /** The title of its page. */
  readonly page: string;
  /** The path of an operation, and what people call the place elsewhere. */
  readonly keys: string;
  readonly text: string;
}

/** What begins a place of its own, and where its title ends. */
const ENDS: Readonly<Record<string, string>> = {
  ...{ h2: "</h2>", h3: "</h3>", section: "</h2>", li: "</code>", tr: "</td>" },
};
const BEGIN = /(?=<(?:h2|h3|section|li|tr) id=")/;

/** Of an operation: what many have in common would be found in each of them. */
const COMMON = /^(?:samples|try|errors|headers|status-\d+)$/;

/** What people ask for by a word that the place does not have, or has among many. */
const KEYS: Readonly<Record<string, string>> = {
  "/#tools": "Postman import collection Insomnia Bruno",
  "/docs/first-check": "curl quickstart",
  "/docs/errors": "idempotency idempotent repeat",
  "/docs/events#be-notified": "webhook notification",
  "/docs/deleteAccountAccessConsent": "revoke cancel",
  "/docs/introspectToken": "introspection",
  "/docs/withdrawAccountPermission": "cancel consent",
};

/** Beside the pages that are made here. */
const BESIDE: readonly Place[] = [
  {
    ...{ href: "/console/sign-in", kind: "Page", title: "Sign in to the console", page: "Console", keys: "login log" },
    text: "Check a PSP, find and withdraw permissions, and read the evidence, as a person at your bank.",
  },
  {
    ...{ href: "/openapi.json", kind: "Page", title: "OpenAPI 3.1", page: "Reference", keys: "Swagger specification" },
    text: "The whole reference for programs, as JSON. /openapi.yaml has the same as YAML.",
  },
];

/** What is no guide and no operation among their pages; "" is a list of other pages, which whoever searches wants. */
const KINDS: Readonly<Record<string, Kind | "">> = {
  ...{ "docs/glossary": "Word", "docs/changelog": "Change", "docs/webhooks": "Webhook" },
  ...{ "": "Page", docs: "", "docs/guides": "", errors: "" },
};

/** `pages`: HTML by kind and path, without the slash that it begins with. */
export function makeSearchIndex(pages: Readonly<Partial<Record<Kind, ReadonlyMap<string, string>>>>): string {
  const index = new MiniSearch<Place>(SEARCH_OPTIONS);
  const places: Place[] = [...BESIDE];
  const codes = new Set<string>();
  // a code that is a reason and a warning, too, is one place: its page, which comes first
  const isNew = ({ kind, title }: Place) => kind !== "Error" || (!codes.has(title) && codes.add(title));
  for (const [usual, some] of Object.entries(pages) as [Kind, ReadonlyMap<string, string>][])
    for (const [path, page] of some) {
      const kind = KINDS[path] ?? usual;
      if (kind !== "") places.push(...findPlaces(`/${path}`, page, kind).filter(isNew));
    }
  index.addAll(places);
  const lost = Object.keys(KEYS).filter((href) => !index.has(href));
  if (lost.length > 0) throw new Error(`no place has the address ${lost.join(", ")}`);
  return JSON.stringify(index);
}

function findPlaces(address: string, page: string, pageKind: Kind): Place[] {
  const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? [];
  const title = writeText(/<h1[^>]*>(.*?)<\/h1>/s.exec(main)?.[1] ?? "");
  // not what is shown only when it is asked for, nor the fields of a form
  const shown = main.replaceAll(
    /<(form|button|label|pre)\b.*?<\/\1>|<details(?! class="fold").*?<\/details>|<p class="(?:endpoint|steps|version|way)">.*?<\/p>/gs,
    " ",
  );
  const [, path = ""] = /<p class="endpoint">.*?<code>(.*?)<\/code>/s.exec(main) ?? [];
  const parts = shown.split(BEGIN).filter((part) => !COMMON.test(/^<\w+ id="([^"]+)"/.exec(part)?.[1] ?? ""));
  // of an operation a part is not understood without the rest
  return (pageKind === "Operation" ? [parts.join(" ")] : parts).map((part) => {
    const [, kind = "", id = ""] = /^<(\w+) id="([^"]+)"/.exec(part) ?? [];
    const end = kind === "" ? shown.indexOf("</h1>") : part.indexOf(ENDS[kind] ?? "");
    const href = id === "" ? address : `${address}#${id}`;
    return {
      href,
      title: kind === "" ? title : writeText(part.slice(0, end)),
      kind: pageKind,
      page: kind === "" ? "" : title,
      keys: `${path} ${KEYS[href] ?? ""}`,
      text: writeText(part.slice(end)),
    };
  });
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

const writeText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&([a-z]+|#39);/g, (whole, name: string) => NAMED[name] ?? whole)
    .replaceAll(/\s+/g, " ")
    // what stood beside a tag
    .replaceAll(/ (?=[.,;:)])|(?<=\() /g, "")
    .replace(/^ ?:/, "")
    .trim();
