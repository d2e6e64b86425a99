/** Schemas of the routes, each made by its first use: to make all of them takes longer than all else that a start does. */
import type * as z from "zod";

/** The same schema from every call. */
export function lazySchema<Schema extends z.ZodType>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
