/** A link of an error leads here, with its code behind the `#`: on to the page that has all that is said of the code. */
const entry = document.getElementById(location.hash.slice(1));
if (entry?.matches(".index li")) location.replace(entry.firstElementChild.href);
