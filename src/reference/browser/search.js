/** The search of all pages: loaded when its field is focused for the first time. Its index was made with the pages. */
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS } from "../search-options.ts";

const MOST = 12;

/** `say`: tells who does not see the list how long it is. */
export async function start(field, list, say) {
  const answer = await fetch("/assets/search-index.json");
  const index = MiniSearch.loadJSON(await answer.text(), SEARCH_OPTIONS);
  const links = () => [...list.querySelectorAll("a")];

  function show() {
    // every word first: a page with one of them only is rarely meant
    const all = index.search(field.value, { combineWith: "AND" });
    const found = (all.length > 0 ? all : index.search(field.value)).slice(0, MOST);
    list.replaceChildren(...found.map(makeLink));
    if (found.length === 0) list.textContent = "Nothing has these words.";
    list.hidden = field.value.trim() === "";
    say(list.hidden ? "" : `${found.length} found`);
  }

  function step(event) {
    const places = [field, ...links()];
    const at = places.indexOf(document.activeElement) + { ArrowDown: 1, ArrowUp: -1 }[event.key];
    event.preventDefault();
    places[Math.min(Math.max(at, 0), places.length - 1)].focus();
  }

  field.addEventListener("input", show);
  field.parentElement.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event);
    if (event.key === "Enter" && event.target === field) links()[0]?.click();
    if (event.key !== "Escape") return;
    list.hidden = true;
    field.focus();
  });
  field.addEventListener("focus", show);
  document.addEventListener("click", ({ target }) => {
    if (!field.parentElement.contains(target) || list.contains(target)) list.hidden = true;
  });
  show();
}

function makeLink({ id, title, page, about }) {
  const link = document.createElement("a");
  link.href = id;
  const write = (kind, text) => {
    const element = document.createElement(kind);
    element.textContent = text;
    return element;
  };
  link.append(write("b", title), " ", write("small", page), write("span", about));
  return link;
}
