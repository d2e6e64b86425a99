/** The field of /errors: shows the codes that have every word of it. */
const field = document.querySelector("#filter");
const entries = [...document.querySelectorAll("main section, main li[id]")];
const texts = entries.map(({ id, textContent }) => `${id} ${textContent}`.toLowerCase());

function filter() {
  const words = field.value.toLowerCase().split(/\s+/);
  entries.forEach((entry, i) => {
    entry.hidden = !words.every((word) => texts[i].includes(word));
  });
  const left = entries.filter(({ hidden }) => !hidden).length;
  document.querySelector("#shown").textContent = field.value === "" ? "" : `${left} of ${entries.length}`;
}

field.addEventListener("input", filter);
// a browser that comes back fills the field again
filter();
