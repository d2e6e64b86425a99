import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  authoriseAccountAccessConsent,
  findAccountAccessConsent,
  insertAccountAccessConsent,
  revokeAccountAccessConsent,
} from "../../../src/grants/account-access-consents.ts";
import { insertToken, type NewToken } from "../../../src/grants/new-token.ts";
import {
  authorisePaymentOrderConsent,
  findPaymentOrderConsent,
  insertPaymentOrderConsent,
  listPaymentOrderConsents,
} from "../../../src/grants/payment-order-consents.ts";
import { makeRecordId } from "../../../src/grants/record-order.ts";
import { findToken } from "../../../src/grants/tokens.ts";
import { insertTwoFis } from "./financial-institutions.ts";

const NOW = Date.parse("2090-01-01T00:00:00Z");
const [FI, OTHER_FI] = await insertTwoFis();
const OWNER = { fiId: FI, pspId: "PSDXX-TEST-000001" };
const ACCOUNT = "account-1";
const STRANGERS = [
  { fiId: OTHER_FI, pspId: OWNER.pspId },
  { fiId: FI, pspId: "PSDXX-TEST-000002" },
];

async function insertConsent(endsAt: number | null): Promise<string> {
  const id = makeRecordId(NOW);
  const open = { transactionFromDateTime: null, transactionToDateTime: null };
  const expirationDateTime = endsAt === null ? null : new Date(endsAt).toISOString();
  await insertAccountAccessConsent(
    env.DB,
    OWNER,
    { id, permissions: ["ReadBalances"], expirationDateTime, ...open, endsAt },
    NOW,
  );
  return id;
}

const tokenOf = (consentId: string, issuedAt = NOW): NewToken => ({
  id: makeRecordId(NOW),
  kid: "20900101T000000Z",
  ...OWNER,
  accountId: ACCOUNT,
  scope: "accounts",
  consentId,
  issuedAt,
  agreedAfter: Number.MAX_SAFE_INTEGER,
});

test("a consent awaits authorisation, is authorised, and tells when its status changed", async () => {
  const id = await insertConsent(null);
  expect(await findAccountAccessConsent(env.DB, OWNER, id, NOW)).toEqual({
    id,
    status: "AwaitingAuthorisation",
    createdAt: NOW,
    statusUpdatedAt: NOW,
    permissions: ["ReadBalances"],
    expirationDateTime: null,
    transactionFromDateTime: null,
    transactionToDateTime: null,
  });
  expect(await authoriseAccountAccessConsent(env.DB, OWNER, id, ACCOUNT, NOW + 5)).toMatchObject({ ok: true });
  // a second code for it changes no status, and so no time of it
  expect(await authoriseAccountAccessConsent(env.DB, OWNER, id, ACCOUNT, NOW + 9)).toMatchObject({ ok: true });
  expect(await findAccountAccessConsent(env.DB, OWNER, id, NOW)).toMatchObject({
    status: "Authorised",
    createdAt: NOW,
    statusUpdatedAt: NOW + 5,
  });
});

test.each(STRANGERS)("a stranger %j finds, authorises and revokes nothing", async (stranger) => {
  const id = await insertConsent(null);
  expect(await findAccountAccessConsent(env.DB, stranger, id, NOW)).toBeNull();
  expect(await authoriseAccountAccessConsent(env.DB, stranger, id, ACCOUNT, NOW)).toMatchObject({ reason: "unknown" });
  expect(await revokeAccountAccessConsent(env.DB, stranger, id, NOW)).toBeNull();
  expect(await findAccountAccessConsent(env.DB, OWNER, id, NOW)).toMatchObject({ status: "AwaitingAuthorisation" });
});

test("at its expiration a consent is gone, for reading, authorising and revoking", async () => {
  const id = await insertConsent(NOW + 1000);
  expect(await findAccountAccessConsent(env.DB, OWNER, id, NOW + 999)).toMatchObject({ id });
  expect(await findAccountAccessConsent(env.DB, OWNER, id, NOW + 1000)).toBe("expired");
  expect(await authoriseAccountAccessConsent(env.DB, OWNER, id, ACCOUNT, NOW + 1000)).toMatchObject({
    reason: "expired",
  });
  expect(await revokeAccountAccessConsent(env.DB, OWNER, id, NOW + 1000)).toBeNull();
});

