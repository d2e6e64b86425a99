/** The schemas of the document: bodies that are sent, answers, errors. Each field has its text. */
import { errorAnswer } from "../http/answer-fields.ts";
import { ERRORS, type FieldTexts } from "./field-texts.ts";
import { type JsonSchema, ofAnswer, ofRequest } from "./open-api.ts";
import { ANSWERS, REQUESTS, TEXTS } from "./resources.ts";

/** `samples`: what was sent, by schema. */
export const requestSchemas = (samples: Samples): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(REQUESTS).map(([name, schema]) => [
      name,
      addExamples(describe(name, ofRequest(schema)), samples.get(name) ?? []),
    ]),
  );

/** `samples`: what was answered, by schema. */
export function answerSchemas(samples: Samples): Record<string, JsonSchema> {
  const answers = { ...ANSWERS, Errors: errorAnswer };
  return Object.fromEntries(
    Object.entries(answers).map(([name, schema]) => {
      const json = addExamples(describe(name, ofAnswer(schema)), samples.get(name) ?? []);
      return [name, { ...json, ...versionOf(name, Object.keys(answers)) }];
    }),
  );
}

/** By schema and path; a dot goes into an object, `[]` into the elements of a list. */
const FIELD_TEXTS: Readonly<Record<string, FieldTexts>> = { ...TEXTS, Errors: ERRORS };

/** Values of the story's requests and answers, by the name of their schema. */
type Samples = ReadonlyMap<string, readonly unknown[]>;

const LATEST = /Latest$/;

/** Of an answer that has a form for each version. */
function versionOf(name: string, names: readonly string[]): Pick<JsonSchema, "x-version"> {
  if (LATEST.test(name)) return { "x-version": "latest" };
  return names.includes(`${name}Latest`) ? { "x-version": "1" } : {};
}

/** Adds the texts. The form of version `latest` has the fields of version 1, too. */
function describe(name: string, schema: JsonSchema): JsonSchema {
  const texts = { ...FIELD_TEXTS[name.replace(LATEST, "")], ...FIELD_TEXTS[name] };
  const unused = new Set(Object.keys(texts));
  const write = (json: JsonSchema, path: string): JsonSchema => {
    const description = texts[path];
    unused.delete(path);
    const { properties, items, anyOf, oneOf, ...rest } = json;
    return {
      ...(description !== undefined && { description }),
      ...rest,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, inner]) => {
            const at = path === "" ? key : `${path}.${key}`;
            if (texts[at] === undefined) throw new Error(`${name}: the field ${at} has no text beside its route`);
            return [key, write(inner, at)];
          }),
        ),
      }),
      ...(items && { items: write(items, `${path}[]`) }),
      // of several forms: the fields are described, and not the forms
      ...(anyOf && { anyOf: anyOf.map((form) => write(form, path)).map(withoutDescription) }),
      ...(oneOf && { oneOf: oneOf.map((form) => write(form, path)).map(withoutDescription) }),
    };
  };
  const described = write(schema, "");
  if (unused.size > 0) throw new Error(`${name}: no such field: ${[...unused].join(", ")}`);
  return described;
}

const withoutDescription = ({ description: _, ...schema }: JsonSchema): JsonSchema => schema;

/** A certificate is shown in the examples of whole requests only. */
const LONGEST_EXAMPLE = 200;

/** Gives each field that holds a single value one of the samples' values, unless its schema names all values. */
function addExamples(schema: JsonSchema, samples: readonly unknown[]): JsonSchema {
  const { properties, items, anyOf, oneOf } = schema;
  const inner = (name: string) =>
    samples.flatMap((sample) => (typeof sample === "object" && sample !== null ? [Reflect.get(sample, name)] : []));
  const forms = (schemas: readonly JsonSchema[]) => schemas.map((form) => addExamples(form, samples));
  const [example] = samples.filter((sample) => sample !== undefined && sample !== null);
  const single = ["string", "number", "boolean"].includes(typeof example) && String(example).length <= LONGEST_EXAMPLE;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, addExamples(field, inner(name))]),
      ),
    }),
    ...(items && { items: addExamples(items, samples.flat()) }),
    ...(anyOf && { anyOf: forms(anyOf) }),
    ...(oneOf && { oneOf: forms(oneOf) }),
    ...(single &&
      schema.enum === undefined &&
      schema.const === undefined &&
      schema.type !== "null" && { examples: [example] }),
  };
}
