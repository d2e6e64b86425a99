/** The index of the search, made of the pages themselves, so that it has what they say and leads to where they say it. */
import MiniSearch from "minisearch";
import { type Kind, SEARCH_OPTIONS } from "./search-options.ts";

interface Place {
  /** The address, which leads to a heading, an error code or a word. */
  readonly href: string;
  readonly title: string;
  readonly kind: Kind;
  /** The title of its page. */
  readonly page: string;
  /** The beginning of its text. */
  readonly about: string;
  readonly text: string;
}

/** What begins a place of its own, and where its title ends. */
const ENDS: Readonly<Record<string, string>> = {
  ...{ h2: "</h2>", h3: "</h3>", section: "</h3>", li: "</code>", tr: "</td>" },
};
const BEGIN = /(?=<(?:h2|h3|section|li|tr) id=")/;

/** Of an operation: what many have in common would be found in each of them. */
const COMMON = /^(?:samples|try|errors|headers|status-\d+)$/;
const ABOUT_CHARACTERS = 110;

/** What is no guide and no operation among their pages; "" is a list of other pages, which whoever searches wants. */
const KINDS: Readonly<Record<string, Kind | "">> = {
  ...{ "docs/glossary": "Word", "docs/changelog": "Change", "docs/webhooks": "Webhook" },
  ...{ docs: "", "docs/guides": "", errors: "" },
};

/** `pages`: HTML by kind and path, without the slash that it begins with. */
export function makeSearchIndex(pages: Readonly<Partial<Record<Kind, ReadonlyMap<string, string>>>>): string {
  const index = new MiniSearch<Place>(SEARCH_OPTIONS);
  for (const [usual, some] of Object.entries(pages) as [Kind, ReadonlyMap<string, string>][])
    for (const [path, page] of some) {
      const kind = KINDS[path] ?? usual;
      if (kind !== "") index.addAll(findPlaces(`/${path}`, page, kind));
    }
  return JSON.stringify(index);
}

function findPlaces(address: string, page: string, pageKind: Kind): Place[] {
  const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? [];
  const title = writeText(/<h1[^>]*>(.*?)<\/h1>/s.exec(main)?.[1] ?? "");
  // not what is shown only when it is asked for, nor the fields of a form
  const shown = main.replaceAll(
    /<(form|button|pre)\b.*?<\/\1>|<details(?! class="fold").*?<\/details>|<p class="(?:steps|version)">.*?<\/p>/gs,
    " ",
  );
  const parts = shown.split(BEGIN).filter((part) => !COMMON.test(/^<\w+ id="([^"]+)"/.exec(part)?.[1] ?? ""));
  // of an operation a part is not understood without the rest
  return (pageKind === "Operation" ? [parts.join(" ")] : parts).map((part) => {
    const [, kind = "", id = ""] = /^<(\w+) id="([^"]+)"/.exec(part) ?? [];
    const end = kind === "" ? shown.indexOf("</h1>") : part.indexOf(ENDS[kind] ?? "");
    const text = writeText(part.slice(end));
    return {
      href: id === "" ? address : `${address}#${id}`,
      title: kind === "" ? title : writeText(part.slice(0, end)),
      kind: pageKind,
      page: kind === "" ? "" : title,
      about: text.length > ABOUT_CHARACTERS ? `${text.slice(0, ABOUT_CHARACTERS)}…` : text,
      text,
    };
  });
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

const writeText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&([a-z]+|#39);/g, (whole, name: string) => NAMED[name] ?? whole)
    .replaceAll(/\s+/g, " ")
    .trim();
