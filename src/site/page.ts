/** The frame of a page: its head, the links that every page has, and one style sheet. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** `main`: what stands between the links and the end of the page, with its h1. */
export async function makePage(title: string, main: Markup): Promise<string> {
  return String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="stylesheet" href="/assets/site.css">
</head>
<body>
<nav aria-label="Site"><a href="/">psp-gate</a> <a href="/docs">Reference</a> <a href="/errors">Errors</a> <a href="/console">Console</a></nav>
<main>
${main}
</main>
</body>
</html>
`,
  );
}