test.each(STRANGERS)("25: a stranger %j does not learn that a consent has expired", async (stranger) => {
  const id = await insertConsent(NOW + 1000);
  expect(await findAccountAccessConsent(env.DB, stranger, id, NOW + 1000)).toBeNull();
  expect(await authoriseAccountAccessConsent(env.DB, stranger, id, ACCOUNT, NOW + 1000)).toMatchObject({
    reason: "unknown",
  });
});

test("25: one that was revoked before its expiration has not expired, whatever the time is", async () => {
  const id = await insertConsent(NOW + 1000);
  await revokeAccountAccessConsent(env.DB, OWNER, id, NOW);
  for (const now of [NOW - 500, NOW + 500, NOW + 2000]) {
    expect(await findAccountAccessConsent(env.DB, OWNER, id, now)).toBeNull();
    expect(await authoriseAccountAccessConsent(env.DB, OWNER, id, ACCOUNT, now)).toMatchObject({ reason: "unknown" });
  }
});

test("a revoked consent is gone at once, even for a clock that is behind, and its tokens with it", async () => {
  const id = await insertConsent(null);
  await authoriseAccountAccessConsent(env.DB, OWNER, id, ACCOUNT, NOW);
  const [token, other] = [tokenOf(id), tokenOf(await insertConsent(null))];
  await authoriseAccountAccessConsent(env.DB, OWNER, other.consentId ?? "", ACCOUNT, NOW);
  await insertToken(env.DB, token, 3600);
  await insertToken(env.DB, other, 3600);
  expect(await revokeAccountAccessConsent(env.DB, OWNER, id, NOW + 1000)).toMatchObject({ tokens: [token.id] });
  expect(await findAccountAccessConsent(env.DB, OWNER, id, NOW + 500)).toBeNull();
  const again = await revokeAccountAccessConsent(env.DB, OWNER, id, NOW + 2000);
  expect(again).toEqual({ permissions: [], tokens: [] });
  expect((await findToken(env.DB, FI, token.id))?.revokedAt).toBe(NOW + 1000);
  expect((await findToken(env.DB, FI, other.id))?.revokedAt).toBeNull();
});

test.each(STRANGERS)("a stranger %j revokes no token by its consent", async (stranger) => {
  const id = await insertConsent(null);
  await authoriseAccountAccessConsent(env.DB, OWNER, id, ACCOUNT, NOW);
  const token = tokenOf(id);
  await insertToken(env.DB, token, 3600);
  await revokeAccountAccessConsent(env.DB, stranger, id, NOW);
  expect((await findToken(env.DB, FI, token.id))?.revokedAt).toBeNull();
});

test("a token never outlives its consent, by not even a part of a second", async () => {
  const id = await insertConsent(NOW + 90_500);
  await authoriseAccountAccessConsent(env.DB, OWNER, id, ACCOUNT, NOW);
  expect(await insertToken(env.DB, tokenOf(id), 3600)).toBe(NOW + 90_000);
  expect(await insertToken(env.DB, tokenOf(id), 60)).toBe(NOW + 60_000);
});

test.each([
  ["is not authorised", async (_: string) => {}, NOW],
  ["is revoked", async (id: string) => void (await revokeAccountAccessConsent(env.DB, OWNER, id, NOW)), NOW],
  [
    "is expired",
    async (id: string) => void (await authoriseAccountAccessConsent(env.DB, OWNER, id, ACCOUNT, NOW)),
    NOW + 90_000,
  ],
])("no token is stored under a consent that %s", async (_, change, issuedAt) => {
  const id = await insertConsent(NOW + 90_000);
  await change(id);
  expect(await insertToken(env.DB, tokenOf(id, issuedAt), 3600)).toBeNull();
});

test("no token is stored for another account than the consent's", async () => {
  const id = await insertConsent(null);
  await authoriseAccountAccessConsent(env.DB, OWNER, id, ACCOUNT, NOW);
  expect(await authoriseAccountAccessConsent(env.DB, OWNER, id, "account-2", NOW)).toMatchObject({
    reason: "other_account",
  });
  expect(await insertToken(env.DB, { ...tokenOf(id), accountId: "account-2" }, 3600)).toBeNull();
  expect(await insertToken(env.DB, tokenOf(id), 3600)).not.toBeNull();
});

