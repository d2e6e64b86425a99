/** /: leads people to the reference, the guides and the console. Programs get JSON there (routes/site.ts). */
import { html } from "hono/html";
import { makePage } from "./page.ts";

export const makeHomePage = (): Promise<string> =>
  makePage(
    "psp-gate",
    html`<h1>psp-gate</h1>
<p>Verifies payment service providers, and keeps consents and tokens, for banks.</p>`,
  );
