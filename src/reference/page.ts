/** The frame of a page: the links and the search of all pages, the menu beside it, its contents, the steps to its neighbours. */
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** In the order of reading: the pages before and after a page are its neighbours. */
export type Menu = readonly {
  readonly heading: string;
  readonly links: readonly { readonly href: string; readonly title: string; readonly method?: string }[];
}[];

interface Page {
  readonly title: string;
  /** Its address, or that of the entry in the menu or of the links on top that is marked. */
  readonly href?: string;
  readonly menu?: Menu;
  /** With its h1. Each h2 with an id is an entry of the contents. */
  readonly main: Markup;
  /** It has the width of its contents, too, which a button opens. */
  readonly wide?: boolean;
  /** Files of assets/ that it needs besides those of all pages. */
  readonly assets?: readonly string[];
}

/** On top of each page, and of the console's where nobody is signed in: address and name. */
export const SITE = [
  ["/docs/guides", "Guides"],
  ["/docs", "Reference"],
  ["/errors", "Errors"],
  ["/console", "Console"],
] as const;

export async function makePage({
  title,
  href = "",
  menu = [],
  main,
  wide = false,
  assets = [],
}: Page): Promise<string> {
  const content = String(await main);
  const headings = [...content.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/gs)];
  const hasColumns = menu.length > 0 || headings.length > 1;
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · psp-gate</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${["frame.css", "site.css", "code.css", ...assets.filter((name) => name.endsWith(".css"))].map((name) => html`<link rel="stylesheet" href="/assets/${name}">\n`)}${["site.js", ...assets.filter((name) => name.endsWith(".js"))].map((name) => html`<script src="/assets/${name}" defer></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="/">psp-gate</a>
<nav class="links" aria-label="Site">${SITE.map(([address, name]) => html`<a href="${address}"${isCurrent(address, href, menu) && raw(' aria-current="true"')}>${name}</a>`)}</nav>
<search><input id="search" type="search" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" aria-label="Search guides, reference, errors and words" placeholder="Search" autocomplete="off" spellcheck="false"><div id="found" hidden><p></p><div id="results" role="listbox" aria-label="Found"></div></div></search>
${menu.length > 0 && html`<button type="button" class="opener" popovertarget="menu">Menu</button>`}
${headings.length > 1 && html`<button type="button" class="opener" popovertarget="contents">Contents</button>`}
</header>
<div class="${hasColumns ? (wide ? "columns two" : "columns") : ""}">
${menu.length > 0 && makeMenu(menu, href)}
<main id="main" tabindex="-1">
${raw(content)}
${makeSteps(menu, href)}
</main>
${headings.length > 1 && html`<nav class="contents" id="contents" popover aria-label="On this page"><p>On this page</p><ul>${headings.map(([, id, text = ""]) => html`<li><a href="#${id}">${raw(text.replaceAll(/<[^>]+>/g, ""))}</a></li>`)}</ul></nav>`}
</div>
<footer class="footer"><a href="/docs/changelog">Changelog</a> <a href="/docs/versions">Versions</a> <a href="/docs/glossary">Words</a> <a href="/health">Health</a> <a href="/licenses.txt">Licences</a> <span id="said" role="status"></span></footer>
</body>
</html>
`;
  return String(page);
}

/** A page of a menu belongs to the link on top that the menu begins with. */
const isCurrent = (address: string, href: string, [first]: Menu): boolean =>
  address === href || address === first?.links[0]?.href;

export const makeBadge = (method: string): Markup =>
  html`<span class="method ${method.toLowerCase()}">${method}</span> `;

const makeMenu = (menu: Menu, here: string): Markup =>
  html`<nav class="menu" id="menu" popover aria-label="Pages">${menu.map(
    ({ heading, links }) =>
      html`<p>${heading}</p><ul>${links.map(({ href, title, method }) => html`<li><a href="${href}"${href === here && raw(' aria-current="page"')}>${method && makeBadge(method)}${title}</a></li>`)}</ul>\n`,
  )}</nav>`;

function makeSteps(menu: Menu, here: string): Markup | "" {
  const links = menu.flatMap((section) => section.links);
  const at = links.findIndex(({ href }) => href === here);
  const [before, after] = [links[at - 1], at < 0 ? undefined : links[at + 1]];
  if (!before && !after) return "";
  return html`<p class="steps">${before && html`<a rel="prev" href="${before.href}">← ${before.title}</a>`} <span>${after && html`<a rel="next" href="${after.href}">${after.title} →</a>`}</span></p>`;
}
