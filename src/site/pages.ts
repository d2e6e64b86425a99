/** Every file of the site, by its path in the folder that is served. A page of /path is the file path.html. */
import { stringify } from "yaml";
import { buildDocument } from "../contract/document.ts";
import { readAssets } from "./assets.ts";
import { makeErrorsJson, makeErrorsPage } from "./errors-page.ts";
import { makeHomePage } from "./home-page.ts";

/** `sandbox`: with the credentials and certificates of the sandbox, for `npm start` only. */
export async function makeSite(_sandbox: boolean): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const document = buildDocument();
  return new Map<string, string | Uint8Array>([
    ["index.html", await makeHomePage()],
    ["errors.html", await makeErrorsPage()],
    ["errors.json", makeErrorsJson()],
    ["openapi.json", JSON.stringify(document)],
    // no anchors: not every reader of OpenAPI takes them
    ["openapi.yaml", stringify(document, { aliasDuplicateObjects: false })],
    ...(await readAssets()),
  ]);
}
