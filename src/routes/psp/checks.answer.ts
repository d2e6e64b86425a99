/** Many results of the PSP check at once. */
import * as z from "zod";
import { country, type Errors, list } from "../../http/answer-fields.ts";
import type { ErrorCode } from "../../http/errors/every-code.ts";
import { type PspCheck, pspCheck, pspCheckLatest } from "./eidas.answer.ts";

const errorsOf = <Code extends ErrorCode>(...codes: [Code, ...Code[]]) => ({
  errors: z.array(z.object({ id: z.string(), code: z.enum(codes), title: z.string(), link: z.string() })).min(1),
});

const refusedElement = errorsOf(
  "checks_invalid",
  "id_invalid",
  "certificate_missing",
  "certificate_unreadable",
  "jurisdictions_missing",
  "jurisdictions_invalid",
  "check_postponed",
  "temporarily_unavailable",
);

const checksOf = <Result extends z.ZodType>(result: Result) => {
  const id = { id: z.string().optional() };
  const there = z.union([
    z.object({ jurisdiction: country, result }),
    z.object({ jurisdiction: country.nullable(), ...errorsOf("jurisdiction_invalid") }),
  ]);
  return z.object({
    data: list(z.union([z.object({ ...id, results: list(there) }), z.object({ ...id, ...refusedElement })])),
  });
};

export const pspChecks = checksOf(pspCheck);
export const pspChecksLatest = checksOf(pspCheckLatest);

/** As a handler makes them; which codes there are says the schema. */
export type PspChecksThere =
  | { readonly jurisdiction: string; readonly result: PspCheck }
  | { readonly jurisdiction: string | null; readonly errors: Errors };
export type PspChecksElement = { readonly id?: string } & (
  | { readonly results: readonly PspChecksThere[] }
  | { readonly errors: Errors }
);
