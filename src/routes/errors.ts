/** GET /errors: the error reference that `errors[].link` points to, with an anchor for each code. Needs no scripts. */
import type { Context } from "hono";
import { html, raw } from "hono/html";
import type { AppEnv } from "../context.ts";
import { WARNINGS } from "../eidas/warnings.ts";
import { CATALOGUE, type ErrorCode, SECTIONS } from "../error-catalogue.ts";
import { REASONS } from "../psp-check/reasons.ts";

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
  h1, h2 { line-height: 1.2; }
  h1 { margin: 0 0 0.5rem; }
  h2 { margin: 3rem 0 1rem; font-size: 1.3rem; }
  h3, code { font-family: ui-monospace, monospace; }
  h3 { font-size: 1.05rem; margin: 0; }
  h3 a { color: inherit; text-decoration: none; }
  h3 a:hover { text-decoration: underline; }
  code { font-size: 0.9em; white-space: pre-wrap; }
  summary { cursor: pointer; }
  details p { margin: 0.75rem 0 0; }
  details a { font: 0.85rem/1.8 ui-monospace, monospace; margin-right: 1ch; }
  section { padding: 1rem; border-top: 1px solid #8884; scroll-margin-top: 1rem; }
  section:target { background: #fc03; box-shadow: inset 4px 0 #e90; }
  header { display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; }
  .status { flex: none; font-variant-numeric: tabular-nums; opacity: 0.75; }
  .title { font-weight: 600; margin: 0.25rem 0 0; }
  dl { display: grid; grid-template-columns: 5rem 1fr; gap: 0.25rem 1rem; margin: 0.5rem 0 0; }
  dt { opacity: 0.75; }
  dd { margin: 0; }
  @media (max-width: 34rem) {
    body { margin-top: 1rem; }
    section { padding: 1rem 0.75rem; }
    dl, dd:not(:last-child)::after { display: block; }
    dt, dd { display: inline; }
    dt { font-weight: 600; }
    dd:not(:last-child)::after { content: ""; height: 0.35rem; }
  }`;

const FIELDS = [
  ["Rule", "rule"],
  ["Cause", "cause"],
  ["Cure", "cure"],
] as const;

export const errorsPage = (c: Context<AppEnv>) =>
  c.html(html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Error codes</title>
        <style>${raw(STYLE)}</style>
      </head>
      <body>
        <h1>Error codes</h1>
        <p>
          Errors have the form <code>{"errors":[{"id","code","title","link"}]}</code>. The id is the request's: it is in
          the header <code>x-request-id</code> and in the service's log. The first error decides the status. An answer's
          title often says more than the one here, since it knows the request.
        </p>
        <details>
          <summary>All ${CATALOGUE.size} codes</summary>
          ${SECTIONS.map(
            ({ heading, codes }) =>
              html`<p><b>${heading}</b><br />${codes.map((code) => html`<a href="#${code}">${code}</a> `)}</p>`,
          )}
        </details>
        ${SECTIONS.map(({ heading, codes }) => html`<h2>${heading}</h2>${codes.map(showEntry)}`)}
        <h2>Reasons of the PSP check's decision</h2>
        <p>
          <code>decision.payments.reasons</code> and <code>decision.accounts.reasons</code> of
          <code>GET /v1/psp/eidas</code> with <code>version: latest</code>. A scope is allowed exactly if it has none.
        </p>
        <ul>
          ${Object.entries(REASONS).map(
            ([code, { whose, meaning }]) =>
              html`<li id="reason-${code}"><code>${code}</code> (${whose}): ${meaning}</li>`,
          )}
        </ul>
        <h2>Warnings of the PSP check</h2>
        <p>
          <code>warning_codes</code> has one for each sentence of <code>warning</code>, in the same order. Only those of
          false verdicts and of the home register are also reasons.
        </p>
        <ul>
          ${Object.entries(WARNINGS).map(([code, meaning]) => html`<li id="warning-${code}"><code>${code}</code>: ${meaning}</li>`)}
        </ul>
      </body>
    </html>`);

function showEntry(code: ErrorCode) {
  const entry = CATALOGUE.get(code);
  if (!entry) return "";
  return html`<section id="${code}">
    <header>
      <h3><a href="#${code}">${code}</a></h3>
      <span class="status">${entry.statuses.join(" · ")}</span>
    </header>
    <p class="title">${entry.title}</p>
    <dl>
      ${FIELDS.map(([label, field]) => html`<dt>${label}</dt> <dd>${entry[field]}</dd>`)}
      <dt>Example</dt> <dd><code>${entry.example}</code></dd>
    </dl>
  </section>`;
}
