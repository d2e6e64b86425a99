/** Consents, and what a bank shows its customer of them: the permissions of an account, and its block. */
import * as z from "zod";
import { initiation } from "../../grants/payment-initiation.ts";
import { ENDED_BY, PERMISSIONS } from "../../grants/permission.ts";
import { AUTHORISATION_STATUSES } from "../../registers/psp-record.ts";
import { country, instant, list, scope } from "./field.ts";

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

const permission = z.object({
  id: z.string(),
  status: z.enum(["active", "ended"]),
  psp: z.object({
    legal_name: z.string().nullable(),
    authorisation_number: z.string(),
    home_country: country.nullable(),
    standing: z.enum(AUTHORISATION_STATUSES).nullable(),
  }),
  scope,
  consent_id: z.string().optional(),
  data: list(z.object({ group: z.string(), words: list(z.string()) })),
  permissions: list(z.enum(PERMISSIONS)).optional(),
  transaction_from_date_time: instant.nullable().optional(),
  transaction_to_date_time: instant.nullable().optional(),
  granted_at: instant,
  valid_until: instant.nullable(),
  last_token_at: instant.nullable(),
  blocked: z.boolean(),
  ended_at: instant.nullable(),
  ended_by: z.enum([...ENDED_BY, "expiry", "authorisation_lost"]).nullable(),
});
export type PermissionRecord = z.output<typeof permission>;

export const permissionList = z.object({ data: list(permission), next_cursor: z.string().optional() });
export type PermissionList = z.output<typeof permissionList>;

export const accountBlock = z.object({ data: z.object({ scopes: list(scope), blocked_at: instant.nullable() }) });
export type AccountBlock = z.output<typeof accountBlock>;
