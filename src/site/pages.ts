/** Every file of the site, by its path in the folder that is served. A page of /path is the file path.html. */
import { readAssets } from "./assets.ts";
import { makeErrorsJson, makeErrorsPage } from "./errors-page.ts";
import { makeHomePage } from "./home-page.ts";
import { makeReferencePage, makeReferenceScript, readViewer } from "./reference-page.ts";
import { fillForSandbox, SANDBOX_CREDENTIALS } from "./sandbox-fill.ts";
import { buildDocument } from "./stand-in-document.ts";

/** `sandbox`: with the credentials and certificates of the sandbox, for `npm start` only. */
export async function makeSite(sandbox: boolean): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const document = buildDocument();
  return new Map<string, string | Uint8Array>([
    ["index.html", await makeHomePage()],
    ["errors.html", await makeErrorsPage()],
    ["errors.json", makeErrorsJson()],
    ["docs.html", await makeReferencePage()],
    ["openapi.json", JSON.stringify(sandbox ? await fillForSandbox(document) : document)],
    ["assets/scalar.js", await readViewer()],
    ["assets/reference.js", makeReferenceScript(sandbox ? SANDBOX_CREDENTIALS : null)],
    ...(await readAssets()),
  ]);
}
