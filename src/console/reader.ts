/** Who reads the console: an institution with its session, an operator whom Cloudflare Access let in, or nobody yet. */
import type { Context } from "hono";
import { ACCESS_REFUSALS, judgeAssertion, readAccess } from "../http/access.ts";
import type { AppEnv } from "../http/context.ts";
import type { OperatorReader, Reader } from "./page.ts";
import { PageProblem } from "./page.ts";
import { findSession, noteUse, readSessionCookie } from "./sessions.ts";

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
  const { fi, clientId, person, idHash: bond } = session;
  if (fi === null) {
    if (!hasLocalOperator(c.env, c.req.url)) return null;
    c.executionCtx.waitUntil(noteUse(c.env.DB, session, now));
    return { kind: "operator", roles: ["operator"], email: null, bond };
  }
  c.executionCtx.waitUntil(noteUse(c.env.DB, session, now));
  c.set("fi", fi);
  if (clientId !== null) c.set("clientId", clientId);
  if (person !== null) return { kind: "institution", fi, by: { kind: "person", person }, roles: person.roles, bond };
  const by = { kind: "credentials", clientId: clientId ?? "" } as const;
  return { kind: "institution", fi, by, roles: ["credentials"], bond };
}

/** Whether the deployment lets operators in: by Access, or because it is `npm start`. */
export const hasOperators = (c: Context<AppEnv>): boolean =>
  readAccess(c.env) !== null || hasLocalOperator(c.env, c.req.url);

async function findByAccess(c: Context<AppEnv>): Promise<OperatorReader | null> {
  const access = readAccess(c.env);
  const assertion = c.req.header("Cf-Access-Jwt-Assertion");
  if (access === null || !assertion) return null;
  const verdict = await judgeAssertion(assertion, access, c.executionCtx, c.var.now);
  if (!verdict.ok) throw assertionRefused(ACCESS_REFUSALS[verdict.reason]);
  const { email, assertion: bond } = verdict;
  // the console is for people
  if (email === null) throw assertionRefused("it names no person, as those of service tokens");
  return { kind: "operator", roles: ["operator"], email, bond };
}

const assertionRefused = (why: string): PageProblem =>
  new PageProblem({
    status: 403,
    code: "access_assertion_invalid",
    heading: "Cloudflare Access is not set up for this console",
    text: `The assertion that came with the request is refused: ${why}. Nothing was done.`,
  });

/**
 * The operator of `npm start`: whoever opens the console of a service that runs on the own machine.
 *
 * This is safe on three grounds. `npm start` alone sets CONSOLE_LOCAL_OPERATOR; a deployment has the empty one of
 * wrangler.toml. It counts only if the request's URL is a loopback address: Cloudflare routes no request with such a
 * host to a Worker. And it is the host that the browser asked for, so a page of another site whose name was made to
 * resolve to 127.0.0.1 (DNS rebinding) has another host, while one that posts to 127.0.0.1 has another origin
 * (forms.ts).
 */
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const hasLocalOperator = (env: Pick<Env, "CONSOLE_LOCAL_OPERATOR">, requestUrl: string): boolean =>
  env.CONSOLE_LOCAL_OPERATOR === "on" && LOOPBACK.has(new URL(requestUrl).hostname);
