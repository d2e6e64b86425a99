/**
 * `npm run client:types`: makes `src/client/wire-types.ts`, the types of requests and answers, from the OpenAPI document, by
 * openapi-typescript. It is not kept in git: `npm run check` and `npm run client:pack` make it, too.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildDocument } from "../../reference/document.ts";
import { installFolder } from "./install-folder.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Installed at first use: it needs a TypeScript before 7. */
const OUTSIDE_CLIENT = join(ROOT, "test/outside-client");
const GENERATOR = join(OUTSIDE_CLIENT, "node_modules/openapi-typescript/bin/cli.js");

const HEADER = "// Made from the service's OpenAPI document by `npm run client:types`: not to be edited.\n\n";

/** Writes `wire-types.ts` into a folder. */
export async function writeWireTypes(target: string): Promise<void> {
  await installFolder(OUTSIDE_CLIENT);
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-types-"));
  try {
    const [document, types] = [join(folder, "openapi.json"), join(folder, "types.ts")];
    await writeFile(document, JSON.stringify(withoutErrors(buildDocument()), leaveExamplesOut));
    await promisify(execFile)(process.execPath, [GENERATOR, document, "--immutable", "-o", types]);
    await writeFile(join(target, "wire-types.ts"), HEADER + pickExports(await readFile(types, "utf8")));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Of what the generator exports, what the client uses. */
const pickExports = (text: string): string =>
  text
    .split(/^(?=export )/m)
    .filter((each) => /^export interface (components|operations) /.test(each))
    .join("");

type Document = ReturnType<typeof buildDocument>;

/** They are what the sandbox answered last, so they would change the types whenever it is asked again. */
const leaveExamplesOut = (key: string, value: unknown): unknown => (/^examples?$/.test(key) ? undefined : value);

/** The client adds these itself. */
const OF_THE_CLIENT = new Set(["fi_reference_id", "version", "transaction_reference"]);
const isGivenByCaller = (parameter: object): boolean =>
  !("$ref" in parameter && OF_THE_CLIENT.has(String(parameter.$ref).split("/").at(-1) ?? ""));

/** Without what the client has types of its own for, or none: errors, headers of answers. Nine tenths of the text. */
function withoutErrors(document: Document): object {
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, { responses, parameters, ...operation }]) => {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
      const contents = successes.map(([status, response]) => [
        status,
        { description: "", ...("content" in response && { content: response.content }) },
      ]);
      const given = parameters.filter(isGivenByCaller);
      return [method, { ...operation, parameters: given, responses: Object.fromEntries(contents) }];
    });
    return [path, Object.fromEntries(operations)];
  });
  const { parameters, schemas } = document.components;
  const { openapi, info } = document;
  return { openapi, info, paths: Object.fromEntries(paths), components: { parameters, schemas } };
}

if (process.argv[1] === import.meta.filename) await writeWireTypes(join(import.meta.dirname, ".."));
