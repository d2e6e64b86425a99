/** The answers of both endpoints that exchange a code. */
import * as z from "zod";
import { scope, seconds, tokenType } from "./field.ts";

const token = { access_token: z.string(), expires_in: seconds, token_type: tokenType };

export const accessToken = z.object({ data: z.object({ ...token, scope }) });
export type AccessToken = z.output<typeof accessToken>;

export const openBankingAccessToken = z.object({ data: z.object({ ...token, state: z.string().optional() }) });
export type OpenBankingAccessToken = z.output<typeof openBankingAccessToken>;
