/** What pages do where scripts run: copy buttons, tabs that keep their choice, a menu that closes, the search. */
const say = (text) => {
  document.querySelector("#said").textContent = text;
};

async function copy(button) {
  const code = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  } catch {
    // a page that did not come by https has no clipboard
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
  }
  say(button.textContent);
  setTimeout(() => {
    button.textContent = "Copy";
  }, 2_000);
}

document.addEventListener("click", ({ target }) => {
  if (target.matches(".copy")) void copy(target);
  if (target.matches("[popover] a")) target.closest("[popover]").hidePopover();
});

// commands and examples name the service that serves the page
for (const address of document.querySelectorAll("[data-address]")) address.textContent = location.origin;

// of a long menu the entry of this page is in view
const menu = document.querySelector("#menu");
const current = menu?.querySelector("[aria-current]");
const centre = () => {
  if (current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;
};
centre();
// on a phone it has no height until it is opened
menu?.addEventListener("toggle", centre);

// of the contents the section that is read is marked
const sections = [...document.querySelectorAll("#contents a")].map((link) => ({
  link,
  heading: document.getElementById(link.hash.slice(1)),
}));
const markSection = () => {
  const isAtEnd = scrollY > 0 && scrollY + innerHeight > document.body.scrollHeight - 2;
  const here = sections.findLast(({ heading }) => isAtEnd || heading.getBoundingClientRect().top < innerHeight / 3);
  for (const each of sections) each.link.ariaCurrent = each === here ? "true" : null;
};
markSection();
addEventListener("scroll", markSection, { passive: true });

const search = document.querySelector("#search");
const load = async () => {
  const { start } = await import("/assets/search.js");
  await start(search, document.querySelector("#found"), say);
};
search.addEventListener("focus", () => void load().catch(() => say("The search did not load")), { once: true });
// a key is named where there are keys
if (matchMedia("(hover: hover)").matches) search.placeholder = "Search  /";
document.addEventListener("keydown", (event) => {
  const isCommand = (event.ctrlKey || event.metaKey) && event.key === "k";
  if (!isCommand && (event.key !== "/" || event.target.matches("input, textarea, select"))) return;
  event.preventDefault();
  search.focus();
});

/** Titles of tabs in the order in which they were chosen: of each group the latest is shown. */
const kept = "tabs";
const choose = (title) => {
  for (const input of document.querySelectorAll(".tabs input")) if (input.value === title) input.checked = true;
};
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".tabs input")) return;
  choose(target.value);
  const others = readChosen().filter((title) => title !== target.value);
  localStorage.setItem(kept, JSON.stringify([...others, target.value]));
});
function readChosen() {
  try {
    return JSON.parse(localStorage.getItem(kept)) ?? [];
  } catch {
    return [];
  }
}
readChosen().forEach(choose);
