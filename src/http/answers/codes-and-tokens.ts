/** Redirect records with codes, and tokens: as they are issued, kept and introspected (RFC 7662). */
import * as z from "zod";
import { PERMISSIONS } from "../../grants/permission.ts";
import { AUTHORISATION_STATUSES } from "../../registers/psp-record.ts";
import { errors, instant, list, scope, scopeDecision, seconds, tokenType } from "./field.ts";

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

const token = { access_token: z.string(), expires_in: seconds, token_type: tokenType };

export const accessToken = z.object({ data: z.object({ ...token, scope }) });
export type AccessToken = z.output<typeof accessToken>;

export const openBankingAccessToken = z.object({ data: z.object({ ...token, state: z.string().optional() }) });
export type OpenBankingAccessToken = z.output<typeof openBankingAccessToken>;

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

/** With version `latest` an active token carries it if its PSP has lost the payment service. */
const warning = { warning: z.string().optional() };

const record = z.object({
  token: z.string(),
  active: z.boolean(),
  psp_id: z.string(),
  account_id: z.string(),
  scope,
  exp: seconds,
  iat: seconds,
  revoked_at: seconds.nullable(),
});
const recordLatest = record.extend(warning);
export type TokenRecord = z.output<typeof recordLatest>;

export const tokenRecord = z.object({ data: record });
export const tokenRecordLatest = z.object({ data: recordLatest });
export const tokenList = z.object({ data: list(record) });
export const tokenListLatest = z.object({ data: list(recordLatest) });

const information = z.object({
  access_token: z.string(),
  expires_in: seconds,
  token_type: tokenType,
  active: z.boolean(),
});
export const tokenInformation = z.object({ data: information });
export const tokenInformationLatest = z.object({ data: information.extend(warning) });
export type TokenInformation = z.output<typeof tokenInformationLatest>;

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
