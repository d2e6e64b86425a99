/** Every file of the site, by its path in the folder that is served. A page of /path is the file path.html. */
import { readAssets } from "./assets.ts";
import { makeErrorsJson, makeErrorsPage } from "./errors-page.ts";
import { makeHomePage } from "./home-page.ts";

/** `sandbox`: with the credentials and certificates of the sandbox, for `npm start` only. */
export async function makeSite(_sandbox: boolean): Promise<ReadonlyMap<string, string | Uint8Array>> {
  return new Map<string, string | Uint8Array>([
    ["index.html", await makeHomePage()],
    ["errors.html", await makeErrorsPage()],
    ["errors.json", makeErrorsJson()],
    ...(await readAssets()),
  ]);
}
