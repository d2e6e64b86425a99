/** Access tokens of the core flow, and records of tokens. */
import * as z from "zod";
import { issuedToken, list, lostService, scope, seconds } from "../../http/answer-fields.ts";

export const accessToken = z.object({ data: z.object({ ...issuedToken, scope }) });
export type AccessToken = z.output<typeof accessToken>;

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
const recordLatest = record.extend(lostService);
export type TokenRecord = z.output<typeof recordLatest>;

export const tokenRecord = z.object({ data: record });
export const tokenRecordLatest = z.object({ data: recordLatest });
export const tokenList = z.object({ data: list(record) });
export const tokenListLatest = z.object({ data: list(recordLatest) });
