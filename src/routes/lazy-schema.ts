/** Schemas of the routes, each made by its first use: to make all of them takes longer than all else that a start does. */
import type * as z from "zod";
import { once } from "../once.ts";

/** The same schema from every call. */
export const lazySchema: <Schema extends z.ZodType>(make: () => Schema) => () => Schema = once;
