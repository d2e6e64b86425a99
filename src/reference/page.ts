/** The frame of a page: its head, the links that every page has, and one style sheet. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

const TEXT_STYLE = html`<link rel="stylesheet" href="/assets/site.css">
`;

/** `main`: what stands between the links and the end of the page, with its h1. */
export const makePage = (title: string, main: Markup): Promise<string> =>
  frame(title, TEXT_STYLE, html`<body>`, html`<main>\n${main}\n</main>`);

/** A page that is the viewer's: the links stay on top, the rest is its own. */
export const makeViewerPage = (title: string, content: Markup): Promise<string> =>
  frame(title, "", html`<body class="viewer">`, content);

const frame = async (title: string, more: Markup | "", body: Markup, content: Markup): Promise<string> =>
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
${body}
<nav class="links" aria-label="Site"><a href="/">psp-gate</a> <a href="/docs">Reference</a> <a href="/errors">Errors</a> <a href="/console">Console</a></nav>
${content}
</body>
</html>
`,
  );
