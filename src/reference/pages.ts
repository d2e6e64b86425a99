/** Every file of the site, by its path in the folder that is served. A page of /path is the file path.html. */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import { stringify } from "yaml";
import { buildDocument } from "./document.ts";
import { makeErrorPages, makeErrorsJson } from "./errors-page.ts";
import { makeGuidePages } from "./guide-pages.ts";
import { makeHomeJson, makeHomePage } from "./home-page.ts";
import { makeHttpFile } from "./http-file.ts";
import { makeLostPage } from "./lost-page.ts";
import { makeReferencePages } from "./reference-page.ts";
import { fillDocument, readFill } from "./sandbox-fill.ts";
import { makeSearchIndex } from "./search-index.ts";

/** `sandbox`: with the credentials and certificates of the sandbox, for `npm start` only. */
export async function makeSite(sandbox: boolean): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const fill = sandbox ? await readFill() : null;
  const plain = buildDocument();
  const document = fill ? fillDocument(plain, fill) : plain;
  const home = await makeHomePage();
  const pages: Readonly<Record<"Guide" | "Operation" | "Error", ReadonlyMap<string, string>>> = {
    Guide: await makeGuidePages(),
    Operation: await makeReferencePages(document, fill),
    Error: await makeErrorPages(),
  };
  return new Map<string, string | Uint8Array>([
    ["index.html", home],
    ["index.json", makeHomeJson()],
    ["404.html", await makeLostPage()],
    ["errors.json", makeErrorsJson()],
    ...Object.values(pages).flatMap((some) => [...some].map(([name, page]) => [`${name}.html`, page] as const)),
    ["openapi.json", JSON.stringify(document)],
    // no anchors: not every reader of OpenAPI takes them
    ["openapi.yaml", stringify(document, { aliasDuplicateObjects: false })],
    ["docs/psp-gate.http", makeHttpFile(fill)],
    ["assets/search-index.json", makeSearchIndex({ ...pages, Page: new Map([["", home]]) })],
    ["assets/search.js", await bundleSearch()],
    ...(await readAssets()),
  ]);
}

/** With the library that made the index. */
async function bundleSearch(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "browser/search.js")],
    ...{ bundle: true, minify: true, write: false, format: "esm", target: "es2022", legalComments: "none" },
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** Style sheets and scripts of our own, served at /assets/. Names must differ: all are served from one folder. */
const ASSETS = ["assets", "../console/assets"].map((folder) => join(import.meta.dirname, folder));

async function readAssets(): Promise<[path: string, content: string][]> {
  const files = await Promise.all(
    ASSETS.map(async (folder) => (await readdir(folder)).sort().map((file) => join(folder, file))),
  );
  return Promise.all(
    files.flat().map(async (file): Promise<[string, string]> => {
      const text = await readFile(file, "utf8");
      const loader = ([".css", ".js"] as const).find((ending) => file.endsWith(ending));
      const options = { loader: loader === ".css" ? "css" : "js", minify: true, target: "es2022" } as const;
      return [`assets/${basename(file)}`, loader ? (await transform(text, options)).code : text];
    }),
  );
}
