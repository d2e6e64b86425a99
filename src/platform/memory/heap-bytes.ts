/**
 * Estimates the size of plain data in V8's heap: strings, numbers, booleans, null, arrays and objects. The result is an
 * upper bound for 64-bit pointers; test/unit/platform/memory/memory-bounds.test.ts compares it with the real heap.
 */

/** Header and length; V8 allocates in words of eight bytes. */
const STRING_BYTES = 32;
/** Most strings need one byte for each character, but strings with characters beyond U+00FF need two. */
const BYTES_PER_CHARACTER = 2;
/** The object and its array of elements, with spare capacity. */
const ARRAY_BYTES = 64;
const ELEMENT_BYTES = 8;
const OBJECT_BYTES = 64;
/** The value's slot; in an object with many properties also its hash table entry and the key's string. */
const PROPERTY_BYTES = 64;
/** V8 stores a number that is not a small integer as a heap object. */
const NUMBER_BYTES = 16;
const MAX_SMALL_INTEGER = 2 ** 30 - 1;

/** An object that occurs several times is counted once. */
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
