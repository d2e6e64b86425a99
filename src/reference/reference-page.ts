/**
 * /docs: the reference of the interface, shown by Scalar's viewer from /openapi.json. Everything that it loads is served
 * by this service: its fonts, telemetry, proxy and assistants, which are of other hosts, are off.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { html } from "hono/html";
import { makeViewerPage } from "./page.ts";
import type { Fill } from "./sandbox-fill.ts";

const VIEWER = join(import.meta.dirname, "../../node_modules/@scalar/api-reference/dist/browser/standalone.js");

/**
 * How zod, in the viewer, finds out whether it may make functions from text. It may not, and goes on without; but the
 * question alone counts as a violation of the page's policy.
 */
const QUESTION = 'try{return new Function(""),!0}catch(e){return!1}';

export async function readViewer(): Promise<string> {
  const [before, after, ...more] = (await readFile(VIEWER, "utf8")).split(QUESTION);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${VIEWER}: another version: look where it makes functions from text`);
  return `${before}return!1${after}`;
}

export const makeReferencePage = (): Promise<string> =>
  makeViewerPage(
    "Reference",
    html`<div id="reference"></div>
<noscript><p>The reference needs a script. Without one, read <a href="/openapi.yaml">openapi.yaml</a> and the <a href="/">guides</a>.</p></noscript>
<script src="/assets/scalar.js"></script>
<script src="/assets/reference.js"></script>`,
  );

/** The script that starts the viewer. `fill` is for `npm start` only. */
export function makeReferenceScript(fill: Fill | null): string {
  const configuration = {
    url: "/openapi.json",
    theme: "default",
    withDefaultFonts: false,
    telemetry: false,
    showDeveloperTools: "never",
    hideClientButton: true,
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    documentDownloadType: "direct",
    operationTitleSource: "summary",
    orderSchemaPropertiesBy: "preserve",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    persistAuth: false,
    authentication: {
      preferredSecurityScheme: "FinancialInstitution",
      ...(fill && { securitySchemes: { FinancialInstitution: { username: fill.username, password: fill.password } } }),
    },
  };
  return `Scalar.createApiReference("#reference", ${JSON.stringify(configuration, null, 2)});\n`;
}
