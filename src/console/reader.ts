/** Who reads the console: an institution with its session, an operator whom Cloudflare Access let in, or nobody yet. */
import type { Context } from "hono";
import type { AppEnv } from "../http/context.ts";
import type { FinancialInstitution } from "../institutions/financial-institutions.ts";
import { findAccessKeys, readTeam } from "./access-keys.ts";
import { readKeyId, verifyAccessToken } from "./access-token.ts";
import { hasLocalOperator } from "./local-operator.ts";
import { PageProblem } from "./page-problem.ts";
import { readSessionCookie } from "./session-cookie.ts";
import { findSession, noteUse } from "./sessions.ts";

export interface InstitutionReader {
  readonly kind: "institution";
  readonly fi: FinancialInstitution;
  readonly clientId: string;
  /** What its forms are bound to (form-guard.ts): the session. */
  readonly bond: string;
}

export interface OperatorReader {
  readonly kind: "operator";
  /** How Access names them; null for the operator of `npm start`. */
  readonly email: string | null;
  /** What its forms are bound to: the session, or the assertion of Access. */
  readonly bond: string;
}

export type Reader = InstitutionReader | OperatorReader;

/** The institution that what the reader keeps belongs to; null: the operators. */
export const ownerOf = (reader: Reader): number | null => (reader.kind === "institution" ? reader.fi.id : null);

/** How a record names the reader. */
export const nameOf = (reader: Reader): string =>
  reader.kind === "institution" ? reader.clientId : (reader.email ?? "operator of this machine");

/**
 * The reader of this request; null if nobody has signed in. A session comes first: an operator who signs in as an
 * institution sees what it sees. Throws PageProblem if Access sent an assertion that does not verify, StoreError.
 */
export async function findReader(c: Context<AppEnv>): Promise<Reader | null> {
  return (await findBySession(c)) ?? (await findByAccess(c));
}

async function findBySession(c: Context<AppEnv>): Promise<Reader | null> {
  const { now } = c.var;
  const id = readSessionCookie(c);
  const session = id === null ? null : await findSession(c.env.DB, id, now);
  if (!session) return null;
  const { fi, clientId, idHash: bond } = session;
  if (fi === null) {
    if (!hasLocalOperator(c.env, c.req.url)) return null;
    c.executionCtx.waitUntil(noteUse(c.env.DB, session, now));
    return { kind: "operator", email: null, bond };
  }
  c.executionCtx.waitUntil(noteUse(c.env.DB, session, now));
  c.set("fi", fi);
  if (clientId !== null) c.set("clientId", clientId);
  return { kind: "institution", fi, clientId: clientId ?? "", bond };
}

/** Whether the deployment lets operators in: by Access, or because it is `npm start`. */
export const hasOperators = (c: Context<AppEnv>): boolean =>
  (readTeam(c.env.ACCESS_TEAM_DOMAIN) !== null && c.env.ACCESS_AUDIENCE !== "") || hasLocalOperator(c.env, c.req.url);

async function findByAccess(c: Context<AppEnv>): Promise<OperatorReader | null> {
  const { ACCESS_TEAM_DOMAIN, ACCESS_AUDIENCE: audience } = c.env;
  const issuer = readTeam(ACCESS_TEAM_DOMAIN);
  const assertion = c.req.header("Cf-Access-Jwt-Assertion");
  if (issuer === null || audience === "" || !assertion) return null;
  const { now } = c.var;
  const keys = await findAccessKeys(c.executionCtx, issuer, readKeyId(assertion), now);
  const verdict = await verifyAccessToken(assertion, { keys, issuer, audience }, now);
  if (!verdict.ok)
    throw new PageProblem({
      status: 403,
      code: "access_assertion_invalid",
      heading: "Cloudflare Access is not set up for this console",
      text: `The assertion that came with the request is refused: ${REFUSALS[verdict.reason]}. Nothing was done.`,
    });
  const { email, assertion: bond } = verdict.operator;
  return { kind: "operator", email, bond };
}

const REFUSALS = {
  malformed: "it is not a JWT",
  "other algorithm": "it is not signed with RS256",
  "unknown key": "it is signed with a key that the team of ACCESS_TEAM_DOMAIN does not publish",
  "wrong signature": "its signature does not verify",
  "other issuer": "its issuer is not ACCESS_TEAM_DOMAIN",
  "other audience": "its audience is not ACCESS_AUDIENCE",
  expired: "it has expired; load the page again",
  "not yet valid": "it is not valid yet",
  "no person": "it names no person, as those of service tokens",
} as const;
