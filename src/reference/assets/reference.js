/** Sends the form of "Try it" to the service that the page is of, and shows its answer. */
const form = document.querySelector("form.try");
const button = form.querySelector("button");
const result = form.querySelector(".result");

const make = (kind, ...within) => {
  const element = document.createElement(kind);
  element.append(...within);
  return element;
};
const makeCode = (label, text) => Object.assign(make("pre", text), { tabIndex: 0, role: "group", ariaLabel: label });

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** A certificate in PEM has line breaks, which a header cannot have: percent-encoded it is taken, too. */
const asHeader = (value) => (/[^\x20-\x7e]/.test(value) ? encodeURIComponent(value) : value);

function readRequest() {
  const { method } = form.dataset;
  const url = new URL(form.dataset.path.replaceAll(/\{\w+\}/g, "-"), location.origin);
  const headers = new Headers();
  let path = form.dataset.path;
  for (const { name, value, dataset } of form.elements) {
    if (dataset.in === "path") path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    if (value === "") continue;
    if (dataset.in === "query") url.searchParams.set(name, value);
    if (dataset.in === "header") headers.set(name, asHeader(value));
  }
  url.pathname = path;
  const { client_id: id, secret, body } = form.elements;
  if (id?.value) {
    const bytes = new TextEncoder().encode(`${id.value}:${secret.value}`);
    headers.set("Authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`);
  }
  if (body) headers.set("Content-Type", "application/json");
  // else the browser asks for credentials of its own at a 401
  return new Request(url, {
    method,
    headers,
    credentials: "omit",
    cache: "no-store",
    ...(body && { body: body.value }),
  });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  result.replaceChildren();
  try {
    const answer = await fetch(readRequest());
    const text = await answer.text();
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
    result.append(
      make("p", `${answer.status} ${answer.statusText}`.trim()),
      ...(text === "" ? [] : [makeCode("Body of the answer", pretty(text))]),
      make(
        "details",
        make("summary", `${headers.length} headers`),
        makeCode("Headers of the answer", headers.join("\n")),
      ),
    );
  } catch (error) {
    result.append(make("p", `No answer: ${error.message}`));
  }
  button.disabled = false;
});
button.disabled = false;
