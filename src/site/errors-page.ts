/** /errors: the error reference that `errors[].link` points to, with an anchor for each code. Needs no scripts. */
import { html } from "hono/html";
import { WARNINGS } from "../eidas/warnings.ts";
import { CATALOGUE, type ErrorCode, SECTIONS } from "../error-catalogue.ts";
import { REASONS } from "../psp-check/reasons.ts";
import { makePage } from "./page.ts";

const FIELDS = [
  ["Rule", "rule"],
  ["Cause", "cause"],
  ["Cure", "cure"],
] as const;

export const makeErrorsPage = (): Promise<string> =>
  makePage(
    "Error codes",
    html`<h1>Error codes</h1>
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
        </ul>`,
  );

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
