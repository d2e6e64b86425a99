import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  authoriseAccountAccessConsent,
  findAccountAccessConsent,
  insertAccountAccessConsent,
  revokeAccountAccessConsent,
} from "../../../src/grants/account-access-consents.ts";
import {
  authorisePaymentOrderConsent,
  insertPaymentOrderConsent,
  listPaymentOrderConsents,
} from "../../../src/grants/payment-order-consents.ts";
import { searchPermissions } from "../../../src/grants/permission-list.ts";
import { makeRecordId } from "../../../src/grants/record-order.ts";
import { deleteOld } from "../../../src/grants/retention.ts";
import { findToken } from "../../../src/grants/tokens.ts";
import { withdrawAll } from "../../../src/grants/withdrawal.ts";
import { fillMessage, runRetention } from "../../../src/refresh/retention.ts";
import { storeToken } from "../../store-token.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { insertTwoFis } from "./financial-institutions.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2090-01-01T00:00:00Z");
const RETENTION = { tokenRetentionDays: 30, retentionDays: 396, permissionRetentionDays: 730 };
const BEFORE = NOW - 396 * DAY;
const TOKENS_BEFORE = NOW - 30 * DAY;
/** The deployment with one database. */
const ALONE = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("DB_"))) as typeof env;
const [FI] = await insertTwoFis();
const OWNER = { fiId: FI, pspId: "PSDXX-TEST-000001" };

async function insertTokenThatEnds(at: number): Promise<string> {
  const id = makeRecordId(at - 3_600_000);
  const token = { id, kid: "k", ...OWNER, accountId: "a", scope: "accounts", consentId: null } as const;
  const issuedAt = at - 3_600_000;
  await storeToken(env.DB, { ...token, issuedAt }, 3600);
  return id;
}

async function insertConsent(endsAt: number | null, madeAt = NOW - DAY): Promise<string> {
  const id = makeRecordId(madeAt);
  const open = { expirationDateTime: null, transactionFromDateTime: null, transactionToDateTime: null };
  await insertAccountAccessConsent(env.DB, OWNER, { id, permissions: [], ...open, endsAt }, 0);
  return id;
}

test("what ended longer ago than the retention time is deleted, and nothing else", async () => {
  const [oldToken, token] = [await insertTokenThatEnds(TOKENS_BEFORE - 1000), await insertTokenThatEnds(TOKENS_BEFORE)];
  const [oldConsent, consent, oldOpen, open, longer, agreed] = [
    await insertConsent(BEFORE - 1),
    await insertConsent(BEFORE),
    await insertConsent(null, BEFORE - 1),
    await insertConsent(null, BEFORE),
    await insertConsent(NOW, BEFORE - 1),
    await insertConsent(null, BEFORE - 1),
  ];
  await authoriseAccountAccessConsent(env.DB, OWNER, agreed, "a", BEFORE);
  const revoked = await insertConsent(null);
  await revokeAccountAccessConsent(env.DB, OWNER, revoked, BEFORE - 1);
  const [oldOrder, order] = [makeRecordId(BEFORE - 1), makeRecordId(BEFORE)];
  for (const id of [oldOrder, order]) await insertPaymentOrderConsent(env.DB, OWNER, { id, initiation: {} }, 0);

  expect((await deleteOld(env.DB, RETENTION, NOW)).deleted).toMatchObject({
    tokens: 1,
    unauthorisedAccountAccessConsents: 2,
    openAccountAccessConsents: 1,
    unauthorisedPaymentOrderConsents: 1,
  });

  expect(await findToken(env.DB, FI, oldToken)).toBeNull();
  expect(await findToken(env.DB, FI, token)).not.toBeNull();
  expect(await findAccountAccessConsent(env.DB, OWNER, oldConsent, 0)).toBeNull();
  expect(await findAccountAccessConsent(env.DB, OWNER, consent, 0)).not.toBeNull();
  expect(await findAccountAccessConsent(env.DB, OWNER, oldOpen, 0)).toBeNull();
  for (const id of [open, longer, agreed]) expect(await findAccountAccessConsent(env.DB, OWNER, id, 0)).not.toBeNull();
  const orders = await listPaymentOrderConsents(env.DB, OWNER, 9, null);
  expect(orders.map(({ id }) => id)).toEqual([order]);
});

