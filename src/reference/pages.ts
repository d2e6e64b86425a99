/** Every file of the site, by its path in the folder that is served. A page of /path is the file path.html. */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { stringify } from "yaml";
import { buildDocument } from "./document.ts";
import { makeErrorsJson, makeErrorsPage } from "./errors-page.ts";
import { GUIDES, makeGuidePage } from "./guides.ts";
import { makeHomeJson, makeHomePage } from "./home-page.ts";
import { makeHttpFile } from "./http-file.ts";
import { makeReferencePages } from "./reference-page.ts";
import { fillDocument, readFill } from "./sandbox-fill.ts";

/** `sandbox`: with the credentials and certificates of the sandbox, for `npm start` only. */
export async function makeSite(sandbox: boolean): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const fill = sandbox ? await readFill() : null;
  const plain = buildDocument();
  const document = fill ? fillDocument(plain, fill) : plain;
  return new Map<string, string | Uint8Array>([
    ["index.html", await makeHomePage()],
    ["index.json", makeHomeJson()],
    ["errors.html", await makeErrorsPage()],
    ["errors.json", makeErrorsJson()],
    ...(await Promise.all(
      GUIDES.map(async (guide) => [`docs/${guide.name}.html`, await makeGuidePage(guide)] as const),
    )),
    ...[...(await makeReferencePages(document, fill))].map(([name, page]) => [`${name}.html`, page] as const),
    ["openapi.json", JSON.stringify(document)],
    // no anchors: not every reader of OpenAPI takes them
    ["openapi.yaml", stringify(document, { aliasDuplicateObjects: false })],
    ["docs/psp-gate.http", makeHttpFile(fill)],
    ...(await readAssets()),
  ]);
}

/** Style sheets and scripts of our own, served at /assets/. Names must differ: all are served from one folder. */
const ASSETS = ["assets", "../console/assets"].map((folder) => join(import.meta.dirname, folder));

async function readAssets(): Promise<[path: string, content: Uint8Array][]> {
  const files = await Promise.all(
    ASSETS.map(async (folder) => (await readdir(folder)).sort().map((file) => join(folder, file))),
  );
  return Promise.all(
    files.flat().map(async (file): Promise<[string, Uint8Array]> => [`assets/${basename(file)}`, await readFile(file)]),
  );
}
