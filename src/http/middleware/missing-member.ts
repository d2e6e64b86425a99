/**
 * What became of a missing member of a body: it has another spelling, stands at another place, or its own members stand where
 * they do not belong. It tells names of the schemas, never one sent by the client.
 */
import type * as z from "zod";
import { isErrorCode } from "../errors/error-response.ts";

/** In POST /v1/obie/ccg_tokens this field replaces the header `eidas`, so it shares the header's error codes. */
export const CERTIFICATE_FIELD = "eIDAS";

/** A name of some schema: what it may be has a code. */
export const isParameter = (step: PropertyKey): step is string =>
  typeof step === "string" && (step === CERTIFICATE_FIELD || isErrorCode(`${step}_invalid`));

export interface Missing {
  /** Of the missing member in the body. */
  readonly path: readonly PropertyKey[];
  readonly input: unknown;
  /** Of the whole body. */
  readonly schema: z.ZodType;
  /** Whether a certificate was sent in the header `eidas`. */
  readonly inHeader: boolean;
}

/** The end of a sentence that says that the member is missing; empty if nothing more is known. */
export function explainMissing({ path, input, schema, inHeader }: Missing): string {
  const [name, parent] = [String(path.at(-1)), path.slice(0, -1)];
  const given = Object.keys(Object(readPath(input, parent)));
  const spelt = given.filter((each) => isMisspelt(each, name));
  if (spelt.length > 0) return explainSpelling(name, spelt);
  if (inHeader && name === CERTIFICATE_FIELD)
    return ": here the certificate is in the body as eIDAS, not in the header eidas";
  const place = findMember(input, schema, name);
  if (place !== null) return `: it is ${describeObject(place)}, and belongs ${describeObject(parent)}`;
  const astray = Object.keys(membersAt(schema, path)).filter((inner) => findMember(input, schema, inner) !== null);
  if (astray.length > 0) return `: ${astray.join(", ")} ${astray.length === 1 ? "belongs" : "belong"} in it`;
  const expected = Object.keys(membersAt(schema, parent));
  const similar = given.find((each) => !expected.includes(each) && isPartOfOther(lettersOf(each), lettersOf(name)));
  if (similar === undefined) return "";
  return isParameter(similar) ? `: ${similar} was sent in its place` : `: its name is written ${name}`;
}

const isMisspelt = (given: string, name: string): boolean => given !== name && lettersOf(given) === lettersOf(name);

function explainSpelling(name: string, spelt: readonly string[]): string {
  const counts = spelt.some((each) => each.toLowerCase() === name.toLowerCase()) ? "capitals" : "underscores";
  return `: its name is written ${name}, ${counts} count`;
}

interface Misspelt {
  readonly path: readonly string[];
  /** The end of a sentence that says that the member is not there. */
  readonly explanation: string;
}

/**
 * The first member that stands in the body under another spelling, and would be ignored: a consent that was to end would have no
 * end. Null: there is none. `schema`: by which the body is valid.
 */
export function findMisspelt(input: unknown, schema: z.ZodType): Misspelt | null {
  const search = (
    value: unknown,
    members: Readonly<Record<string, z.ZodType>>,
    path: readonly string[],
  ): Misspelt | null => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    for (const [given, inner] of Object.entries(value)) {
      const known = Object.hasOwn(members, given) ? members[given] : undefined;
      const misspelt = known
        ? search(inner, membersOf(known), [...path, given])
        : inner === null
          ? null
          : explain(given, value, members, path);
      if (misspelt) return misspelt;
    }
    return null;
  };
  const explain = (given: string, value: object, members: object, path: readonly string[]) => {
    const name = Object.keys(members).find((member) => isMisspelt(given, member) && !Object.hasOwn(value, member));
    return name === undefined ? null : { path: [...path, name], explanation: explainSpelling(name, [given]) };
  };
  return search(input, membersOf(schema), []);
}

/** A name is at most so long; a longer one is not compared. */
const NAME_CHARACTERS = 64;
const lettersOf = (name: string): string =>
  name
    .slice(0, NAME_CHARACTERS)
    .replaceAll(/[^a-z]/gi, "")
    .toLowerCase();

const LEAST_LETTERS = 4;
/** Such as account_id of psu_account_id, jurisdiction of jurisdictions; token_type_hint says something of a token, and is none. */
function isPartOfOther(...names: readonly [string, string]): boolean {
  const [one, other] = names.map((name) => name.replace(/s$/, "")) as [string, string];
  return Math.min(one.length, other.length) >= LEAST_LETTERS && (one.endsWith(other) || other.endsWith(one));
}

/** For example `data.permissions[1]`. It contains only names of the schemas, never names sent by the client. */
export const describePlace = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((place, step) => {
    if (typeof step === "number") return `${place}[${step}]`;
    return place === "" ? String(step) : `${place}.${String(step)}`;
  }, "");

export const readPath = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    input,
  );

/** Deeper than any schema. */
const DEPTH = 4;

/** Which object of the body has the member although its schema does not; null if none has. */
function findMember(input: unknown, schema: z.ZodType, name: string): readonly string[] | null {
  const search = (value: unknown, path: readonly string[]): readonly string[] | null => {
    if (typeof value !== "object" || value === null || path.length > DEPTH) return null;
    const held = Object.hasOwn(value, name) && Reflect.get(value, name) != null;
    if (held && !Object.hasOwn(membersAt(schema, path), name)) return path;
    for (const [member, inner] of Object.entries(value)) {
      const place = isParameter(member) ? search(inner, [...path, member]) : null;
      if (place) return place;
    }
    return null;
  };
  return search(input, []);
}

const describeObject = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? "directly in the body" : `in ${describePlace(path)}`;

/** What schemas of zod are made of: objects; unions of them; what is around another. */
interface Parts {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly out?: z.ZodType;
}
function membersOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const { shape, options, innerType, out } = schema.def as Parts;
  const inner = options ?? [innerType ?? out].filter((each) => each !== undefined);
  return shape ?? Object.assign({}, ...inner.map(membersOf));
}

const membersAt = (schema: z.ZodType, path: readonly PropertyKey[]): Readonly<Record<string, z.ZodType>> =>
  path.reduce<Readonly<Record<string, z.ZodType>>>((members, step) => {
    const inner = members[String(step)];
    return inner ? membersOf(inner) : {};
  }, membersOf(schema));
