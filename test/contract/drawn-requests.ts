/** Requests to an operation, drawn from the document alone, and from credentials that it cannot know. */
import fc from "fast-check";
import type { JsonSchema, OpenApiDocument, OpenApiOperation, OpenApiParameter } from "../../src/reference/open-api.ts";
import { type Drawn, drawNear, drawValid, oddText } from "./drawn-values.ts";

export interface DrawnRequest {
  readonly path: string;
  /** An undefined one is left out. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Absent: none is sent. */
  readonly body?: unknown;
  /** What differs from a request that the document takes; empty: nothing. */
  readonly changes: readonly string[];
  /** The document does not take it. */
  readonly forbidden: boolean;
}

/** Values of headers that only a deployment can give: certificates, tokens, references. */
export type Credentials = Readonly<Record<string, readonly string[]>>;

/** A parameter that was drawn; without `text` it is left out. */
interface DrawnParameter {
  readonly parameter: OpenApiParameter;
  readonly text?: string;
  readonly change?: string;
  readonly forbidden?: boolean;
}

/** `valid`: only what the document takes. Else one thing is changed: of the body, or of a parameter. */
export function drawRequest(
  document: OpenApiDocument,
  path: string,
  operation: OpenApiOperation,
  credentials: Credentials,
  valid: boolean,
): fc.Arbitrary<DrawnRequest> {
  const parameters = operation.parameters.map((each) => {
    if (!("$ref" in each)) return each;
    const found = document.components.parameters[each.$ref.split("/").at(-1) ?? ""];
    if (!found) throw new Error(each.$ref);
    return found;
  });
  const hasBody = operation.requestBody !== undefined;
  const changed = valid ? fc.constant(-1) : fc.integer({ min: hasBody ? -2 : 0, max: parameters.length - 1 });
  // to make what draws the texts takes far longer than to draw one
  const made = new Map<number, fc.Arbitrary<DrawnRequest>>();
  const drawChanged = (index: number): fc.Arbitrary<DrawnRequest> =>
    fc
      .tuple(
        fc.tuple(...parameters.map((each, at) => drawParameter(each, credentials, at === index))),
        drawBody(document, operation, !valid && index < 0),
      )
      .map(([drawn, body]) => assemble(path, drawn, body));
  return changed.chain((index) => {
    const drawn = made.get(index) ?? drawChanged(index);
    made.set(index, drawn);
    return drawn;
  });
}

function drawParameter(
  parameter: OpenApiParameter,
  credentials: Credentials,
  change: boolean,
): fc.Arbitrary<DrawnParameter> {
  const { name, in: where, required = false, schema, example } = parameter;
  const known = credentials[name] ?? [];
  const values =
    known.length > 0
      ? fc.constantFrom(...known)
      : drawValid({ ...schema, ...(example !== undefined && { examples: [example] }) })
          .map(String)
          // of a header's value the blanks around it are no part
          .filter((text) => where !== "header" || (text !== "" && text === text.trim()));
  const taken = values.map((text): DrawnParameter => ({ parameter, text }));
  const absent = (forbidden: boolean): DrawnParameter => ({ parameter, change: `${name} left out`, forbidden });
  if (!change) return required ? taken : fc.oneof(taken, fc.constant({ parameter }));
  const { maxLength = 4_096, enum: listed, type } = schema;
  const takes = (text: string) =>
    (listed === undefined || listed.includes(text)) &&
    new RegExp(schema.pattern ?? "", "u").test(text) &&
    (type !== "integer" || /^\d+$/.test(text));
  const odd = [
    oddText.map((text) => ({
      parameter,
      text,
      change: `${name} is ${JSON.stringify(text)}`,
      // what a header cannot carry is changed below
      forbidden: where === "query" && !takes(text.toWellFormed()),
    })),
    fc.constant({
      parameter,
      text: "a".repeat(maxLength + 1),
      change: `${name} too long`,
      forbidden: schema.maxLength !== undefined && name !== "transaction_reference",
    }),
  ];
  return where === "path" ? fc.oneof(...odd) : fc.oneof(...odd, fc.constant(absent(required)));
}

function drawBody(
  { components }: OpenApiDocument,
  { requestBody }: OpenApiOperation,
  change: boolean,
): fc.Arbitrary<(Drawn & { readonly form: boolean }) | null> {
  const media = requestBody?.content["application/json"];
  if (!media) return fc.constant(null);
  const schema: JsonSchema = components.schemas[media.schema.$ref?.split("/").at(-1) ?? ""] ?? media.schema;
  const examples = Object.values(media.examples ?? {}).map(({ value }) => value);
  const valid = fc.oneof(fc.constantFrom(...examples), drawValid(schema));
  const drawn = change
    ? drawNear(schema, valid)
    : valid.map((value): Drawn => ({ value, change: "", forbidden: false }));
  const form = "application/x-www-form-urlencoded" in (requestBody?.content ?? {}) && !change;
  return fc.tuple(drawn, form ? fc.boolean() : fc.constant(false)).map(([each, sent]) => ({ ...each, form: sent }));
}

/** A header carries printable ASCII here, without blanks around it: what is not so, no client sends. */
const inHeader = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?").trim();

function assemble(
  path: string,
  parameters: readonly DrawnParameter[],
  body: (Drawn & { readonly form: boolean }) | null,
): DrawnRequest {
  const of = (where: OpenApiParameter["in"]) =>
    parameters.flatMap(({ parameter, text }) =>
      parameter.in === where && text !== undefined ? [[parameter.name, text.toWellFormed()] as const] : [],
    );
  const segments = Object.fromEntries(of("path"));
  const query = new URLSearchParams(of("query").map(([name, text]) => [name, text])).toString();
  const changes = [...parameters.map(({ change = "" }) => change), body?.change ?? ""].filter((each) => each !== "");
  return {
    path:
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(segments[name] ?? "")) +
      (query && `?${query}`),
    headers: {
      ...Object.fromEntries(
        parameters.flatMap(({ parameter }) => (parameter.in === "header" ? [[parameter.name, undefined]] : [])),
      ),
      ...Object.fromEntries(of("header").map(([name, text]) => [name, inHeader(text)])),
      ...(body?.form && { "Content-Type": "application/x-www-form-urlencoded" }),
    },
    ...(body && body.value !== undefined && { body: body.form ? toForm(body.value) : JSON.stringify(body.value) }),
    changes,
    forbidden: parameters.some(({ forbidden }) => forbidden) || body?.forbidden === true,
  };
}

const toForm = (value: unknown): string =>
  new URLSearchParams(
    Object.entries(value as object).map(([name, each]) => [name, String(each).toWellFormed()]),
  ).toString();
