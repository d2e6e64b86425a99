/** A JSON Schema for people: its fields as nested lists, each with its type, its text and its bounds. */
import { html, raw } from "hono/html";
import { Marked } from "marked";
import type { JsonSchema, OpenApiDocument } from "./open-api.ts";
import type { Markup } from "./page.ts";

/** Angle brackets of a text are no HTML. */
const TEXTS = new Marked({ renderer: { html: ({ text }) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;") } });
const inline = (text: string): Markup => raw(TEXTS.parseInline(text, { async: false }));
export const paragraphs = (text: string): Markup => raw(TEXTS.parse(text, { async: false }));

/** What stands at a `$ref` of the document, or the value itself. */
export function resolve<Value extends object>(
  document: OpenApiDocument,
  value: Value | { readonly $ref: string },
): Value {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as Value;
  const [, , kind = "", name = ""] = value.$ref.split("/");
  return Reflect.get(Reflect.get(document.components, kind), name);
}

interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
}

export const makeFields = (fields: readonly Field[]): Markup => html`<ul class="fields">${fields.map(makeField)}</ul>`;

function makeField({ name, schema, required, description = schema.description }: Field): Markup {
  const bounds = boundsOf(schema);
  const values = schema.enum ?? schema.items?.enum ?? [];
  return html`<li><p class="field"><code>${name}</code> <span>${typeOf(schema)}</span>${required && html` <b>required</b>`}</p>
${description && html`<p>${inline(description)}</p>`}
${bounds.length > 0 && html`<p class="bounds">${bounds.map((bound, i) => html`${i > 0 && " · "}${bound}`)}</p>`}
${values.length > MOST_VALUES && fold(`one of ${values.length} values`, true, html`<p class="bounds">${listValues(values)}</p>`)}
${foldFields(schema)}</li>`;
}

/** A longer list of fields, codes or headers is folded. The class tells it from an example, which the search does not read. */
export const MOST_OPEN = 5;

export const fold = (summary: string, folded: boolean, content: Markup | ""): Markup =>
  folded ? html`<details class="fold"><summary>${summary}</summary>${content}</details>` : html`${content}`;

/** As `makeSchema`: a long list folds. */
export function foldFields(schema: JsonSchema): Markup {
  const count = countFields(schema);
  return fold(`${count} fields`, count > MOST_OPEN, makeSchema(schema));
}

/** With those of fields within, in all forms. */
function countFields({ properties = {}, items, anyOf, oneOf }: JsonSchema): number {
  const own = Object.values(properties);
  const within = [...own, ...(items ? [items] : []), ...(anyOf ?? oneOf ?? [])];
  return within.reduce((sum, schema) => sum + countFields(schema), own.length);
}

/** The fields of an object, of the objects of a list, or of each form; nothing for a single value. */
export function makeSchema({ properties, required = [], items, anyOf, oneOf }: JsonSchema): Markup | "" {
  if (properties)
    return makeFields(
      Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) })),
    );
  if (items) return makeSchema(items);
  const forms = (anyOf ?? oneOf ?? []).filter((form) => form.properties);
  if (forms.length < 2) return forms[0] ? makeSchema(forms[0]) : "";
  return html`${forms.map((form, i) => html`<p class="form"><b>${nameOfForm(form) ?? `Form ${i + 1}`}</b></p>${makeSchema(form)}`)}`;
}

/** The field that has one value only tells the forms apart. */
function nameOfForm({ properties = {} }: JsonSchema): Markup | undefined {
  const only = Object.entries(properties).find(([, { const: value }]) => value !== undefined);
  return only && html`Form with <code>${only[0]}: ${JSON.stringify(only[1].const)}</code>`;
}

function typeOf({ type, items, anyOf, oneOf, const: only, enum: values }: JsonSchema): string {
  const forms = anyOf ?? oneOf;
  if (forms) return [...new Set(forms.map(typeOf))].join(" or ");
  if (type === undefined) return only === undefined && values === undefined ? "any" : typeof (only ?? values?.[0]);
  const list = items ? `list of ${typeOf(items)}` : "list";
  return [type]
    .flat()
    .map((each) => (each === "array" ? list : each))
    .join(" or ");
}

/** More are folded. */
const MOST_VALUES = 8;
/** A longer pattern tells a reader nothing: the text beside it says what is taken. */
const LONGEST_PATTERN = 60;

const code = (value: unknown): Markup =>
  html`<code>${typeof value === "string" ? value : JSON.stringify(value)}</code>`;
const listValues = (values: readonly unknown[]): Markup =>
  html`${values.map((value, i) => html`${i > 0 && ", "}${code(value)}`)}`;

/** The bounds of the values, and an example where they are not all named. */
function boundsOf(schema: JsonSchema): Markup[] {
  const { items, enum: values, const: only, format, pattern, examples } = schema;
  const between = (least = 0, most = Number.MAX_SAFE_INTEGER, what = "") => {
    if (most === Number.MAX_SAFE_INTEGER) return least === 0 ? [] : [html`at least ${least}${what}`];
    return [html`${least === 0 ? "at most" : `${least} to`} ${most}${what}`];
  };
  return [
    ...(only !== undefined ? [html`always ${only === "" ? "empty" : code(only)}`] : []),
    ...(values && values.length <= MOST_VALUES ? [html`one of ${listValues(values)}`] : []),
    ...between(schema.minLength, schema.maxLength, schema.maxLength ? " characters" : " character"),
    ...between(schema.minimum, schema.maximum),
    ...between(schema.minItems, schema.maxItems, schema.maxItems ? " elements" : " element"),
    ...(format ? [html`${format}`] : []),
    ...(pattern && pattern.length <= LONGEST_PATTERN ? [html`pattern ${code(pattern)}`] : []),
    ...(items && !items.properties ? boundsOf(items) : []),
    ...(examples?.[0] !== undefined && examples[0] !== "" ? [html`e.g. ${code(examples[0])}`] : []),
  ];
}
