/** Validates parameters of bodies, paths and queries. Each problem has the error code of its parameter. */

import { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import { type NativeRedirects, readNativeRedirects } from "../../grants/redirect-uri.ts";
import type { AppEnv } from "../context.ts";
import { ApiError, isErrorCode, type Problem } from "../errors/errors.ts";
import { parseJsonText } from "../json/body-text.ts";

type Target = "json" | "param" | "query";

const validateBy = <On extends Target, Schema extends z.ZodType>(target: On, schema: Schema) =>
  zValidator(target, schema, (result) => {
    if (!result.success) throw new ApiError(findProblems(result.error.issues, result.data));
  });

/**
 * Validates the JSON body, the path or the query. The handler reads `c.req.valid("json" | "param" | "query")`. The
 * schema is made by the first request (platform/schemas.ts).
 */
export function validate<On extends Target, Schema extends z.ZodType>(target: On, schemaOf: () => Schema) {
  type Validator = ReturnType<typeof validateBy<On, Schema>>;
  let made: Validator | undefined;
  const validator: Validator = (c, next) => {
    made ??= validateBy(target, schemaOf());
    return made(c, next);
  };
  return validator;
}

/**
 * As `validate("json", ...)`, for an endpoint that also takes a form: zod-validator reads no other body than one of the
 * type JSON.
 */
export const validateBody = <Schema extends z.ZodType>(schemaOf: () => Schema) => validateAt(schemaOf);

/**
 * As `validate("json", ...)`, with a schema that asks for the instant of the request (milliseconds since 1970). It is
 * made once, and parses without waiting, so no other request comes between the question and its answer.
 */
export function validateAt<Schema extends z.ZodType>(schemaOf: (now: () => number) => Schema) {
  let made: Schema | undefined;
  let instant = 0;
  return createMiddleware<AppEnv, string, { in: { json: z.input<Schema> }; out: { json: z.output<Schema> } }>(
    async (c, next) => {
      const body: unknown = await c.req.json();
      made ??= schemaOf(() => instant);
      instant = c.get("now");
      const result = made.safeParse(body);
      if (!result.success) {
        const inHeader = c.req.header("eidas") !== undefined;
        throw new ApiError(findProblems(result.error.issues, body, inHeader));
      }
      c.req.addValidatedData("json", result.data as object);
      await next();
    },
  );
}

/** As `validate("query", ...)`, for a route that is loaded by its first request. A repeated parameter is a list. */
export function parseQuery<Schema extends z.ZodType>(c: Context<AppEnv>, schema: Schema): z.output<Schema> {
  const given = Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ApiError(findProblems(parsed.error.issues, given));
  return parsed.data;
}

/**
 * At most one problem for each place in the input. The code is that of the parameter, the title contains the full path
 * to it. `null` counts as missing. Messages are phrases that follow the parameter's name. `inHeader`: a certificate was
 * sent in the header `eidas`.
 */
export function findProblems(issues: readonly z.core.$ZodIssue[], input: unknown, inHeader = false): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { path, message } of issues) {
    const name = path.findLast(isParameter);
    if (name === undefined) return [{ code: "body_malformed", title: `The body is ${describeNonObject(input)}` }];
    const place = describePlace(path);
    if (problems.has(place)) continue;
    // an invalid list element does not make the parameter missing
    const missing = path.at(-1) === name && readPath(input, path) == null;
    const said = missing ? `is missing${explainMissing(name, readPath(input, path.slice(0, -1)), inHeader)}` : message;
    problems.set(place, { ...codeOf(name, missing), title: `${place} ${said}` });
  }
  return [...problems.values()];
}

/**
 * `eidas`, the name of the header, and camel case are the usual mistakes. It tells the name of the schema, never one sent by
 * the client.
 */
function explainMissing(name: string, holder: unknown, inHeader: boolean): string {
  const given = Object.keys(Object(holder)).filter((each) => each !== name && lettersOf(each) === lettersOf(name));
  if (given.length > 0) {
    const counts = given.some((each) => each.toLowerCase() === name.toLowerCase()) ? "capitals" : "underscores";
    return `: its name is written ${name}, ${counts} count`;
  }
  return inHeader && name === CERTIFICATE_FIELD
    ? ": here the certificate is in the body as eIDAS, not in the header eidas"
    : "";
}

/** A name is at most so long; a longer one is not compared. */
const NAME_CHARACTERS = 64;
const lettersOf = (name: string): string =>
  name
    .slice(0, NAME_CHARACTERS)
    .replaceAll(/[^a-z]/gi, "")
    .toLowerCase();

/** For example `data.permissions[1]`. It contains only names of the schemas, never names sent by the client. */
const describePlace = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((place, step) => {
    if (typeof step === "number") return `${place}[${step}]`;
    return place === "" ? String(step) : `${place}.${String(step)}`;
  }, "");

/** In POST /v1/obie/ccg_tokens this field replaces the header `eidas`, so it shares the header's error codes. */
const CERTIFICATE_FIELD = "eIDAS";

function codeOf(name: string, missing: boolean): Problem {
  if (name === CERTIFICATE_FIELD)
    return { code: missing ? "certificate_missing" : "certificate_unreadable", status: 400 };
  const code = `${name}_${missing ? "missing" : "invalid"}`;
  return { code: isErrorCode(code) ? code : "body_malformed" };
}

const isParameter = (step: PropertyKey): step is string =>
  typeof step === "string" && (step === CERTIFICATE_FIELD || isErrorCode(`${step}_invalid`));

const readPath = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    input,
  );

/** Names the type of a value that should be an object. */
function describeNonObject(value: unknown): string {
  const held = typeof value === "string" ? parseJsonText(new TextEncoder().encode(value)) : null;
  if (held?.ok && typeof held.value === "object")
    return "a string that contains JSON: send the object itself, not encoded as a string";
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return `${kind}, not an object`;
}

/** As `validate("json", ...)`, with a schema that depends on the Worker's configuration. */
export function validateWithRedirect<Schema extends z.ZodType>(schemaOf: (native: NativeRedirects) => Schema) {
  type Validator = ReturnType<typeof validate<"json", Schema>>;
  const validators = new Map<string, Validator>();
  const validator: Validator = (c, next) => {
    const words = (c.env as Pick<Env, "NATIVE_REDIRECTS">).NATIVE_REDIRECTS;
    const made = validators.get(words) ?? validate("json", () => schemaOf(readNativeRedirects(words)));
    validators.set(words, made);
    return made(c, next);
  };
  return validator;
}
