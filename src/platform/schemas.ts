/** Schemas of the parts that requests are made of. Messages are phrases that follow the parameter's name. */
import * as z from "zod";

const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u;

/** A text of 1 to `max` characters without control characters and lone surrogates. `otherwise`: what is said of no text. */
export const text = (max: number, otherwise = "is not a string") =>
  z
    .string(otherwise)
    .min(1, "is empty")
    .max(max, `is longer than ${max} characters`)
    .regex(NO_CONTROL_CHARACTERS, "contains a control character")
    .refine((value) => value.isWellFormed(), "is not well-formed Unicode");

/** Optional: `null` and `""` count as absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === null || value === "" ? undefined : value), schema.optional());