test("what customers agreed to is kept for two years after its end, longer than its tokens", async () => {
  const LIMIT = NOW - 730 * DAY;
  const account = { fiId: FI, accountId: crypto.randomUUID() };
  /** A permission of each kind that ended at `at`. */
  const insertEnded = async (at: number): Promise<string[]> => {
    const begun = at - 3_600_000;
    const consent = await insertConsent(at);
    await authoriseAccountAccessConsent(env.DB, OWNER, consent, account.accountId, begun);
    const order = makeRecordId(begun);
    await insertPaymentOrderConsent(env.DB, OWNER, { id: order, initiation: {} }, begun);
    await authorisePaymentOrderConsent(env.DB, OWNER, order, account.accountId, begun);
    const token = { kid: "k", ...OWNER, accountId: account.accountId, issuedAt: begun };
    const [paid, core] = [makeRecordId(begun), makeRecordId(begun)];
    await storeToken(env.DB, { ...token, id: paid, scope: "payments", consentId: order }, 3600);
    await storeToken(env.DB, { ...token, id: core, scope: "accounts", consentId: null }, 3600);
    return [consent, order, core];
  };
  const gone = await insertEnded(LIMIT - 1_000);
  const kept = await insertEnded(LIMIT + 2 * 3_600_000);
  const listed = async () => {
    const page = { after: null, onlyOpen: false, limit: 100 };
    const search = { fiId: account.fiId, by: "account", value: account.accountId } as const;
    return (await searchPermissions(env.DB, search, page, NOW)).permissions.map(({ id }) => id).sort();
  };
  expect(await listed()).toEqual([...gone, ...kept].sort());
  await withdrawAll(env.DB, account, { by: "bank" }, NOW - 2 * DAY);
  expect((await deleteOld(env.DB, RETENTION, NOW)).deleted).toEqual({
    tokens: 4,
    unauthorisedAccountAccessConsents: 0,
    openAccountAccessConsents: 0,
    unauthorisedPaymentOrderConsents: 0,
    accountAccessConsents: 1,
    paymentOrderConsents: 1,
    corePermissions: 1,
    coreCodes: 1,
    liftedBlocks: 0,
    endedWatches: 0,
    consoleSessions: 0,
    consoleChecks: 0,
    consoleOnce: 0,
    signInLinks: 0,
  });
  expect(await listed()).toEqual(kept.toSorted());
});

async function insertLongEnded(rows: number): Promise<void> {
  const insert = env.DB.prepare(
    `INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at)
     WITH RECURSIVE made(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM made WHERE i < ?2)
     SELECT ?3 || i, 'k', ?1, 'p', 'a', 'accounts', 0, 0 FROM made`,
  );
  await insert.bind(FI, rows, makeRecordId(TOKENS_BEFORE - 10 * DAY)).run();
}

test("more rows than one statement deletes go in several", async () => {
  await insertLongEnded(1_100);
  const { deleted, unfinished, statements, databaseBytes } = await deleteOld(env.DB, RETENTION, NOW);
  expect([deleted.tokens, unfinished]).toEqual([1_100, false]);
  // one for each kind, and as many more as whole 250 tokens were deleted
  expect(statements).toBe(Object.keys(deleted).length + 4);
  expect(databaseBytes).toBeGreaterThan(50_000);
});

test("more than a run may delete are left to the next, which begins with what is left", async () => {
  await insertLongEnded(1_100);
  const first = await deleteOld(env.DB, RETENTION, NOW, 15);
  expect([first.deleted.tokens, first.unfinished, first.statements]).toEqual([500, true, 15]);
  const second = await deleteOld(env.DB, RETENTION, NOW);
  expect([second.deleted.tokens, second.unfinished]).toEqual([600, false]);
});

test("the scheduled step deletes by the variables, and and ends when nothing is left", async () => {
  await insertLongEnded(150);
  // goes in five days
  const kept = await insertTokenThatEnds(NOW - 30 * DAY + 5 * DAY);
  const step = { env: ALONE, stepState: {}, maxWrites: 0, maxListBytes: 0 };
  const result = await runRetention({ ...step, now: NOW });
  expect(result).toMatchObject({ ok: true, unfinished: false, heavy: false });
  expect(result.ok && result.summary).toMatch(/"tokens":150.*; 0\.00 GB in the database$/);
  expect(await findToken(env.DB, FI, kept)).not.toBeNull();
  await runRetention({ ...step, now: NOW + 6 * DAY });
  expect(await findToken(env.DB, FI, kept)).toBeNull();
});

test("of several databases one that does not answer keeps what it has, and the others do not", async () => {
  const ended = await insertTokenThatEnds(NOW - 31 * DAY);
  const down = failingDatabase(env.DB, () => true, "before");
  const step = { env: { ...ALONE, DB_2: down, DB_3: env.DB }, stepState: {}, maxWrites: 0, maxListBytes: 0 };
  const result = await runRetention({ ...step, now: NOW });
  expect(result).toEqual({ ok: false, message: expect.stringMatching(/^DB_2: D1: [^;]*$/) });
  expect(await findToken(env.DB, FI, ended)).toBeNull();
});

test("a failure of one is told once the others have nothing left, so that they keep up with what comes", async () => {
  // more than a third of a step's statements
  await insertLongEnded(34_000);
  const down = failingDatabase(env.DB, () => true, "before");
  const step = { env: { ...ALONE, DB_2: down, DB_3: down }, stepState: {}, maxWrites: 0, maxListBytes: 0 };
  const first = await runRetention({ ...step, now: NOW });
  expect(first).toMatchObject({
    ok: true,
    unfinished: true,
    heavy: true,
    summary: expect.stringMatching(/; DB_2: D1: /),
  });
  expect(await runRetention({ ...step, now: NOW })).toMatchObject({ ok: false });
  expect(await env.DB.prepare("SELECT count(*) AS rows FROM tokens WHERE expires_at = 0").first("rows")).toBe(0);
});

test("a database that fills up is said before it is full", () => {
  expect(fillMessage("DB", 8e9)).toBeNull();
  expect(fillMessage("DB", 8.1e9)).toMatch(/^the database DB holds 8\.10 GB of at most 10\.00, .*TOKEN_RETENTION_DAYS/);
});
