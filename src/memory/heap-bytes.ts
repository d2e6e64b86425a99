/**
 * How many bytes plain data takes in V8's heap at most: strings, numbers, booleans, null, arrays and objects. An upper
 * estimate for 64-bit pointers. test/unit/memory/memory-bounds.test.ts holds it against the real heap.
 */

/** Header and length; V8 allots in words of eight bytes. */
const STRING_BYTES = 32;
/** Although most texts need one byte a character: a text may hold any character. */
const BYTES_PER_CHARACTER = 2;
/** The object and its array of elements, with room to grow. */
const ARRAY_BYTES = 64;
const ELEMENT_BYTES = 8;
const OBJECT_BYTES = 64;
/** The value's slot; of an object with many properties also its place in a hash table, and the key's own string. */
const PROPERTY_BYTES = 64;
/** A number that is not a small integer is an object of its own. */
const NUMBER_BYTES = 16;
const MAX_SMALL_INTEGER = 2 ** 30 - 1;

/** An object that is met several times counts once. */
export function heapBytes(value: unknown): number {
  return weigh(value, new Set());
}

function weigh(value: unknown, counted: Set<object>): number {
  if (typeof value === "string") return STRING_BYTES + BYTES_PER_CHARACTER * value.length;
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) <= MAX_SMALL_INTEGER ? 0 : NUMBER_BYTES;
  if (typeof value !== "object" || value === null || counted.has(value)) return 0;
  counted.add(value);
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const element of value) bytes += ELEMENT_BYTES + weigh(element, counted);
    return ARRAY_BYTES + bytes;
  }
  for (const [key, property] of Object.entries(value))
    bytes += PROPERTY_BYTES + BYTES_PER_CHARACTER * key.length + weigh(property, counted);
  return OBJECT_BYTES + bytes;
}
