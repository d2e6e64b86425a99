/** The search of all pages: loaded when its field is focused for the first time. Its index was made with the pages. */
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS, search } from "../search-options.ts";

const MOST = 12;

/** Where to look by oneself. */
const ELSEWHERE = [
  { id: "/docs/guides", title: "All guides", kind: "Guide" },
  { id: "/docs", title: "All operations", kind: "Operation" },
  { id: "/errors", title: "All error codes", kind: "Error" },
];

/**
 * `field` is a combobox: it keeps the focus while the arrows choose from the list of `found`.
 * `say`: tells who does not see the list how long it is.
 */
export async function start(field, found, say) {
  const answer = await fetch("/assets/search-index.json");
  const index = MiniSearch.loadJSON(await answer.text(), SEARCH_OPTIONS);
  const [head, list] = found.children;

  function show() {
    const { said, places } = search(index, field.value);
    const none = places.length === 0;
    const shown = none ? ELSEWHERE : places.slice(0, MOST);
    head.textContent = none ? "Nothing has these words. Look here:" : said;
    list.replaceChildren(...shown.map(makeOption));
    open(field.value.trim() !== "");
    say(found.hidden ? "" : none ? "Nothing has these words" : `${shown.length} found`);
  }

  function open(is) {
    found.hidden = !is;
    field.setAttribute("aria-expanded", String(is));
    choose(null);
  }

  const chosen = () => list.querySelector("[aria-selected=true]");

  function choose(option) {
    chosen()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
  }

  const keys = {
    ArrowDown: () => choose(chosen() ? (chosen().nextElementSibling ?? chosen()) : list.firstElementChild),
    ArrowUp: () => choose(chosen()?.previousElementSibling ?? null),
    Enter: () => (chosen() ?? list.firstElementChild)?.click(),
    Escape: () => open(false),
  };
  field.addEventListener("keydown", (event) => {
    if (!keys[event.key] || found.hidden) return;
    event.preventDefault();
    keys[event.key]();
  });
  field.addEventListener("input", show);
  field.addEventListener("focus", show);
  document.addEventListener("click", ({ target }) => {
    if (!field.parentElement.contains(target) || list.contains(target)) open(false);
  });
  show();
}

function write(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function makeOption({ id, title, kind, page = "", about = "", terms = [] }, i) {
  const link = document.createElement("a");
  link.href = id;
  link.id = `found-${i}`;
  link.role = "option";
  link.tabIndex = -1;
  link.setAttribute("aria-selected", "false");
  link.append(write("i", kind), write("b", title), " ", write("small", page), makeExcerpt(about, terms));
  return link;
}

/** In words and what stands between them. */
const [BEFORE, LONG] = [12, 44];

/** Around the first word that was found, with each of them marked. */
function makeExcerpt(text, terms) {
  // as the index divides a text
  const parts = text.split(/([\n\r\p{Z}\p{P}]+)/u);
  const isFound = (part) => terms.includes(part.toLowerCase());
  const at = parts.findIndex(isFound);
  const from = at > 2 * BEFORE ? at - BEFORE : 0;
  const excerpt = document.createElement("span");
  excerpt.append(
    from > 0 ? "… " : "",
    ...parts.slice(from, from + LONG).map((part) => (isFound(part) ? write("mark", part) : part)),
    from + LONG < parts.length ? "…" : "",
  );
  return excerpt;
}
