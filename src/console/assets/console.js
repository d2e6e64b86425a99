/* What the console does only with a script: local times, tables as cards on a phone, dropping files anywhere on the form, what is closed on a phone alone, copying, printing. */

// beside each time in UTC the reader's own; of an age both are in the title
for (const time of document.querySelectorAll("time")) {
  const at = new Date(time.dateTime);
  if (at.getTimezoneOffset() === 0) continue;
  const written = time.title || time.textContent;
  const day = at.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  const clock = at.toLocaleTimeString("en-GB", { timeStyle: /:\d\d:/.test(written) ? "medium" : "short" });
  const own = `(${at.getDate() === at.getUTCDate() ? "" : `${day}, `}${clock} local)`;
  if (time.title) time.title += ` ${own}`;
  else time.append(" ", Object.assign(document.createElement("span"), { className: "local file", textContent: own }));
}

// of console.css: on a phone each row is a card and each cell says its column, unless what it says is plain without. The
// roles keep it a table where it is heard
for (const table of document.querySelectorAll(".scroll table")) {
  const heads = [...table.tHead.rows[0].cells].map((head) =>
    head.matches(".plain") || head.querySelector(".out") ? "" : head.textContent,
  );
  for (const cell of table.querySelectorAll("tbody > tr > :not(:first-child)")) {
    cell.dataset.head = heads[cell.cellIndex];
    cell.classList.toggle("nothing", /^[–0]$/.test(cell.textContent.trim()));
  }
  const roles = {
    table: "table",
    "thead, tbody": "rowgroup",
    tr: "row",
    td: "cell",
    "thead th": "columnheader",
    "tbody th": "rowheader",
  };
  for (const [parts, role] of Object.entries(roles))
    for (const part of table.parentElement.querySelectorAll(parts)) part.setAttribute("role", role);
  table.classList.add("cards");
}

if (matchMedia("(min-width: 48rem)").matches)
  for (const details of document.querySelectorAll("details[data-wide]")) details.open = true;

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

for (const button of document.querySelectorAll("[data-copy]")) {
  // only in a secure context
  if (!navigator.clipboard) continue;
  button.hidden = false;
  const label = button.textContent;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(source.href ?? source.textContent.trim());
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

for (const form of document.querySelectorAll("form[data-drop]")) {
  const input = form.elements.namedItem(form.dataset.drop);
  const place = form.querySelector(".drop");
  // dragleave is also fired on entering a child: the depth tells
  let depth = 0;
  const mark = (change) => {
    depth = Math.max(0, depth + change);
    place.classList.toggle("over", depth > 0);
  };
  form.addEventListener("dragenter", () => mark(1));
  form.addEventListener("dragleave", () => mark(-1));
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(-depth);
    if (event.dataTransfer.files.length > 0) input.files = event.dataTransfer.files;
  });
}
