/**
 * Compares an answer with the expected one, whole: every field, no other, in any order. A field that cannot be known
 * beforehand is expected in a form; of an object only a part may be expected.
 */

/** What an id, a token or an instant has to look like, and how it relates to what was sent. */
export class Form {
  readonly description: string;
  readonly fits: (value: unknown) => boolean;

  constructor(description: string, fits: (value: unknown) => boolean) {
    this.description = description;
    this.fits = fits;
  }
}

export const textLike = (description: string, pattern: RegExp): Form =>
  new Form(description, (value) => typeof value === "string" && pattern.test(value));

export const wholeNumberFrom = (least: number, most: number): Form =>
  new Form(
    `a whole number from ${least} to ${most}`,
    (value) => typeof value === "number" && Number.isInteger(value) && value >= least && value <= most,
  );

/** An instant in UTC as the service writes them. Both ends in milliseconds since 1970, and included. */
export const instantFrom = (least: number, most: number): Form =>
  new Form(`an instant from ${new Date(least).toISOString()} to ${new Date(most).toISOString()}`, (value) => {
    if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
    const instant = Date.parse(value);
    return instant >= least && instant <= most;
  });

/** An object that has these fields, and perhaps others. */
export class Part {
  readonly fields: object;

  constructor(fields: object) {
    this.fields = fields;
  }
}

/** The first difference in a sentence, with its place; null if there is none. */
export function findDifference(expected: unknown, actual: unknown, place = "the answer"): string | null {
  if (expected instanceof Form)
    return expected.fits(actual) ? null : `${place} is ${show(actual)}, expected: ${expected.description}`;
  if (expected instanceof Part) return differAsObject(expected.fields, actual, place, { whole: false });
  if (Array.isArray(expected)) return differAsArray(expected, actual, place);
  if (typeof expected === "object" && expected !== null)
    return differAsObject(expected, actual, place, { whole: true });
  return Object.is(expected, actual) ? null : `${place} is ${show(actual)}, expected: ${show(expected)}`;
}

function differAsArray(expected: readonly unknown[], actual: unknown, place: string): string | null {
  if (!Array.isArray(actual)) return `${place} is ${show(actual)}, expected: an array`;
  if (actual.length !== expected.length)
    return `${place} has ${actual.length} elements, expected: ${expected.length}: ${show(actual)}`;
  for (const [index, element] of expected.entries()) {
    const difference = findDifference(element, actual[index], `${place}[${index}]`);
    if (difference !== null) return difference;
  }
  return null;
}

function differAsObject(
  expected: object,
  actual: unknown,
  place: string,
  { whole }: { whole: boolean },
): string | null {
  if (typeof actual !== "object" || actual === null || Array.isArray(actual))
    return `${place} is ${show(actual)}, expected: an object`;
  for (const [name, value] of Object.entries(expected)) {
    if (!Object.hasOwn(actual, name)) return `${place}.${name} is missing`;
    const difference = findDifference(value, Reflect.get(actual, name), `${place}.${name}`);
    if (difference !== null) return difference;
  }
  const unexpected = whole ? Object.keys(actual).find((name) => !Object.hasOwn(expected, name)) : undefined;
  return unexpected === undefined
    ? null
    : `${place}.${unexpected} is unexpected: ${show(Reflect.get(actual, unexpected))}`;
}

const SHOWN_CHARACTERS = 300;

function show(value: unknown): string {
  const text = value === undefined ? "absent" : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
}
