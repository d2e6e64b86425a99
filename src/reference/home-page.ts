/** /: leads people to the reference, the guides and the console. Programs get JSON there (routes/site.ts). */
import { html } from "hono/html";
import { VERSION } from "../platform/version.ts";
import { GUIDES } from "./guides.ts";
import { makePage } from "./page.ts";

const LINKS = [
  ["/docs", "Reference", "Every endpoint, field, status and error code; try it where the sandbox runs."],
  ["/console", "Console", "Check a PSP by hand; evidence, traffic, events, sources, permissions."],
  ["/errors", "Error codes", "The rule, the cause and the cure of each."],
  ["/health", "Health", "Up or degraded, and why. For monitors."],
] as const;

const TOOLS = [
  ["/openapi.json", "OpenAPI 3.1"],
  ["/openapi.yaml", "as YAML"],
  ["/docs/psp-gate.http", ".http file"],
] as const;

export const makeHomePage = (): Promise<string> =>
  makePage(
    "psp-gate",
    html`<h1>psp-gate</h1>
<p class="lead">Before a bank lets a payment provider act, it asks here: who is the provider, what may it do, and did the customer agree?</p>
<ul class="cards">
${LINKS.map(([href, title, about]) => html`<li><a href="${href}">${title}</a><p>${about}</p></li>\n`)}</ul>
<h2>The first call</h2>
<p>With the credentials that the operator gave to your bank, and the PSP's certificate in <code>psp.pem</code>:</p>
<pre class="command" tabindex="0" role="group" aria-label="Command"><code>curl "$GATE/v1/psp/eidas?jurisdiction=FI" -u "$CLIENT_ID:$SECRET" \\
  -H "fi_reference_id: $REFERENCE" -H "version: latest" \\
  -H "eidas: $(node -p 'encodeURIComponent(require("fs").readFileSync("psp.pem"))')"</code></pre>
<p>Without credentials, <a href="/docs/first-check">the first guide</a> takes you there on your own machine in five minutes.</p>
<h2>Guides</h2>
<ul class="cards">
${GUIDES.map(({ name, title, about }) => html`<li><a href="/docs/${name}">${title}</a><p>${about}</p></li>\n`)}</ul>
<h2>For your tools</h2>
<p>${TOOLS.map(([href, title], i) => html`${i > 0 ? " · " : ""}<a href="${href}">${title}</a>`)}. Postman imports <code>/openapi.json</code>: Import, then the address.</p>
<p class="version">Version ${VERSION}</p>`,
  );

/** The same for programs: GET / without a wish for HTML. Paths are relative to the service's address. */
export const makeHomeJson = (): string =>
  JSON.stringify({
    name: "psp-gate",
    version: VERSION,
    links: {
      openapi: "/openapi.json",
      reference: "/docs",
      errors: "/errors",
      health: "/health",
      status: "/status",
      console: "/console",
    },
  });
