/** /: says in a picture and five lines what this is, and leads people on. Programs get JSON there (routes/site.ts). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { html, raw } from "hono/html";
import { VERSION } from "../platform/version.ts";
import { LOCAL_ADDRESS, makeCode } from "./code-block.ts";
import { SECTIONS } from "./guide-pages.ts";
import { makePage } from "./page.ts";

const TITLE = "Know who asks for your customer's account";

const LINES = [
  ["Asked", "A payment provider (PSP) asks a bank for an account or a payment, and the bank asks here."],
  ["Verified", "Its certificate is checked against the EU's trusted lists, and its licence against the registers."],
  ["Decided", "The answer is yes or no for payments and for accounts, with every reason for a no."],
  ["Granted", "Codes, tokens and consents are issued and kept here, and end when the customer says so."],
  ["Proven", "Each answer can be signed, and leaves a record that an auditor verifies offline, years later."],
] as const;

/** It runs as it is pasted. */
const CALL = `curl "${LOCAL_ADDRESS}/v1/psp/eidas?jurisdiction=XX" -u sandbox-fi:sandbox-secret \\
  -H "fi_reference_id: PSDXX-TEST-FI0001" -H "version: latest" \\
  -H "eidas: $(grep -v ^- fixtures/certificates/scenario-5.pem | tr -d '\\n')"`;

/** A part of what it answers. */
const ANSWER = `{
  "eIDAS": {
    "validity": { "validQTSP": true, "validSignature": true, "notRevoked": false, "notExpired": true }
  },
  "decision": {
    "payments": { "allowed": false, "reasons": [{ "code": "certificate_revoked", "whose": "psp" }] }
  }
}`;

const TOOLS = [
  ["/openapi.json", "OpenAPI 3.1"],
  ["/openapi.yaml", "as YAML"],
  ["/docs/psp-gate.http", ".http file"],
] as const;

export async function makeHomePage(): Promise<string> {
  const [picture, call, answer] = await Promise.all([
    readFile(join(import.meta.dirname, "picture.svg"), "utf8"),
    makeCode({ text: CALL, language: "sh" }),
    makeCode({ text: ANSWER, language: "json" }),
  ]);
  return makePage({
    title: TITLE,
    href: "/",
    assets: ["home.css"],
    main: html`<div class="hero"><div>
<h1>${TITLE}</h1>
<dl class="lines">${LINES.map(([word, line]) => html`<dt>${word}</dt><dd>${line}</dd>\n`)}</dl>
<p class="begin"><a class="first" href="/docs/first-check">First check in five minutes</a> <a href="/docs">Reference</a></p>
</div>
<figure>${raw(picture)}</figure></div>
<h2>The first call</h2>
<p>In the repository's folder, while <code>npm start</code> runs: is this PSP's certificate good?</p>
${raw(call)}${raw(answer)}
<h2>Guides</h2>
<div class="paths">${SECTIONS.map(({ heading, guides }) => html`<div><h3>${heading}</h3><ul>${guides.map(({ name, title }) => html`<li><a href="/docs/${name}">${title}</a></li>\n`)}</ul></div>\n`)}</div>
<p><a href="/docs/guides">All guides, and what each is about</a> · <a href="/docs/comparison">How it compares with what others offer</a></p>
<section id="tools"><h2>For your tools</h2>
<p>${TOOLS.map(([href, title], i) => html`${i > 0 ? " · " : ""}<a href="${href}">${title}</a>`)}. Postman imports <code>/openapi.json</code>: Import, then the address.</p></section>
<p class="version">Version ${VERSION}</p>`,
  });
}

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
