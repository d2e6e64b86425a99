/** Payment order consents. */
import * as z from "zod";
import { initiation } from "../../grants/payment-initiation.ts";
import { instant, list } from "../../http/answer-fields.ts";

const paymentOrder = z.object({
  consent_id: z.string(),
  status: z.enum(["AwaitingAuthorisation", "Authorised", "Consumed"]),
  status_update_date_time: instant,
  creation_date_time: instant,
  initiation: initiation(),
});
export const paymentOrderConsent = z.object({ data: paymentOrder });
export type PaymentOrderConsent = z.output<typeof paymentOrderConsent>;
export const paymentOrderConsentList = z.object({ data: list(paymentOrder), next_cursor: z.string().optional() });
export type PaymentOrderConsentList = z.output<typeof paymentOrderConsentList>;