test("a consent that was authorised before accounts were kept takes that of its next authorization", async () => {
  const id = await insertConsent(null);
  await env.DB.prepare("UPDATE account_access_consents SET status = 'Authorised' WHERE id = ?1").bind(id).run();
  // a code from before: whose account it named is not known to be the consent's
  expect(await insertToken(env.DB, tokenOf(id), 3600)).toBeNull();
  expect(await authoriseAccountAccessConsent(env.DB, OWNER, id, ACCOUNT, NOW)).toMatchObject({ ok: true });
  expect(await insertToken(env.DB, tokenOf(id), 3600)).not.toBeNull();
  expect(await authoriseAccountAccessConsent(env.DB, OWNER, id, "account-2", NOW)).toMatchObject({
    reason: "other_account",
  });
});

test("a payment order consent gives one token, however often that one is stored", async () => {
  const id = makeRecordId(NOW);
  await insertPaymentOrderConsent(env.DB, OWNER, { id, initiation: {} }, NOW);
  const [first, second] = [tokenOf(id), tokenOf(id)].map((token) => ({ ...token, scope: "payments" as const }));
  if (!first || !second) throw new Error("two tokens");
  expect(await insertToken(env.DB, first, 3600)).toBeNull();
  await authorisePaymentOrderConsent(env.DB, OWNER, id, ACCOUNT, NOW);
  expect(await insertToken(env.DB, { ...first, accountId: "account-2" }, 3600)).toBeNull();
  for (let time = 0; time < 3; time++) expect(await insertToken(env.DB, first, 3600)).toBe(NOW + 3_600_000);
  expect(await insertToken(env.DB, second, 3600)).toBeNull();
  expect(await findToken(env.DB, FI, second.id)).toBeNull();
  expect(await authorisePaymentOrderConsent(env.DB, OWNER, id, ACCOUNT, NOW)).toMatchObject({ reason: "consumed" });
  expect(await findPaymentOrderConsent(env.DB, OWNER, id)).toMatchObject({ status: "Consumed", statusUpdatedAt: NOW });
});

test("payment order consents are listed newest first, a page at a time, to their owner", async () => {
  const owner = { ...OWNER, pspId: crypto.randomUUID() };
  const ids = [0, 1, 2, 3, 4].map((i) => makeRecordId(NOW + i));
  for (const id of ids) await insertPaymentOrderConsent(env.DB, owner, { id, initiation: { n: id } }, NOW);
  const [newest, second, third] = ids.toReversed();
  const first = await listPaymentOrderConsents(env.DB, owner, 2, null);
  expect(first.map(({ id }) => id)).toEqual([newest, second]);
  const next = await listPaymentOrderConsents(env.DB, owner, 1, second ?? "");
  expect(next.map(({ id }) => id)).toEqual([third]);
  for (const stranger of STRANGERS) expect(await listPaymentOrderConsents(env.DB, stranger, 9, null)).toEqual([]);
});

test("a payment order consent is found and authorised by its owner only", async () => {
  const id = makeRecordId(NOW);
  const initiation = { instruction_identification: "i", instructed_amount: { amount: "1.00", currency: "EUR" } };
  await insertPaymentOrderConsent(env.DB, OWNER, { id, initiation }, NOW);
  for (const stranger of STRANGERS) {
    expect(await findPaymentOrderConsent(env.DB, stranger, id)).toBeNull();
    expect(await authorisePaymentOrderConsent(env.DB, stranger, id, ACCOUNT, NOW + 1)).toMatchObject({
      reason: "unknown",
    });
  }
  expect(await authorisePaymentOrderConsent(env.DB, OWNER, id, ACCOUNT, NOW + 2)).toMatchObject({ ok: true });
  expect(await findPaymentOrderConsent(env.DB, OWNER, id)).toEqual({
    id,
    status: "Authorised",
    createdAt: NOW,
    statusUpdatedAt: NOW + 2,
    initiation,
  });
});
