/** What the project's own forms share: fields with precise problems, and how a problem is told. */
import * as z from "zod";
import { readCountry } from "../../platform/country.ts";

export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Formats a problem as `psps[3].categories[0].services[1]: 9 is not a payment service (1 to 8)`. */
export function describeProblem({ path, message }: Problem): string {
  const place = path.map((step, i) => (typeof step === "number" ? `[${step}]` : `${i > 0 ? "." : ""}${step}`)).join("");
  return place === "" ? `the file ${message}` : `${place}: ${message}`;
}

export const problemsOf = ({ issues }: z.ZodError): Problem[] =>
  issues.map(({ path, message }) => ({ path: path.map(toStep), message }));

const toStep = (step: PropertyKey): string | number => (typeof step === "number" ? step : String(step));

export function parseJson(
  json: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: Problem } {
  try {
    return { ok: true, value: JSON.parse(json.replace(/^\uFEFF/, "")) };
  } catch (error) {
    return { ok: false, problem: { path: [], message: `is not JSON: ${(error as Error).message}` } };
  }
}

export const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));
export const oneOf = <Value extends string>(values: readonly Value[], what: string) =>
  z.enum(values, { error: ({ input }) => `${shown(input)} is not ${what}: ${values.join(", ")}` });

export const text = (maxLength: number) =>
  z
    .string({ error: ({ input }) => `${shown(input)} is not a text` })
    .trim()
    .min(1, { error: "is empty" })
    .max(maxLength, { error: `is longer than ${maxLength} characters` });

export const country = z
  .string({ error: ({ input }) => `${shown(input)} is not a country code` })
  .refine((code) => readCountry(code) !== null, { error: ({ input }) => `${shown(input)} is not a two-letter country` })
  .transform((code) => readCountry(code) ?? code);
