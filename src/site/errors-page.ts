/** /errors: the error reference that `errors[].link` points to, with an anchor for each code. Needs no scripts. */
import { html } from "hono/html";
import { EXPLANATIONS } from "../catalogue/explained/every-code.ts";
import type { Retry, Whose } from "../catalogue/explained/explanation.ts";
import { WARNINGS } from "../eidas/warnings.ts";
import { CATALOGUE, type ErrorCode, SECTIONS } from "../error-catalogue.ts";
import { REASONS } from "../psp-check/reasons.ts";
import { makePage } from "./page.ts";

const FIELDS = [
  ["Rule", "rule"],
  ["Cause", "cause"],
  ["Cure", "cure"],
] as const;

const RETRY: Readonly<Record<Retry, string>> = {
  never: "never: the answer stays the same until somebody has changed something",
  now: "now: once your program itself has done what the cure says",
  after: "after the seconds in Retry-After, the same request",
};

const WHOSE: Readonly<Record<Whose, string>> = {
  caller: "yours: what your system adds to the request",
  psp: "the PSP's: its certificate, or what you forward of its request",
  qtsp: "the PSP's certificate provider (QTSP)",
  bank: "the institution's own decision",
  service: "this service's operator",
};

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
              html`<p class="index"><b>${heading}</b><br />${codes.map((code) => html`<a href="#${code}">${code}</a> `)}</p>`,
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
  const { statuses, title, ...explanation } = describe(code);
  return html`<section id="${code}">
    <header>
      <h3><a class="code" href="#${code}">${code}</a></h3>
      <span class="status">${statuses.join(" · ")}</span>
    </header>
    <p class="title">${title}</p>
    <dl>
      ${FIELDS.map(([label, field]) => html`<dt>${label}</dt> <dd>${explanation[field]}</dd>`)}
      <dt>Example</dt> <dd><code>${explanation.example}</code></dd>
      <dt>Retry</dt> <dd>${RETRY[explanation.retry]}</dd>
      <dt>Whose</dt> <dd>${WHOSE[explanation.whose]}</dd>
    </dl>
  </section>`;
}

function describe(code: ErrorCode) {
  const entry = CATALOGUE.get(code);
  if (!entry) throw new Error(`${code} is not in the catalogue`);
  return { ...entry, ...EXPLANATIONS[code] };
}

/** The same for programs: GET /errors with `Accept: application/json`. */
export const makeErrorsJson = (): string =>
  JSON.stringify({
    errors: [...CATALOGUE.keys()].map((code) => ({ code, ...describe(code) })),
    reasons: Object.entries(REASONS).map(([code, { whose, meaning }]) => ({ code, whose, meaning })),
    warnings: Object.entries(WARNINGS).map(([code, meaning]) => ({ code, meaning })),
  });
