/** What a browser gets with 404 (routes/site.ts). Programs get the error as JSON. */
import { html } from "hono/html";
import { makePage } from "./page.ts";

export const makeLostPage = (): Promise<string> =>
  makePage({
    title: "Not found",
    main: html`<h1>There is no page at this address</h1>
<p>The search above finds guides, operations, errors and words. Or begin at one of these:</p>
<ul>
<li><a href="/docs/guides">All guides</a></li>
<li><a href="/docs">The reference of all operations</a></li>
<li><a href="/errors">All error codes</a></li>
</ul>
<p>A program gets the error <a href="/errors/path_not_found"><code>path_not_found</code></a> as JSON here.</p>`,
  });
