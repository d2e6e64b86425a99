/** Redirect records: with a code, and with a refusal. */
import * as z from "zod";
import { errors } from "../http/answer-fields.ts";

export const redirectRecord = z.object({
  data: z.object({
    redirect_uri: z.object({
      base_uri: z.string(),
      parameters: z.object({ code: z.string(), state: z.string().optional() }),
      full_uri: z.string(),
    }),
  }),
});
export type RedirectRecord = z.output<typeof redirectRecord>;

/** The base is spelled `base_url` here, as in the interface's example. */
export const refusedRedirectRecord = z.object({
  data: z.object({
    redirect_uri: z.object({
      base_url: z.string(),
      parameters: z.object({
        error: z.enum(["invalid_scope", "access_denied"]),
        error_description: z.string(),
        state: z.string().optional(),
      }),
      full_uri: z.string(),
    }),
  }),
  errors,
});
export type RefusedRedirectRecord = z.output<typeof refusedRedirectRecord>;
