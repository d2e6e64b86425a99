/** Validates parameters of bodies, paths and queries. Each problem has the error code of its parameter. */

import { type Hook, zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import type * as z from "zod";
import { type NativeRedirects, readNativeRedirects } from "../../grants/redirect-uri.ts";
import type { Instant } from "../../platform/instant.ts";
import type { AppEnv } from "../context.ts";
import { isErrorCode } from "../errors/error-response.ts";
import { ApiError, type Problem } from "../errors/errors.ts";
import { parseJsonText } from "../json/body-text.ts";
import {
  CERTIFICATE_FIELD,
  describePlace,
  explainMissing,
  findMisspelt,
  isParameter,
  readPath,
} from "./missing-member.ts";
import { hasOldName } from "./request-headers.ts";

type Target = "json" | "param" | "query";

/** What a schema may ask while it parses, of the request that it parses. It does not wait, so no other comes between. */
export interface Asking {
  readonly now: () => Instant;
  readonly native: () => NativeRedirects;
}

/** What the steps behind read by `c.req.valid`. */
interface Valid<On extends Target, Schema extends z.ZodType> {
  readonly in: Record<On, z.input<Schema>>;
  readonly out: Record<On, z.output<Schema>>;
}

/** Validates the JSON body, the path or the query. The schema is made by the first request; the handler reads `c.req.valid`. */
export function validate<On extends Target, Schema extends z.ZodType>(
  on: On,
  schemaOf: (asking: Asking) => Schema,
): MiddlewareHandler<AppEnv, string, Valid<On, Schema>>;
export function validate(on: Target, schemaOf: (asking: Asking) => z.ZodType): MiddlewareHandler<AppEnv> {
  let [made, instant, words]: [z.ZodType | undefined, number, string] = [undefined, 0, ""];
  return (c, next) => {
    made ??= schemaOf({ now: () => instant, native: () => readNativeRedirects(words) });
    const schema = made;
    let given: unknown;
    const validationFunction = async (_: z.ZodType, value: unknown) => {
      // the package takes a form's body for none
      given = on === "json" ? await c.req.json() : value;
      [instant, words] = [c.get("now"), c.env.NATIVE_REDIRECTS];
      const result = schema.safeParse(given);
      const misspelt = result.success && on === "json" ? findMisspelt(given, schema) : null;
      if (misspelt) {
        const { path, explanation } = misspelt;
        throw new ApiError({
          ...codeOf(path.at(-1) ?? "", false),
          title: `${describePlace(path)} is not there${explanation}`,
        });
      }
      if (result.success) noteAccount(c, result.data);
      return result;
    };
    const refuse: Hook<unknown, AppEnv, string, Target, object, z.ZodType> = (result) => {
      if (result.success) return;
      const inHeader = c.req.header("eidas") !== undefined || hasOldName(c, "eidas");
      throw new ApiError(findProblems(result.error.issues, given, schema, inHeader));
    };
    const step: MiddlewareHandler<AppEnv> = zValidator(on, schema, refuse, { validationFunction });
    return step(c, next);
  };
}

/** The record of a refusal names the account, too: the certificate is looked at behind the body. */
function noteAccount(c: Context<AppEnv>, valid: unknown): void {
  const { account_id, psu_account_id = account_id } = Object(valid) as Readonly<Record<string, unknown>>;
  if (typeof psu_account_id === "string") c.set("concerns", { ...c.get("concerns"), accountId: psu_account_id });
}

/**
 * At most one problem for each place in the input. The code is that of the parameter, the title contains the full path
 * to it. `null` counts as missing. Messages are phrases that follow the parameter's name. `schema`: of the input. `inHeader`:
 * a certificate was sent in a header.
 */
export function findProblems(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  schema: z.ZodType,
  inHeader = false,
): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { path, message } of issues) {
    const name = path.findLast(isParameter);
    if (name === undefined) return [{ code: "body_malformed", title: `The body is ${describeNonObject(input)}` }];
    const place = describePlace(path);
    if (problems.has(place)) continue;
    // an invalid list element does not make the parameter missing
    const missing = path.at(-1) === name && readPath(input, path) == null;
    const said = missing ? `is missing${explainMissing({ path, input, schema, inHeader })}` : message;
    problems.set(place, { ...codeOf(name, missing), title: `${place} ${said}` });
  }
  return [...problems.values()];
}

function codeOf(name: string, missing: boolean): Problem {
  if (name === CERTIFICATE_FIELD)
    return { code: missing ? "certificate_missing" : "certificate_unreadable", status: 400 };
  const code = `${name}_${missing ? "missing" : "invalid"}`;
  return { code: isErrorCode(code) ? code : "body_malformed" };
}

/** Names the type of a value that should be an object. */
function describeNonObject(value: unknown): string {
  const held = typeof value === "string" ? parseJsonText(new TextEncoder().encode(value)) : null;
  if (held?.ok && typeof held.value === "object")
    return "a string that contains JSON: send the object itself, not encoded as a string";
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return `${kind}, not an object`;
}
