/**
 * `npm run client:types`: writes what the client takes from the service's own sources: the types of requests and answers
 * from the OpenAPI document, and the error codes from the catalogue. With `--check` (in `npm run check`) it only says
 * whether the written files are stale.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeErrorCodes } from "./error-codes.ts";
import { writeWireTypes } from "./wire-types.ts";

const CLIENT = join(import.meta.dirname, "..");

const FILES: Readonly<Record<string, () => string | Promise<string>>> = {
  "error-codes.ts": writeErrorCodes,
  "wire-types.ts": writeWireTypes,
};

const check = process.argv.includes("--check");
for (const [name, write] of Object.entries(FILES)) {
  const path = join(CLIENT, name);
  const text = await write();
  if (!check) await writeFile(path, text);
  else if ((await readFile(path, "utf8").catch(() => "")) !== text) {
    console.error(`src/client/${name} is stale: npm run client:types`);
    process.exitCode = 1;
  }
}
