/** A token that a bank was given, and what has to be said of it. */
import { type Form, wholeNumberFrom } from "../answer-difference.ts";
import type { Exchange } from "../connection.ts";

export const TOKEN_SECONDS = 3_600;

export interface KnownToken {
  readonly text: string;
  readonly flow: "core" | "open banking";
  readonly pspId: string;
  /** Index of a certificate of its PSP. */
  readonly certificate: number;
  readonly accountId: string;
  readonly scope: "payments" | "accounts";
  /** Seconds since 1970; a form until the service has said it once. */
  iat: number | Form;
  exp: number | Form;
  revokedAt: number | Form | null;
}

/** Seconds since 1970 at some moment of an exchange. */
export const secondsOf = ({ sentAt, receivedAt }: Exchange): Form =>
  wholeNumberFrom(Math.floor(sentAt / 1_000), Math.floor(receivedAt / 1_000));

/** What the record says: of a token without a consent, exp follows from iat. */
export function expectedRecord(token: KnownToken, body: unknown): object {
  const { text, pspId, accountId, scope, iat, exp, revokedAt } = token;
  return {
    token: text,
    active: revokedAt === null,
    psp_id: pspId,
    account_id: accountId,
    scope,
    exp: typeof exp === "number" ? exp : Number(Reflect.get(Object(body), "iat")) + TOKEN_SECONDS,
    iat,
    revoked_at: revokedAt,
  };
}

/** From the first answer on, the exact values are expected. */
export function learn(token: KnownToken, body: unknown): void {
  const { iat, exp, revoked_at } = body as { iat: number; exp: number; revoked_at: number | null };
  Object.assign(token, { iat, exp, revokedAt: revoked_at });
}

/** So many are remembered, and asked about. */
const KEPT_TOKENS = 100;

export function remember(tokens: KnownToken[], token: KnownToken): void {
  tokens.push(token);
  if (tokens.length > KEPT_TOKENS) tokens.shift();
}

/** Longer than any request takes: the token is still alive when its answer comes. */
const MARGIN_SECONDS = 120;

/** In a run of hours tokens end. `now`: seconds since 1970. */
export function forgetEnding(tokens: KnownToken[], now: number): void {
  const alive = tokens.filter(({ exp }) => typeof exp === "number" && exp - now > MARGIN_SECONDS);
  tokens.splice(0, tokens.length, ...alive);
}
