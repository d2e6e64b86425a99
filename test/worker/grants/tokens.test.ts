import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { insertRevokedToken, insertToken, type NewToken } from "../../../src/grants/new-token.ts";
import { makeRecordId } from "../../../src/grants/record-order.ts";
import { findToken, isActive, revokeToken } from "../../../src/grants/tokens.ts";
import { withTicket } from "../../store-token.ts";
import { insertTwoFis } from "./financial-institutions.ts";

const NOW = Date.parse("2090-01-01T00:00:00Z");
const [FI, OTHER_FI] = await insertTwoFis();

const makeToken = (change: Partial<NewToken> = {}): Promise<NewToken> =>
  withTicket(env.DB, {
    id: makeRecordId(change.issuedAt ?? NOW),
    kid: "20900101T000000Z",
    fiId: FI,
    pspId: "PSDXX-TEST-000001",
    accountId: crypto.randomUUID(),
    scope: "accounts",
    consentId: null,
    issuedAt: NOW,
    ...change,
  });

test("a stored token is found as it was, by its FI only", async () => {
  const token = await makeToken();
  expect(await insertToken(env.DB, token, 3600)).toBe(NOW + 3_600_000);
  const { agreedAfter: _, ...stored } = token;
  const expected = { ...stored, expiresAt: NOW + 3_600_000, revokedAt: null, blocked: false };
  expect(await findToken(env.DB, FI, token.id)).toEqual(expected);
  expect(await findToken(env.DB, OTHER_FI, token.id)).toBeNull();
});

test("a token is active until the very second that it tells", async () => {
  const token = await makeToken({ issuedAt: NOW + 999 });
  await insertToken(env.DB, token, 3600);
  const found = await findToken(env.DB, FI, token.id);
  expect(found && isActive(found, NOW + 3_599_999)).toBe(true);
  expect(found && isActive(found, NOW + 3_600_000)).toBe(false);
});

test("a revoked token is inactive, and a second revocation leaves the time of the first", async () => {
  const token = await makeToken();
  await insertToken(env.DB, token, 3600);
  expect(await revokeToken(env.DB, FI, token.id, NOW + 1000)).toMatchObject({ tokens: [token.id] });
  expect(await revokeToken(env.DB, FI, token.id, NOW + 2000)).toMatchObject({ tokens: [], token: { id: token.id } });
  const found = await findToken(env.DB, FI, token.id);
  expect(found?.revokedAt).toBe(NOW + 1000);
  expect(found && isActive(found, NOW + 1)).toBe(false);
});

test("another FI revokes nothing", async () => {
  const token = await makeToken();
  await insertToken(env.DB, token, 3600);
  expect(await revokeToken(env.DB, OTHER_FI, token.id, NOW)).toBeNull();
  expect((await findToken(env.DB, FI, token.id))?.revokedAt).toBeNull();
});

test("a replay revokes the token that is stored", async () => {
  const token = await makeToken();
  await insertToken(env.DB, token, 3600);
  await insertRevokedToken(env.DB, { ...token, issuedAt: NOW + 1000 });
  expect(await findToken(env.DB, FI, token.id)).toMatchObject({ issuedAt: NOW, revokedAt: NOW + 1000 });
});

test("a token whose code was replayed before it is stored is stored as revoked", async () => {
  const token = await makeToken();
  // by an isolate that had a newer key already
  await insertRevokedToken(env.DB, { ...token, kid: "20900102T000000Z", issuedAt: NOW + 1 });
  expect(await insertToken(env.DB, token, 3600)).toBe(NOW + 3_600_000);
  const found = await findToken(env.DB, FI, token.id);
  const { agreedAfter: _, ...stored } = token;
  expect(found).toEqual({ ...stored, expiresAt: NOW + 3_600_000, revokedAt: NOW + 1, blocked: false });
});

test("a token under a consent that does not exist is not stored", async () => {
  const token = await makeToken({ consentId: "none" });
  expect(await insertToken(env.DB, token, 3600)).toBeNull();
  expect(await findToken(env.DB, FI, token.id)).toBeNull();
});
