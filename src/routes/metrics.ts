/**
 * GET /metrics, for the operator's monitor: what is stored, so that it is true of all isolates. Requests are those that leave
 * records, counted since midnight UTC. Two rounds of calls: D1 and KV, then the ledgers. docs/monitoring/README.md says what is
 * not here, and why.
 */
import type { Context } from "hono";
import type { LedgerTotals } from "../evidence/ledger/institution-ledger.ts";
import { ACCESS_REFUSALS, judgeAssertion, readAccess } from "../http/access.ts";
import type { AppEnv } from "../http/context.ts";
import { ApiError } from "../http/errors/errors.ts";
import { operatorToken, sentBearer } from "../http/middleware/operator.ts";
import type { Instant } from "../platform/instant.ts";
import { CONTENT_TYPES, formFor, writeMetrics } from "../platform/open-metrics.ts";
import { sameSecret } from "../platform/secrets.ts";
import { callStore, inLanes } from "../platform/stores.ts";
import { readStatus } from "../refresh/status.ts";
import { type CountedInstitution, readDatabases, readFirstDatabase } from "./metrics/databases.ts";
import { type AskedLedger, describeMetrics } from "./metrics/families.ts";

/** Each is a call of its Durable Object, and as many series as it has endpoints, outcomes and buckets. */
const MAX_LEDGERS = 50;
/** The platform waits for the beginning of so many answers at once. */
const LANES = 6;
const DAY_MS = 86_400_000;

export async function answerMetrics(c: Context<AppEnv>): Promise<Response> {
  await admit(c);
  const { env } = c;
  const { now } = c.var;
  const [status, first, databases] = await Promise.all([
    readStatus(env, now),
    readFirstDatabase(env.DB),
    readDatabases(env, now),
  ]);
  const asked = await askLedgers(env, first.institutions.slice(0, MAX_LEDGERS), now);
  const leftOut = Math.max(0, first.institutions.length - MAX_LEDGERS);
  const form = formFor(c.req.header("Accept"));
  const text = writeMetrics(describeMetrics({ env, status, first, databases, ledgers: asked, leftOut }, now), form);
  return c.body(text, 200, { "Content-Type": CONTENT_TYPES[form], "Cache-Control": "no-store" });
}

/**
 * Throws ApiError for everyone but who sends the secret METRICS_TOKEN as Bearer (RFC 6750), and whom Cloudflare Access let in: a
 * person, or the service token of a monitor. A Bearer is judged alone where the deployment has a token. Throws StoreError if
 * Access's keys cannot be read.
 */
async function admit(c: Context<AppEnv>): Promise<void> {
  const [token, access] = [operatorToken(c.env), readAccess(c.env)];
  if (token === null && access === null)
    throw new ApiError({ code: "path_not_found", title: "This deployment has no metrics: its operator set no token" });
  const challenge = { "WWW-Authenticate": 'Bearer realm="metrics"' };
  const invalid = (title: string) => new ApiError({ code: "credentials_invalid", title }, challenge);
  const sent = sentBearer(c);
  if (token !== null && sent !== undefined) {
    if (!sameSecret(sent, token)) throw invalid("The Bearer is not the operator's METRICS_TOKEN");
    return;
  }
  const assertion = c.req.header("Cf-Access-Jwt-Assertion");
  if (access !== null && assertion) {
    const verdict = await judgeAssertion(assertion, access, c.executionCtx, c.var.now);
    if (verdict.ok) return;
    throw invalid(`The assertion of Cloudflare Access is refused: ${ACCESS_REFUSALS[verdict.reason]}`);
  }
  throw new ApiError(
    {
      code: "credentials_missing",
      title: "Header Authorization with the operator's METRICS_TOKEN as Bearer is missing",
    },
    challenge,
  );
}

/** One that does not answer is in the result without totals: it must not hide the others. */
async function askLedgers(
  env: Env,
  institutions: readonly CountedInstitution[],
  now: Instant,
): Promise<readonly AskedLedger[]> {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const asked: AskedLedger[] = [];
  await inLanes(LANES, institutions.values(), async ({ id, reference }) => {
    const ask = callStore(
      "ledger",
      async (): Promise<LedgerTotals> => await env.LEDGER.getByName(String(id)).totals(midnight),
    );
    asked.push({ reference, totals: await ask.catch(() => null) });
  });
  return asked.toSorted((a, b) => (a.reference < b.reference ? -1 : 1));
}
