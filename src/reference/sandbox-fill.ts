/**
 * What the sandbox adds to the site: credentials and certificates, so that "try it" and the .http file work as they are.
 * For `npm start` only; without them a deployed service has names to fill in.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const CERTIFICATES = join(import.meta.dirname, "../../fixtures/certificates");

export interface Fill {
  readonly username: string;
  readonly password: string;
  readonly fiReferenceId: string;
  /** A certificate of the sandbox, base64 of its DER, by the name of its file. */
  readonly certificates: Readonly<Record<string, string>>;
}

export async function readFill(): Promise<Fill> {
  const files = (await readdir(CERTIFICATES)).filter((file) => file.endsWith(".pem")).sort();
  const read = async (file: string) =>
    [
      file.slice(0, -".pem".length),
      (await readFile(join(CERTIFICATES, file), "utf8")).replaceAll(/-----[^-]+-----|\s/g, ""),
    ] as const;
  return {
    username: "sandbox-fi",
    password: "sandbox-secret",
    fiReferenceId: "PSDXX-TEST-FI0001",
    certificates: Object.fromEntries(await Promise.all(files.map(read))),
  };
}

/** A copy of the document in which each parameter and certificate that the sandbox has a value for has it as its example. */
export function fillDocument<Document extends object>(document: Document, fill: Fill): Document {
  const certificate = fill.certificates["scenario-1"] ?? "";
  const values: Readonly<Record<string, string>> = {
    fi_reference_id: fill.fiReferenceId,
    version: "latest",
    eidas: certificate,
    jurisdiction: "XX",
  };
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    // the schema of a body's certificate
    if (key === "eIDAS" && "type" in value && value.type === "string") return { ...value, examples: [certificate] };
    const example = "in" in value && "name" in value ? values[String(value.name)] : undefined;
    if (example === undefined) return value;
    const { examples: _examples, ...parameter } = value as typeof value & { examples?: unknown };
    return { ...parameter, example };
  });
}
