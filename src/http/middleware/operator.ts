/** The operator's monitor: it sends the secret METRICS_TOKEN as Bearer (RFC 6750), and needs no bank's credentials. */
import type { Context, MiddlewareHandler } from "hono";
import { sameSecret } from "../../platform/secrets.ts";
import type { AppEnv } from "../context.ts";
import { financialInstitution } from "./financial-institution.ts";

/** Shorter ones can be guessed: `openssl rand -base64 32` makes 44 characters. */
export const MIN_TOKEN_CHARACTERS = 32;

/** The deployment's METRICS_TOKEN; null where the operator set none that can be used. */
export function operatorToken(env: object): string | null {
  const { METRICS_TOKEN: token } = env as { METRICS_TOKEN?: unknown };
  return typeof token === "string" && token.length >= MIN_TOKEN_CHARACTERS ? token : null;
}

/** What the request sends as Bearer; undefined: nothing. */
export const sentBearer = (c: Context<AppEnv>): string | undefined =>
  /^Bearer +(\S+)$/i.exec(c.req.header("Authorization") ?? "")?.[1];

/** Whether the request sends the deployment's METRICS_TOKEN. */
export function isOperator(c: Context<AppEnv>): boolean {
  const [token, sent] = [operatorToken(c.env), sentBearer(c)];
  return token !== null && sent !== undefined && sameSecret(sent, token);
}

/** Whoever is not the operator is an institution, or refused as at every other endpoint. */
export const operatorOrInstitution: MiddlewareHandler<AppEnv> = async (c, next) =>
  isOperator(c) ? await next() : await financialInstitution(c, next);
