/** The frame of a page: its head, the links that every page has, and one style sheet. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

const TEXT_STYLE = html`<link rel="stylesheet" href="/assets/site.css">
`;

const REFERENCE_STYLE = html`${TEXT_STYLE}<link rel="stylesheet" href="/assets/reference.css">
`;

/** `main`: what stands between the links and the end of the page, with its h1. */
export const makePage = (title: string, main: Markup): Promise<string> =>
  frame(title, TEXT_STYLE, html`<main>\n${main}\n</main>`);

/** A page of the reference: with the menu of its operations, or none, beside it. */
export const makeReferencePage = (title: string, menu: Markup | "", main: Markup): Promise<string> =>
  frame(title, REFERENCE_STYLE, html`<div class="${menu && "columns"}">${menu}<main>\n${main}\n</main></div>`);

const frame = async (title: string, more: Markup, content: Markup): Promise<string> =>
  String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · psp-gate</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/frame.css">
${more}</head>
<body>
<nav class="links" aria-label="Site"><a href="/">psp-gate</a> <a href="/docs">Reference</a> <a href="/errors">Errors</a> <a href="/console">Console</a></nav>
${content}
</body>
</html>
`,
  );
