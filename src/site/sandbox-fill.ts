/** The document of the interface with what "try it" sends to the sandbox. For `npm start` only. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const PSP = join(import.meta.dirname, "../../fixtures/certificates/scenario-1.pem");

export const SANDBOX_CREDENTIALS = { username: "sandbox-fi", password: "sandbox-secret" };

/** A header or query parameter's value in the sandbox, by its name. */
async function readValues(): Promise<Readonly<Record<string, string>>> {
  const eidas = (await readFile(PSP, "utf8")).replaceAll(/-----[^-]+-----|\s/g, "");
  return { fi_reference_id: "PSDXX-TEST-FI0001", version: "latest", eidas, jurisdiction: "XX" };
}

/** A copy in which each parameter that the sandbox has a value for has it as its example. */
export async function fillForSandbox<Document extends object>(document: Document): Promise<Document> {
  const values = await readValues();
  return JSON.parse(JSON.stringify(document), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("in" in value) || !("name" in value)) return value;
    const example = values[String(value.name)];
    if (example === undefined) return value;
    const { examples: _examples, ...parameter } = value as typeof value & { examples?: unknown };
    return { ...parameter, example };
  });
}
