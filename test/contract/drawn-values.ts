/** Values drawn from a schema of the document: what it takes, and the same with one thing changed. */
import fc from "fast-check";
import type { JsonSchema } from "../../src/reference/open-api.ts";
import { anyCharacter } from "../unit/any-character.ts";
import { webUrl } from "../web-addresses.ts";

/** `forbidden`: the schema does not take it, as far as the change says. */
export interface Drawn {
  readonly value: unknown;
  /** What was changed, for the report of a failure. */
  readonly change: string;
  readonly forbidden: boolean;
}

/** What programs stumble over: halves of pairs, right to left, what joins, what has no width, names of prototypes. */
const ODD = [
  ..."\u0000\u0007\u007f\u0085\u00a0\u200b\u202e\u2028\ufeff\ufffd\ufffe",
  ...[
    "\ud800",
    "\udc00x",
    "e\u0301".repeat(9),
    "👩‍👩‍👧‍👦",
    "𝔄𠜎",
    "ﷺ",
    "İıſK",
    "__proto__",
    "constructor",
    "%00%zz",
    "' OR 1=1 --",
    "\r\nX: y",
  ],
];
export const oddText = fc.oneof(
  fc.constantFrom(...ODD),
  fc.array(fc.constantFrom(...ODD, "a", " "), { minLength: 1, maxLength: 9 }).map((parts) => parts.join("")),
  fc.string({ unit: anyCharacter, minLength: 1 }),
);

const typesOf = ({ type }: JsonSchema): readonly string[] => (typeof type === "string" ? [type] : (type ?? []));

/** A value that the schema takes: half of them one of its examples, where it has any. */
export function drawValid(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const forms = schema.oneOf ?? schema.anyOf;
  if (forms) return fc.oneof(...forms.map(drawValid));
  const types = typesOf(schema);
  const drawn = types.length === 0 ? fc.jsonValue() : fc.oneof(...types.map((type) => drawOfType(type, schema)));
  const { examples = [] } = schema;
  return examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), drawn) : drawn;
}

function drawOfType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], items = {}, minimum = 0, maximum = 1_000_000 } = schema;
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: minimum, max: maximum });
    case "array": {
      const { minItems: minLength = 0, maxItems: maxLength = 9 } = schema;
      const bounds = { minLength, maxLength };
      return schema.uniqueItems ? fc.uniqueArray(drawValid(items), bounds) : fc.array(drawValid(items), bounds);
    }
    case "object":
      return fc.record(
        Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, drawValid(field)])),
        {
          requiredKeys: [...required],
          noNullPrototype: true,
        },
      );
    case "string":
      return drawText(schema);
    default:
      throw new Error(`a schema of the type ${type}`);
  }
}

function drawText({ format, pattern, minLength = 0, maxLength = 64 }: JsonSchema): fc.Arbitrary<string> {
  if (format === "date-time")
    return fc
      .date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (format === "uri") return webUrl(["https"]).filter((uri) => uri.length <= maxLength);
  // a class of letters; the others name what is not allowed
  if (pattern && !pattern.includes("\\P")) return fc.stringMatching(new RegExp(pattern));
  const allowed = new RegExp(pattern ?? "", "u");
  const takes = (text: string) => [...text].length >= minLength && [...text].length <= maxLength && allowed.test(text);
  return fc.oneof(
    fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 64) }).filter(takes),
    // as long as may be
    fc.constantFrom("a", "é", "𝔄").map((letter) => letter.repeat(maxLength)),
  );
}

/** A place in a value: its schema, and whether what holds it must have it. */
interface Site {
  readonly path: readonly (string | number)[];
  readonly schema: JsonSchema;
  readonly required: boolean;
}

