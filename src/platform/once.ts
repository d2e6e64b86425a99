/**
 * Returns a function that makes the value by its first call, and gives the same from then on. For what a start of the Worker
 * would wait for and few requests use. If `make` throws, the next call makes it again.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
