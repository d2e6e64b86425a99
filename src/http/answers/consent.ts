/** Consents: for access to an account, and for a payment order. */
import * as z from "zod";
import { initiation } from "../../grants/payment-initiation.ts";
import { PERMISSIONS } from "../../grants/permission.ts";
import { instant, list } from "./field.ts";

const accountAccess = z.object({
  consent_id: z.string(),
  // one that is deleted or expired is not shown any more
  status: z.enum(["AwaitingAuthorisation", "Authorised"]),
  status_update_date_time: instant,
  creation_date_time: instant,
  permissions: list(z.enum(PERMISSIONS)),
  expiration_date_time: instant.optional(),
  transaction_from_date_time: instant.optional(),
  transaction_to_date_time: instant.optional(),
});
export const accountAccessConsent = z.object({ data: accountAccess });
/** Of its creation with version `latest`: the warning says that MAX_CONSENT_DAYS cut its expiration. */
export const accountAccessConsentLatest = z.object({ data: accountAccess.extend({ warning: z.string().optional() }) });
export type AccountAccessConsent = z.output<typeof accountAccessConsentLatest>;

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
