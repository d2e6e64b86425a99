/** GET /errors: the error reference that `errors[].link` points at, one anchor per code. Readable without scripts. */
import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnv } from "../context.ts";
import { CATALOGUE } from "../error-catalogue.ts";

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
  h1 { margin: 0 0 0.5rem; }
  h2 { font: 600 1.05rem ui-monospace, monospace; margin: 0; }
  h2 a { color: inherit; text-decoration: none; }
  h2 a:hover { text-decoration: underline; }
  code { font-family: ui-monospace, monospace; font-size: 0.95em; }
  section { padding: 1rem; border-top: 1px solid #8884; scroll-margin-top: 1rem; }
  section:target { background: #fc03; box-shadow: inset 4px 0 #e90; }
  header { display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; }
  .status { flex: none; font-variant-numeric: tabular-nums; opacity: 0.7; }
  p { margin: 0.25rem 0 0; }
  h1 + p { margin-bottom: 1.5rem; }
  .title { font-weight: 500; }`;

export const errorsPage = (c: Context<AppEnv>) =>
  c.html(html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Error codes</title>
        <style>${STYLE}</style>
      </head>
      <body>
        <h1>Error codes</h1>
        <p>
          Errors have the form <code>{"errors":[{"id","code","title","link"}]}</code>. The id is the request's: it is in
          the <code>x-request-id</code> header and in the service's log.
        </p>
        ${[...CATALOGUE].map(
          ([code, { status, title, condition }]) =>
            html`<section id="${code}">
              <header>
                <h2><a href="#${code}">${code}</a></h2>
                <span class="status">${status}</span>
              </header>
              <p class="title">${title}</p>
              <p>${condition}</p>
            </section>`,
        )}
      </body>
    </html>`);
