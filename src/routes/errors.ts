/** GET /errors: the error reference that `errors[].link` points at, one anchor per code. Readable without scripts. */
import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnv } from "../context.ts";
import { CATALOGUE } from "../errors.ts";

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  h2 { font: 600 1.05rem ui-monospace, monospace; margin: 0; }
  section { padding: 1rem; border-top: 1px solid #8884; }
  section:target { background: #fc03; }
  .status { float: right; font-variant-numeric: tabular-nums; opacity: 0.7; }
  p { margin: 0.25rem 0 0; }
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
              <span class="status">${status}</span>
              <h2>${code}</h2>
              <p class="title">${title}</p>
              <p>${condition}</p>
            </section>`,
        )}
      </body>
    </html>`);
