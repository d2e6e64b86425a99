/**
 * /errors, /errors/{group} and /errors/{code}: the error reference. `errors[].link` points to an anchor of the first, which
 * leads on to the code's page.
 */
import { html } from "hono/html";
import { WARNINGS } from "../eidas/every-warning.ts";
import type { Retry, Whose } from "../http/errors/entry.ts";
import { ENTRIES, type ErrorCode, HEADINGS } from "../http/errors/every-code.ts";
import { REASONS } from "../psp-check/every-reason.ts";
import { describePlaces, findErrorPlaces } from "./error-places.ts";
import { slug } from "./markdown.ts";
import { type Markup, type Menu, makePage } from "./page.ts";
import { OPERATIONS } from "./resources.ts";

const FIELDS = [
  ["Rule", "rule"],
  ["Cause", "cause"],
  ["Cure", "cure"],
] as const;

const RETRY: Readonly<Record<Retry, string>> = {
  never: "No: the answer stays the same until somebody has changed something.",
  now: "Now, once the program itself has done what the cure says.",
  after: "The same request, after the seconds in Retry-After.",
};

/** Who can end the error. */
const WHOSE: Readonly<Record<Whose, string>> = {
  caller: "Yours: by what your system adds to a request.",
  psp: "The PSP's: by its certificate, or by what you forward of its request.",
  qtsp: "The QTSP's: the provider of the PSP's certificate.",
  bank: "The bank's decision. No mistake.",
  service: "The service's: its operator ends it.",
};

const INDEX = { href: "/errors", title: "All error codes" };

interface Group {
  readonly name: string;
  readonly heading: string;
  readonly codes: readonly ErrorCode[];
}

const GROUPS: readonly Group[] = HEADINGS.map(({ heading, codes }) => ({ name: slug(heading), heading, codes }));

/** What is explained, and is not an error: a page of its own each, by the name that its anchors begin with. */
const VERDICTS = [
  {
    name: "reasons",
    kind: "reason",
    heading: "Reasons of the PSP check's decision",
    about: html`<code>decision.payments.reasons</code> and <code>decision.accounts.reasons</code> of
<a href="/docs/checkPsp">the PSP check</a> with <code>version: latest</code>. A scope is allowed exactly if it has none.`,
    entries: Object.entries(REASONS).map(([code, { whose, meaning }]) => ({ code, text: `(${whose}): ${meaning}` })),
  },
  {
    name: "warnings",
    kind: "warning",
    heading: "Warnings of the PSP check",
    about: html`<code>warning_codes</code> of <a href="/docs/checkPsp">the PSP check</a> has one for each sentence of
<code>warning</code>, in the same order. Only those of false verdicts and of the home register are also reasons.`,
    entries: Object.entries(WARNINGS).map(([code, { meaning }]) => ({ code, text: `: ${meaning}` })),
  },
] as const;

const pageOf = ({ name, heading }: Pick<Group, "name" | "heading">) => ({ href: `/errors/${name}`, title: heading });

/** `open`: the group whose codes are among the links. */
const menuOf = (open?: Group): Menu => [
  { heading: "Errors", links: [INDEX] },
  ...(open
    ? [{ heading: open.heading, links: open.codes.map((code) => ({ href: `/errors/${code}`, title: code })) }]
    : []),
  { heading: "Groups", links: [...GROUPS, ...VERDICTS].map(pageOf) },
];

/** By their paths below the site's root, without the ending: all codes, each group, each code. */
export async function makeErrorPages(): Promise<Map<string, string>> {
  const places = findErrorPlaces();
  const pages = new Map<string, string>();
  const add = async (page: Parameters<typeof makePage>[0] & { readonly href: string }) => {
    if (pages.has(page.href.slice(1))) throw new Error(`two pages have the address ${page.href}`);
    pages.set(page.href.slice(1), await makePage(page));
  };
  await add({ ...INDEX, menu: menuOf(), main: showIndex(), wide: true, assets: ["errors.js"] });
  for (const group of GROUPS) {
    await add({ ...pageOf(group), menu: menuOf(), main: showGroup(group), assets: ["reference.css"] });
    for (const code of group.codes) {
      const main = showCode(group, code, places.get(code));
      await add({ href: `/errors/${code}`, title: code, menu: menuOf(group), main });
    }
  }
  for (const group of VERDICTS) {
    const entries = group.entries.map(
      ({ code, text }) => html`<li id="${group.kind}-${code}"><code>${code}</code> ${text}</li>\n`,
    );
    const main = html`${TRAIL}<h1>${group.heading}</h1>\n<p>${group.about}</p>\n<ul>${entries}</ul>`;
    await add({ ...pageOf(group), menu: menuOf(), main });
  }
  return pages;
}

