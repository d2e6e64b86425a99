/** Access tokens of the open-banking flow, and what is known of them. */
import * as z from "zod";
import { issuedToken, lostService, seconds, tokenType } from "../../http/answer-fields.ts";

export const openBankingAccessToken = z.object({ data: z.object({ ...issuedToken, state: z.string().optional() }) });
export type OpenBankingAccessToken = z.output<typeof openBankingAccessToken>;

const information = z.object({
  access_token: z.string(),
  expires_in: seconds,
  token_type: tokenType,
  active: z.boolean(),
});
export const tokenInformation = z.object({ data: information });
export const tokenInformationLatest = z.object({ data: information.extend(lostService) });
export type TokenInformation = z.output<typeof tokenInformationLatest>;
