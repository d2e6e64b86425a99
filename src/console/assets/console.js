/* What the console does only with a script: dropping files anywhere on the form, copying, printing. */

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
