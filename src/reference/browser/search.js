/** The search of all pages: loaded when its field is focused for the first time. Its index was made with the pages. */
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS } from "../search-options.ts";

const MOST = 12;
const NEAREST = 4;

/** `say`: tells who does not see the list how long it is. */
export async function start(field, list, say) {
  const answer = await fetch("/assets/search-index.json");
  const index = MiniSearch.loadJSON(await answer.text(), SEARCH_OPTIONS);
  const links = () => [...list.querySelectorAll("a, button")];

  function show() {
    // every word first: a page with one of them only is rarely meant
    const all = index.search(field.value, { combineWith: "AND" });
    const found = all.length > 0 ? all : index.search(field.value);
    // a code that is written out is meant itself, of whatever kind it is
    const asked = field.value.trim().toLowerCase();
    const isAsked = ({ title }) => title.toLowerCase() === asked;
    const shown = [...found.filter(isAsked), ...found.filter((each) => !isAsked(each))].slice(0, MOST);
    list.replaceChildren(...shown.map(makeLink));
    if (shown.length === 0) list.append("Nothing has these words. ", ...suggest());
    else if (all.length === 0) list.prepend(write("p", "Nothing has all of these words. With some of them:"));
    list.hidden = field.value.trim() === "";
    say(list.hidden ? "" : shown.length === 0 ? list.textContent : `${shown.length} found`);
  }

  /** The nearest words that pages have, each as a button that searches it. */
  function suggest() {
    const words = index.autoSuggest(field.value, { combineWith: "OR", fuzzy: 0.4, prefix: true });
    const terms = [...new Set(words.flatMap(({ terms }) => terms))].filter((term) => term.length > 3).slice(0, NEAREST);
    const buttons = terms.map((term) => {
      const button = write("button", term);
      button.type = "button";
      button.addEventListener("click", (event) => {
        // the list that it is in is replaced: the click would count as one elsewhere
        event.stopPropagation();
        field.value = term;
        field.focus();
        show();
      });
      return button;
    });
    return buttons.length === 0 ? [] : ["Near: ", ...buttons];
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

function write(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function makeLink({ id, title, kind, page, about }) {
  const link = document.createElement("a");
  link.href = id;
  link.append(write("i", kind), write("b", title), " ", write("small", page), write("span", about));
  return link;
}
