/** Runs in workerd, over the service's own statements: the tokens of some hours and their retention, and how long each takes. */
import { insertToken } from "../../src/grants/new-token.ts";
import { makeRecordId, timePrefix } from "../../src/grants/record-order.ts";
import { deleteOld } from "../../src/grants/retention.ts";

const FI_ID = 1;
const PSP_ID = "PSDFI-FINFSA-0012345";
const KID = "20261121T041500Z";
const TOKEN_SECONDS = 3600;
/** So few that a run ends soon after its time is over. */
const STATEMENTS_PER_RUN = 100;
const RETENTION = { retentionDays: 396, permissionRetentionDays: 730 };

/** The ids and accounts of customers: each has one open consent. */
const consentId = (index: string) => `'${timePrefix(0)}' || printf('%022d', ${index})`;
const accountId = (index: string) => `'FI21' || printf('%014d', ${index})`;

const INSERT_INSTITUTION = `
  INSERT INTO financial_institutions (id, name, fi_reference_id, created_at) VALUES (${FI_ID}, 'n', 'PSDFI-FINFSA-1', 0)`;
const MADE = "WITH RECURSIVE made(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM made WHERE i + 1 < ?1)";
const INSERT_CUSTOMERS = `
  INSERT INTO account_access_consents
    (id, fi_id, psp_id, status, created_at, status_updated_at, permissions, account_id, granted_at)
  ${MADE} SELECT ${consentId("i")}, ${FI_ID}, '${PSP_ID}', 'Authorised', 0, 0, '["ReadBalances"]', ${accountId("i")}, 0 FROM made`;
/** Of customers at random, as evenly over the period as makes no difference. */
const INSERT_TOKENS = `
  INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, consent_id, issued_at, expires_at, revoked_at)
  ${MADE}, drawn AS MATERIALIZED (SELECT i, abs(random()) % ?2 AS customer FROM made)
  SELECT ?3 || printf('%05d', i) || substr(lower(hex(randomblob(9))), 1, 17), '${KID}', ${FI_ID}, '${PSP_ID}',
    ${accountId("customer")}, 'accounts', ${consentId("customer")}, ?4, ?4 + ${TOKEN_SECONDS * 1000}, NULL FROM drawn`;

interface Asked {
  readonly customers: number;
  readonly tokens: number;
  readonly tokenRetentionDays: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly connections: number;
  readonly seconds: number;
}

type Work = (env: Env, asked: Asked) => Promise<object>;

const WORKS: Readonly<Record<string, Work>> = {
  "/customers": async ({ DB }, { customers }) => {
    await DB.batch([DB.prepare(INSERT_INSTITUTION), DB.prepare(INSERT_CUSTOMERS).bind(customers)]);
    return {};
  },
  "/run": async ({ DB }, { customers, tokens, tokenRetentionDays, now }) => {
    await DB.prepare(INSERT_TOKENS).bind(tokens, customers, timePrefix(now), now).run();
    return await deleteOld(DB, { ...RETENTION, tokenRetentionDays }, now);
  },
  // as the scheduled step does, over and over
  "/delete": async ({ DB }, { tokenRetentionDays, now, seconds }) => {
    const began = performance.now();
    const elapsed = () => (performance.now() - began) / 1000;
    const done = { rows: 0, statements: 0 };
    while (elapsed() < seconds) {
      const run = await deleteOld(DB, { ...RETENTION, tokenRetentionDays }, now, STATEMENTS_PER_RUN);
      done.rows += run.deleted.tokens;
      done.statements += run.statements;
      if (!run.unfinished) throw new Error("there is nothing left to delete: simulate more days");
    }
    return { ...done, seconds: elapsed() };
  },
  // one by one, as redemptions do, so many at a time
  "/insert": async ({ DB }, { customers, connections, seconds }) => {
    const waits: number[] = [];
    const began = performance.now();
    const elapsed = () => (performance.now() - began) / 1000;
    const work = async () => {
      while (elapsed() < seconds) {
        const asked = performance.now();
        await insertOne(DB, Math.floor(Math.random() * customers));
        waits.push(performance.now() - asked);
      }
    };
    await Promise.all(Array.from({ length: connections }, work));
    waits.sort((a, b) => a - b);
    const quantile = (share: number) => waits[Math.floor((waits.length - 1) * share)];
    return { rows: waits.length, seconds: elapsed(), p50: quantile(0.5), p99: quantile(0.99), most: quantile(1) };
  },
};

async function insertOne(db: D1Database, customer: number): Promise<void> {
  const now = Date.now();
  const expiresAt = await insertToken(
    db,
    {
      ...{ id: makeRecordId(now), kid: KID, fiId: FI_ID, pspId: PSP_ID, scope: "accounts" },
      accountId: `FI21${String(customer).padStart(14, "0")}`,
      consentId: `${timePrefix(0)}${String(customer).padStart(22, "0")}`,
      issuedAt: now,
      agreedAfter: 0,
    },
    TOKEN_SECONDS,
  );
  if (expiresAt === null) throw new Error(`customer ${customer}: no token was stored`);
}

export default {
  async fetch(request, env) {
    const work = WORKS[new URL(request.url).pathname];
    return work ? Response.json(await work(env, await request.json())) : new Response(null, { status: 404 });
  },
} satisfies ExportedHandler<Env>;
