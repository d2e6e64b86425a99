/** The CCG token, at the top level of its answer. */
import * as z from "zod";
import { scope, seconds, tokenType } from "./field.ts";

export const ccgToken = z.object({
  psp_id: z.string(),
  access_token: z.string(),
  expires_in: seconds,
  token_type: tokenType,
  scope,
  payment_service_number: z.literal([7, 8]),
  active: z.boolean(),
  warning: z.string().optional(),
});
export type CcgToken = z.output<typeof ccgToken>;
