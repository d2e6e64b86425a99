/** The parts of OpenAPI 3.1 that the document has, and JSON Schema (2020-12) of the schemas that the routes validate by. */
import * as z from "zod";

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface OpenApiHeader {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface OpenApiParameter extends OpenApiHeader {
  readonly name: string;
  readonly in: "header" | "path" | "query";
}

export interface Reference {
  readonly $ref: string;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (OpenApiParameter | Reference)[];
  readonly requestBody?: { readonly required: true; readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, OpenApiResponse | Reference>>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  /** What the service sends, by type of event; as in `paths` by method. */
  readonly webhooks: Readonly<Record<string, { readonly post: OpenApiOperation }>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>;
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
    readonly headers: Readonly<Record<string, OpenApiHeader>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

/** The keywords that the document uses. */
export interface JsonSchema {
  type?: string | string[];
  format?: string;
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  examples?: unknown[];
  readOnly?: boolean;
  discriminator?: { propertyName: string };
  $ref?: string;
  $schema?: string;
  "x-version"?: string;
}

/** What a caller sends. A member that is not named is ignored. */
export const ofRequest = (schema: z.ZodType): JsonSchema => write(schema, "input");

/** What is answered, and nothing else. */
export const ofAnswer = (schema: z.ZodType): JsonSchema => write(schema, "output");

function write(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const {
    $schema: _,
    $defs = {},
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => adapt(zodSchema, jsonSchema as JsonSchema, io),
  }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  // a schema that has an id is a component of its own: here it is itself, elsewhere others refer to it
  const [, id] = /^#\/\$defs\/(.*)$/.exec(json.$ref ?? "") ?? [];
  const { id: _id, ...own } = { id, ...(id === undefined ? json : $defs[id]) };
  return JSON.parse(JSON.stringify(joinNull(own)).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** `type: [..., "null"]` in place of two forms. */
function joinNull({ anyOf, ...schema }: JsonSchema): JsonSchema {
  const { properties, items, oneOf } = schema;
  const [first, second] = anyOf ?? [];
  const inner: JsonSchema = {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, joinNull(field)])),
    }),
    ...(items && { items: joinNull(items) }),
    ...(oneOf && { oneOf: oneOf.map(joinNull) }),
  };
  if (anyOf?.length === 2 && typeof first?.type === "string" && second?.type === "null") {
    const { enum: values, ...form } = joinNull(first);
    return { ...inner, ...form, type: [first.type, "null"], ...(values && { enum: [...values, null] }) };
  }
  return anyOf ? { ...inner, anyOf: anyOf.map(joinNull) } : inner;
}

/** In place, as zod's `override` has it. */
function adapt(schema: z.core.$ZodType, json: JsonSchema, io: "input" | "output"): void {
  // a list that cannot be changed by the program: in OpenAPI the word means another thing
  delete json.readOnly;
  // zod's own limit of numbers
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  // a parameter of a query is text; the schema's metadata says what it is read as
  if (json.type === "integer") delete json.pattern;
  if (!(schema instanceof z.ZodPipe) || io === "output") return;
  const { in: first, out: then } = schema.def;
  // `optional` of routes/parameters.ts
  if (first instanceof z.ZodTransform) allowAbsent(json);
  // a list whose elements are judged after its length
  else if (then instanceof z.ZodArray) json.items = ofRequest(then.element as z.ZodType);
}

/** `null` and `""` count as absent. */
function allowAbsent(json: JsonSchema): void {
  if (typeof json.type === "string") json.type = [json.type, "null"];
  if (json.enum) json.enum = [...json.enum, null, ""];
  delete json.minLength;
  if (json.pattern !== undefined && !new RegExp(json.pattern, "u").test("")) json.pattern = `^$|${json.pattern}`;
}
