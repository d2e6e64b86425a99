import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  findAccountAccessConsent,
  insertAccountAccessConsent,
  revokeAccountAccessConsent,
} from "../../../src/grants/account-access-consents.ts";
import { insertToken } from "../../../src/grants/new-token.ts";
import { insertPaymentOrderConsent, listPaymentOrderConsents } from "../../../src/grants/payment-order-consents.ts";
import { makeRecordId } from "../../../src/grants/record-id.ts";
import { deleteOld } from "../../../src/grants/retention.ts";
import { findToken } from "../../../src/grants/tokens.ts";
import { insertTwoFis } from "./financial-institutions.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2090-01-01T00:00:00Z");
const BEFORE = NOW - 396 * DAY;
const [FI] = await insertTwoFis();
const OWNER = { fiId: FI, pspId: "PSDXX-TEST-000001" };

async function insertTokenThatEnds(at: number): Promise<string> {
  const id = makeRecordId(at - 3_600_000);
  const token = { id, kid: "k", ...OWNER, accountId: "a", scope: "accounts", consentId: null } as const;
  await insertToken(env.DB, { ...token, issuedAt: at - 3_600_000 }, 3600);
  return id;
}

async function insertConsent(endsAt: number | null): Promise<string> {
  const id = makeRecordId(0);
  const open = { expirationDateTime: null, transactionFromDateTime: null, transactionToDateTime: null };
  await insertAccountAccessConsent(env.DB, OWNER, { id, permissions: [], ...open, endsAt }, 0);
  return id;
}

test("what ended longer ago than the retention time is deleted, and nothing else", async () => {
  const [oldToken, token] = [await insertTokenThatEnds(BEFORE - 1000), await insertTokenThatEnds(BEFORE)];
  const [oldConsent, consent, open] = [
    await insertConsent(BEFORE - 1),
    await insertConsent(BEFORE),
    await insertConsent(null),
  ];
  const revoked = await insertConsent(null);
  await revokeAccountAccessConsent(env.DB, OWNER, revoked, BEFORE - 1);
  const [oldOrder, order] = [makeRecordId(BEFORE - 1), makeRecordId(BEFORE)];
  for (const id of [oldOrder, order]) await insertPaymentOrderConsent(env.DB, OWNER, { id, initiation: {} }, 0);

  expect(await deleteOld(env.DB, 396, NOW)).toEqual({ tokens: 1, accountAccessConsents: 2, paymentOrderConsents: 1 });

  expect(await findToken(env.DB, FI, oldToken)).toBeNull();
  expect(await findToken(env.DB, FI, token)).not.toBeNull();
  expect(await findAccountAccessConsent(env.DB, OWNER, oldConsent, 0)).toBeNull();
  expect(await findAccountAccessConsent(env.DB, OWNER, consent, 0)).not.toBeNull();
  expect(await findAccountAccessConsent(env.DB, OWNER, open, NOW)).not.toBeNull();
  const orders = await listPaymentOrderConsents(env.DB, OWNER, 9, null);
  expect(orders.map(({ id }) => id)).toEqual([order]);
});

test("more rows than one statement deletes go in several", async () => {
  const rows = Array.from({ length: 2500 }, () => makeRecordId(BEFORE - 10 * DAY));
  const insert = env.DB.prepare(
    `INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at)
     SELECT value, 'k', ?2, 'p', 'a', 'accounts', 0, 0 FROM json_each(?1)`,
  );
  await insert.bind(JSON.stringify(rows), FI).run();
  expect(await deleteOld(env.DB, 396, NOW)).toMatchObject({ tokens: 2500 });
});
