/** Introspected tokens (RFC 7662). */
import * as z from "zod";
import { PERMISSIONS } from "../grants/permission.ts";
import { instant, list, scope, scopeDecision, seconds, tokenType } from "../http/answer-fields.ts";
import { AUTHORISATION_STATUSES } from "../registers/psp-record.ts";

export const activeToken = z.object({
  active: z.literal(true),
  scope,
  client_id: z.string(),
  psp_id: z.string(),
  account_id: z.string(),
  consent_id: z.string().optional(),
  permissions: list(z.enum(PERMISSIONS)).optional(),
  transaction_from_date_time: instant.optional(),
  transaction_to_date_time: instant.optional(),
  iat: seconds,
  exp: seconds,
  token_type: tokenType,
  cnf: z.object({ "x5t#S256": z.string() }).optional(),
  psp: z.object({
    legal_name: z.string().nullable(),
    standing: z.enum(AUTHORISATION_STATUSES).nullable(),
    decision: scopeDecision,
  }),
});
export type ActiveToken = z.output<typeof activeToken>;

/** Nothing else is said of it (RFC 7662 section 2.2). */
export const inactiveToken = z.object({ active: z.literal(false) });
export type InactiveToken = z.output<typeof inactiveToken>;
