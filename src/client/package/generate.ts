/**
 * `npm run client:types`: makes `src/client/wire-types.ts`, the types of requests and answers, from the OpenAPI document. It is not
 * kept in git: `npm ci`, `npm run check` and `npm run client:pack` make it, so that `npx tsc` passes in a fresh clone.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildDocument } from "../../reference/document.ts";
import type { JsonSchema, OpenApiDocument, OpenApiOperation, OpenApiParameter } from "../../reference/open-api.ts";

const HEADER = "// Made from the service's OpenAPI document by `npm run client:types`: not to be edited.\n\n";

/** Writes `wire-types.ts` into a folder. */
export const writeWireTypes = (target: string): Promise<void> =>
  writeFile(join(target, "wire-types.ts"), HEADER + describeTypes(buildDocument()));

/** The same as openapi-typescript's (test/spec/interface/outside-client.test.ts), of what the client uses. */
function describeTypes({ paths, components }: OpenApiDocument): string {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const schemas = Object.entries(components.schemas).map(([name, schema]) => member(name, true, schema));
  const described = operations.map(
    (operation) =>
      `readonly ${operation.operationId}: ${braces(describeOperation(operation, (name) => components.parameters[name]))};`,
  );
  return `export interface components { readonly schemas: ${braces(schemas)} }\n\nexport interface operations ${braces(described)}\n`;
}

/** The client adds these itself. */
const OF_THE_CLIENT = new Set(["fi_reference_id", "version", "transaction_reference"]);

function describeOperation(
  { parameters, requestBody }: OpenApiOperation,
  find: (name: string) => OpenApiParameter | undefined,
): string[] {
  const all = parameters.flatMap((each) => ("$ref" in each ? (find(lastOf(each.$ref)) ?? []) : each));
  const own = Object.entries(Object.groupBy(all, (each) => each.in)).map(([place, given = []]) => {
    const members = given
      .filter(({ name }) => !OF_THE_CLIENT.has(name))
      .map(({ name, required = false, schema, description }) => member(name, required, { ...schema, description }));
    return `readonly ${place}: ${braces(members)};`;
  });
  const content = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => member(type, true, schema));
  return [
    `readonly parameters: ${braces(own)};`,
    ...(requestBody ? [`readonly requestBody: { readonly content: ${braces(content)} };`] : []),
  ];
}

const lastOf = (reference: string): string => reference.split("/").at(-1) ?? "";
const braces = (lines: readonly string[]): string => `{\n${lines.join("\n")}\n}`;

function member(name: string, required: boolean, schema: JsonSchema): string {
  const text = schema.description?.replaceAll("*/", "*\\/");
  return `${text ? `/** ${text} */\n` : ""}readonly ${JSON.stringify(name)}${required ? "" : "?"}: ${typeOf(schema)};`;
}

function typeOf(schema: JsonSchema): string {
  const { $ref, type, enum: values, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return `components["schemas"][${JSON.stringify(lastOf($ref))}]`;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  const forms = anyOf ?? oneOf;
  if (forms) return forms.map((form) => `(${typeOf(form)})`).join(" | ");
  if (allOf) return allOf.map((form) => `(${typeOf(form)})`).join(" & ");
  if (type === undefined) return "unknown";
  return [type]
    .flat()
    .map((one) => typeOfKind(one, schema))
    .join(" | ");
}

function typeOfKind(
  kind: string,
  { properties, required = [], additionalProperties: more, items }: JsonSchema,
): string {
  switch (kind) {
    case "object": {
      const members = Object.entries(properties ?? {}).map(([name, schema]) =>
        member(name, required.includes(name), schema),
      );
      const others = typeof more === "object" ? `{ readonly [name: string]: ${typeOf(more)} }` : null;
      return [...(properties || others === null ? [braces(members)] : []), ...(others === null ? [] : [others])].join(
        " & ",
      );
    }
    case "array":
      return `readonly (${typeOf(items ?? {})})[]`;
    case "integer":
      return "number";
    // string, number, boolean, null
    default:
      return kind;
  }
}

if (process.argv[1] === import.meta.filename) await writeWireTypes(join(import.meta.dirname, ".."));