const TRAIL = html`<p class="version"><a href="/errors">Errors</a></p>\n`;

/** A link of an error leads to `/errors#code`: to the entry here, and with a script on to the code's own page. */
const showIndex = (): Markup => html`<h1>Error codes</h1>
<p>Errors have the form <code>{"errors":[{"id","code","title","link"}]}</code>. The id is the request's: it is in
the header <code>x-request-id</code> and in the service's log. The first error decides the status. An answer's
title often says more than the one here, since it knows the request.</p>
<p>The page of a code has its rule, cause, cure and an example. For programs the same is JSON:
<code>Accept: application/json</code>. <a href="/docs/errors">What a program does with each</a> is in a guide.</p>
${GROUPS.map((group) =>
  foldGroup(
    group,
    group.codes.map((code) => ({ id: code, href: `/errors/${code}`, code, text: ENTRIES[code].title })),
  ),
)}
${VERDICTS.map((group) =>
  foldGroup(
    group,
    group.entries.map(({ code, text }) => {
      const id = `${group.kind}-${code}`;
      return { id, href: `/errors/${group.name}#${id}`, code, text };
    }),
  ),
)}`;

interface Line extends Readonly<Record<"id" | "href" | "code" | "text", string>> {}

/** A browser opens it for a link to a code in it. */
const foldGroup = ({ name, heading }: Pick<Group, "name" | "heading">, lines: readonly Line[]): Markup =>
  html`<details class="group" id="${name}"><summary><h2>${heading}</h2> <span class="status">${lines.length}</span></summary>
<ul class="index">${lines.map(({ id, href, code, text }) => html`<li id="${id}"><a href="${href}"><code>${code}</code></a> ${text}</li>`)}</ul></details>\n`;

const showGroup = ({ heading, codes }: Group): Markup => html`${TRAIL}<h1>${heading}</h1>
<ul class="errors">${codes.map((code) => html`<li><a href="/errors/${code}"><code>${code}</code></a> <span class="status">${ENTRIES[code].statuses.join(" · ")}</span><br>${ENTRIES[code].title}</li>\n`)}</ul>`;

/** `places`: the names of endpoints by status, of a code that not every path may answer. */
function showCode(
  { name, heading }: Group,
  code: ErrorCode,
  places: ReadonlyMap<number, readonly string[]> = new Map(),
): Markup {
  const { statuses, title, retry, whose, ...explanation } = ENTRIES[code];
  return html`<p class="version"><a href="/errors">Errors</a> › <a href="/errors/${name}">${heading}</a></p>
<h1><code>${code}</code></h1>
<p class="lead">${title}</p>
<dl>
<dt>Status<dd>${describePlaces(places) ?? statuses.join(" or ")}
${FIELDS.map(([label, field]) => html`<dt>${label}<dd>${explanation[field]}\n`)}<dt>Example<dd><code>${explanation.example}</code>
<dt>Retry<dd>${RETRY[retry]}
<dt>Whose<dd>${WHOSE[whose]}
</dl>
${showOperations(new Set([...places.values()].flat()))}`;
}

/** Many are folded: they are nearly all. */
function showOperations(names: ReadonlySet<string>): Markup | "" {
  const links = [...names].flatMap((name) => OPERATIONS[name] ?? []);
  if (links.length === 0) return "";
  const list = html`<ul>${links.map(({ id, summary }) => html`<li><a href="/docs/${id}">${summary}</a></li>\n`)}</ul>`;
  return html`<h2 id="operations">Where it comes</h2>
${links.length > MOST_LINKS ? html`<details><summary>${links.length} operations</summary>${list}</details>` : list}`;
}

const MOST_LINKS = 12;

/** The same for programs: GET /errors with `Accept: application/json`. */
export const makeErrorsJson = (): string =>
  JSON.stringify({
    errors: Object.entries(ENTRIES).map(([code, entry]) => ({ code, ...entry })),
    reasons: Object.entries(REASONS).map(([code, { whose, meaning }]) => ({ code, whose, meaning })),
    warnings: Object.entries(WARNINGS).map(([code, { meaning }]) => ({ code, meaning })),
  });
