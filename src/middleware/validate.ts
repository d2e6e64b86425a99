/** Parameters of bodies, paths and queries against their schema: each problem is named by the parameter that has it. */
import { zValidator } from "@hono/zod-validator";
import type { z } from "zod";
import { PARAMETERS, type Parameter } from "../error-catalogue.ts";
import { ApiError, type Problem } from "../errors.ts";
import { parseJsonText } from "../json-text.ts";

/** The JSON body, the path's or the query's parameters: `c.req.valid("json" | "param" | "query")` in the handler. */
export const validate = <Target extends "json" | "param" | "query", Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) =>
  zValidator(target, schema, (result) => {
    if (!result.success) throw new ApiError(findProblems(result.error.issues, result.data));
  });

/** One problem for each parameter that has any. `null` counts as missing. Messages are phrases that follow the name. */
export function findProblems(issues: readonly z.core.$ZodIssue[], input: unknown): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { path, message } of issues) {
    const name = path.findLast(isParameter);
    if (name === undefined) return [{ code: "body_malformed", title: `The body is ${describeNonObject(input)}` }];
    if (problems.has(name)) continue;
    // an element of a list is not the parameter itself
    const missing = path.at(-1) === name && readPath(input, path) == null;
    problems.set(
      name,
      missing ? { code: `${name}_missing` } : { code: `${name}_invalid`, title: `${name} ${message}` },
    );
  }
  return [...problems.values()];
}

const isParameter = (step: PropertyKey): step is Parameter => (PARAMETERS as readonly PropertyKey[]).includes(step);

const readPath = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    input,
  );

/** What is there instead of an object. */
function describeNonObject(value: unknown): string {
  const held = typeof value === "string" ? parseJsonText(new TextEncoder().encode(value)) : null;
  if (held?.ok && typeof held.value === "object")
    return "a string that holds JSON: send the object itself, without quotation marks around it";
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return `${kind}, not an object`;
}
