/** Stored tokens: the record of the core flow, and the token information of the open-banking flow. */
import * as z from "zod";
import { list, scope, seconds, tokenType } from "./field.ts";

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
