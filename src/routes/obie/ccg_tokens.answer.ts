/** CCG tokens. */
import * as z from "zod";
import { issuedToken, scope } from "../../http/answer-fields.ts";

export const ccgToken = z.object({
  psp_id: z.string(),
  ...issuedToken,
  scope,
  payment_service_number: z.literal([7, 8]),
  active: z.boolean(),
  warning: z.string().optional(),
});
export type CcgToken = z.output<typeof ccgToken>;
