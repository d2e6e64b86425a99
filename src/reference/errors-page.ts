/** /errors: the error reference that `errors[].link` points to, with an anchor for each code. Needs no scripts. */
import { html } from "hono/html";
import { WARNINGS } from "../eidas/every-warning.ts";
import type { Retry, Whose } from "../http/errors/entry.ts";
import { ENTRIES, type ErrorCode, HEADINGS } from "../http/errors/every-code.ts";
import { REASONS } from "../psp-check/every-reason.ts";
import { describePlaces, findErrorPlaces } from "./error-places.ts";
import { slug } from "./markdown.ts";
import { makePage } from "./page.ts";

const FIELDS = [
  ["Rule", "rule"],
  ["Cause", "cause"],
  ["Cure", "cure"],
] as const;

/** In the page's words; what they mean is said once, above the codes. */
const RETRY: Readonly<Record<Exclude<Retry, "never">, string>> = { now: "now", after: "after Retry-After" };

const WHOSE: Readonly<Record<Whose, string>> = {
  caller: "yours",
  psp: "the PSP's",
  qtsp: "the QTSP's",
  bank: "the bank's decision",
  service: "the service's",
};

/** Without the indentation of the lines below, a tenth of the page, and without the ends of dt and dd, which HTML does not need. */
export const makeErrorsPage = async (): Promise<string> =>
  (await writePage()).replaceAll(/\n\s+/g, "\n").replaceAll(">\n<", "><");

const writePage = () => {
  const places = findErrorPlaces();
  return makePage({
    title: "Error codes",
    href: "/errors",
    assets: ["errors.js"],
    main: html`<h1>Error codes</h1>
        <p>
          Errors have the form <code>{"errors":[{"id","code","title","link"}]}</code>. The id is the request's: it is in
          the header <code>x-request-id</code> and in the service's log. The first error decides the status. An answer's
          title often says more than the one here, since it knows the request.
        </p>
<p>
          A program does not send a request again until somebody has changed something, but where an error has a line
          <b>Retry</b>: now, once the program itself has done what the cure says, or the same request after the seconds in
          <code>Retry-After</code>. <b>Whose</b>: who can end the error:
          you by what your system adds to a request, the PSP by its certificate or what you forward of its request, its
          certificate's provider (QTSP), the institution that decided so, or the operator of the service. For programs the
          same is JSON: <code>Accept: application/json</code>.
        </p>
        <p class="filter"><label>Find a code, a status or a word <input id="filter" type="search" autocomplete="off" spellcheck="false" /></label> <span id="shown" role="status"></span></p>
        ${HEADINGS.map(({ heading, codes }) => html`<h2 id="${slug(heading)}">${heading}</h2>${codes.map((code) => showEntry(code, describePlaces(places.get(code))))}`)}
        <h2 id="reasons">Reasons of the PSP check's decision</h2>
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
        <h2 id="warnings">Warnings of the PSP check</h2>
        <p>
          <code>warning_codes</code> has one for each sentence of <code>warning</code>, in the same order. Only those of
          false verdicts and of the home register are also reasons.
        </p>
        <ul>
          ${Object.entries(WARNINGS).map(([code, { meaning }]) => html`<li id="warning-${code}"><code>${code}</code>: ${meaning}</li>`)}
        </ul>`,
  });
};

/** `where`: of a code with several statuses. */
function showEntry(code: ErrorCode, where: string | null) {
  const { statuses, title, ...explanation } = ENTRIES[code];
  return html`<section id="${code}">
    <header>
      <h3><a href="#${code}">${code}</a></h3>
      <span class="status">${statuses.join(" · ")}</span>
    </header>
    <p class="title">${title}</p>
    <dl>
      ${FIELDS.map(([label, field]) => html`<dt>${label}<dd>${explanation[field]}`)}
      <dt>Example<dd><code>${explanation.example}</code>
      ${where !== null && html`<dt>Status<dd>${where}`}
      ${explanation.retry !== "never" && html`<dt>Retry<dd>${RETRY[explanation.retry]}`}
      <dt>Whose<dd>${WHOSE[explanation.whose]}
    </dl>
  </section>`;
}

/** The same for programs: GET /errors with `Accept: application/json`. */
export const makeErrorsJson = (): string =>
  JSON.stringify({
    errors: Object.entries(ENTRIES).map(([code, entry]) => ({ code, ...entry })),
    reasons: Object.entries(REASONS).map(([code, { whose, meaning }]) => ({ code, whose, meaning })),
    warnings: Object.entries(WARNINGS).map(([code, { meaning }]) => ({ code, meaning })),
  });