function sitesOf(schema: JsonSchema, value: unknown, path: Site["path"] = [], required = true): Site[] {
  const form = (schema.oneOf ?? schema.anyOf)?.find((each) => fits(each, value)) ?? schema;
  const inner = Array.isArray(value)
    ? value.flatMap((element, index) => sitesOf(form.items ?? {}, element, [...path, index], false))
    : Object.entries(form.properties ?? {}).flatMap(([name, field]) =>
        typeof value === "object" && value !== null && name in value
          ? sitesOf(field, Reflect.get(value, name), [...path, name], form.required?.includes(name) === true)
          : [],
      );
  return [{ path, schema: form, required }, ...inner];
}

/** Forms of a body differ by a constant. */
const fits = ({ properties = {} }: JsonSchema, value: unknown): boolean =>
  Object.entries(properties).every(
    ([name, { const: constant }]) =>
      constant === undefined || (typeof value === "object" && value !== null && Reflect.get(value, name) === constant),
  );

const OF_TYPES: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  integer: 7,
  string: "7",
  array: [],
  object: {},
};

/** The value with one thing changed: a field left out, of another type, too long, of odd text, or one more. */
export function drawNear(schema: JsonSchema, valid: fc.Arbitrary<unknown>): fc.Arbitrary<Drawn> {
  return valid.chain((value) =>
    fc.constantFrom(...sitesOf(schema, value)).chain((site) => {
      const { path, schema: place, required } = site;
      const types = typesOf(place);
      const at = `/${path.join("/")}`;
      const put = (inner: unknown, what: string, forbidden: boolean): Drawn => ({
        value: putAt(value, path, inner),
        change: `${at}: ${what}`,
        forbidden,
      });
      const others = Object.entries(OF_TYPES).filter(([type]) => types.length > 0 && !types.includes(type));
      const changes: fc.Arbitrary<Drawn>[] = [
        fc.constant({ value: removeAt(value, path), change: `${at}: left out`, forbidden: required }),
      ];
      if (others.length > 0)
        changes.push(fc.constantFrom(...others).map(([type, other]) => put(other, `of the type ${type}`, true)));
      if (types.includes("string")) {
        const { maxLength = 4_096, pattern, enum: values, const: constant } = place;
        const takes = new RegExp(pattern ?? "", "u");
        const listed = values ?? (constant === undefined ? undefined : [constant]);
        changes.push(
          fc
            .constantFrom("a", "é", "𝔄")
            .map((letter) => put(letter.repeat(maxLength + 1), "too long", place.maxLength !== undefined)),
          oddText.map((text) =>
            put(text, `odd text ${JSON.stringify(text)}`, listed ? !listed.includes(text) : !takes.test(text)),
          ),
        );
      }
      if (types.includes("object") && valueAt(value, path) !== null)
        changes.push(
          oddText.map((name) => ({
            value: putAt(value, [...path, name], name),
            change: `${at}: one more, ${JSON.stringify(name)}`,
            forbidden: false,
          })),
        );
      return fc.oneof(...changes);
    }),
  );
}

const valueAt = (value: unknown, path: Site["path"]): unknown =>
  path.reduce((inner, key) => Reflect.get(inner as object, key), value);

/** Copies; a member `__proto__` is one like any other. */
function putAt(value: unknown, [first, ...rest]: Site["path"], inner: unknown): unknown {
  if (first === undefined) return inner;
  if (Array.isArray(value)) return value.map((each, index) => (index === first ? putAt(each, rest, inner) : each));
  const entries = new Map(Object.entries(value as object));
  return Object.fromEntries(entries.set(String(first), putAt(entries.get(String(first)), rest, inner)));
}

function removeAt(value: unknown, [first, ...rest]: Site["path"]): unknown {
  if (first === undefined) return undefined;
  const goes = (key: string | number) => key === first && rest.length === 0;
  if (Array.isArray(value))
    return value.flatMap((each, index) => (goes(index) ? [] : [index === first ? removeAt(each, rest) : each]));
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, each]) =>
      goes(name) ? [] : [[name, name === first ? removeAt(each, rest) : each]],
    ),
  );
}
