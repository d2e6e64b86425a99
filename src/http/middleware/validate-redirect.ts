/** The body of an authorization request: which redirect URIs are taken depends on NATIVE_REDIRECTS. */
import type * as z from "zod";
import { type NativeRedirects, readNativeRedirects } from "../../grants/redirect-uri.ts";
import { validate } from "./validate.ts";

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
