/**
 * The document as code that says whether an answer is as it promises: the module `virtual:contract`. It is compiled here,
 * on Node and once, because workerd forbids code that is made at run time.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { buildDocument } from "../../src/reference/document.ts";
import type { JsonSchema, OpenApiDocument, OpenApiResponse, Reference } from "../../src/reference/open-api.ts";
import type { Contract } from "./contract.ts";

const NAME = "virtual:contract";
const DOCUMENT = "openapi.json";
const VERSIONS = ["1", "latest"] as const;

/** Else Vite makes one, of three times the module's size, which each runtime receives with it. */
const NO_MAP = { mappings: "" } as const;

/** A plugin of Vite: packages as they are, without maps, which are most of what a runtime is sent. Ours keep theirs. */
export const packagesWithoutMaps = () => ({
  name: "packages-without-maps",
  transform: (code: string, id: string) => (id.includes("/node_modules/") ? { code, map: NO_MAP } : undefined),
});

/** A plugin of Vite. The document's modules are those that were loaded when vitest started. */
export const contractValidators = () => {
  let code: string | undefined;
  return {
    name: "contract-validators",
    resolveId: (id: string) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id: string) => {
      if (id !== `\0${NAME}`) return undefined;
      code ??= compile(buildDocument());
      return { code, map: NO_MAP };
    },
  };
};

function compile(described: OpenApiDocument): string {
  // texts are most of the document, and the code would carry them along
  const document: OpenApiDocument = JSON.parse(
    JSON.stringify(described, (key, value) => (key === "description" && typeof value === "string" ? undefined : value)),
  );
  const ajv = new Ajv2020({
    strict: false,
    // one function for each schema, not one copy for each answer
    inlineRefs: false,
    unicodeRegExp: true,
    code: { source: true, esm: true },
    logger: false,
  });
  // RFC 3339 in UTC, as all instants are
  ajv.addFormat("date-time", /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(?:\.\d+)?Z$/);
  ajv.addFormat("uri", true);
  ajv.addSchema(document, DOCUMENT);

  const names = new Map<string, string>();
  const validatorOf = (schema: JsonSchema): string => {
    const text = JSON.stringify(schema);
    const name = names.get(text) ?? `validator${names.size}`;
    if (!names.has(text)) {
      names.set(text, name);
      ajv.addSchema(JSON.parse(text.replaceAll('"#/', `"${DOCUMENT}#/`)), name);
    }
    return name;
  };
  const resolve = (response: OpenApiResponse | Reference): OpenApiResponse => {
    if (!("$ref" in response)) return response;
    const found = document.components.responses[response.$ref.split("/").at(-1) ?? ""];
    if (!found) throw new Error(response.$ref);
    return found;
  };
  const operations: Contract["operations"] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      statuses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => {
          const { content, headers = {} } = resolve(response);
          const schema = content?.["application/json"]?.schema;
          const body =
            schema && Object.fromEntries(VERSIONS.map((version) => [version, validatorOf(formOf(schema, version))]));
          const [type] = Object.keys(content ?? {});
          const bytes = type !== undefined && !body && { bytes: type };
          return [status, { ...(body && { body }), ...bytes, headers: validatorOf(headersSchema(document, headers)) }];
        }),
      ),
    })),
  );
  const validators = [...names.values()];
  const code = standalone
    .default(ajv, Object.fromEntries(validators.map((name) => [name, name])))
    // the one module of ajv that they need: the length of a text in code points
    .replaceAll(/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, "((text) => Array.from(text).length)");
  if (/\brequire\(/.test(code)) throw new Error("the validators need a module of ajv, which workerd does not have");
  return `${code}
export const validators = {${validators.join(",")}};
export const operations = ${JSON.stringify(operations)};
export const document = JSON.parse(${JSON.stringify(JSON.stringify(document))});`;
}

/** Of an answer with a form for each version, that of `version`. */
function formOf(schema: JsonSchema, version: (typeof VERSIONS)[number]): JsonSchema {
  const [first, second] = schema.anyOf ?? [];
  if (!first || !second) return schema;
  return version === "1" ? first : second;
}

/** Of HTTP itself, which a document of OpenAPI does not list (OpenAPI 3.1, "Response Object": Content-Type). */
const OF_HTTP = [
  "content-type",
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "date",
  "vary",
];

/** Header values are text. One that the document lacks is a fault. */
function headersSchema({ components }: OpenApiDocument, headers: Readonly<Record<string, Reference>>): JsonSchema {
  const all = Object.entries(headers).map(
    ([name, { $ref }]) => [name.toLowerCase(), components.headers[$ref.split("/").at(-1) ?? ""]] as const,
  );
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries([
      ...OF_HTTP.map((name) => [name, {}] as const),
      ...all.map(([name, header]) => {
        const { schema = {} } = header ?? {};
        return [name, schema.type === "integer" ? { type: "string", pattern: "^[1-9]\\d*$" } : { ...schema }];
      }),
    ]),
    required: all.filter(([, header]) => header?.required).map(([name]) => name),
  };
}
