/** Tokens and consents that were stored under the certificate's own spelling belong to the PSP after the migration. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { normaliseAuthorisationNumber } from "../../../src/eidas/authorisation-number.ts";
import { findAccountAccessConsent, insertAccountAccessConsent } from "../../../src/grants/account-access-consents.ts";
import { insertToken } from "../../../src/grants/new-token.ts";
import { findPaymentOrderConsent, insertPaymentOrderConsent } from "../../../src/grants/payment-order-consents.ts";
import { makeRecordId } from "../../../src/grants/record-id.ts";
import { findToken } from "../../../src/grants/tokens.ts";
import { insertTwoFis } from "./financial-institutions.ts";

const NOW = Date.parse("2090-01-01T00:00:00Z");
const [FI] = await insertTwoFis();

async function migrate(): Promise<void> {
  const migration = env.TEST_MIGRATIONS.find(({ name }) => name.endsWith("_psp_ids.sql"));
  if (!migration) throw new Error("there is no such migration");
  await env.DB.batch(migration.queries.map((query) => env.DB.prepare(query)));
}

/** A token and a consent of each kind, as an earlier version stored them. */
async function insertGrants(pspId: string) {
  const [token, access, order] = [makeRecordId(NOW), makeRecordId(NOW), makeRecordId(NOW)];
  const owner = { fiId: FI, pspId };
  const open = { expirationDateTime: null, transactionFromDateTime: null, transactionToDateTime: null, endsAt: null };
  await insertAccountAccessConsent(env.DB, owner, { id: access, permissions: ["ReadBalances"], ...open }, NOW);
  await insertPaymentOrderConsent(env.DB, owner, { id: order, initiation: {} }, NOW);
  const grant = { accountId: "migrated", scope: "payments", consentId: null, issuedAt: NOW } as const;
  await insertToken(env.DB, { id: token, kid: "k", ...owner, ...grant }, 3600);
  return { token, access, order };
}

const SPELLINGS = [
  "PSDXX-TEST-000001",
  "psdxx-test-00\u20130001",
  " PSDXX-TEST-000 001\t",
  "PSDXX-TES-T000001",
  "PSDFI-FINFSA-2858394-9",
  "PSDFI-FIN-FSA-2858394-9",
  "PSDFI-FIN-FSA1",
  "PSDFIN-FINFSA-1234567-8",
  "PSDEL-BOG-7",
  "PSDUK-FCA-7",
  "PSDXX--OB-TEST-000001-",
  "PSDIT-1234567890",
  "PSDIT-BI-",
  "PSDBG-BNB-рег/12 №7",
  "PSDGB-OB-Unknown0015800001HQQrZAAX",
  "PSDDE-FAKENCA-PSDDE-FAKENCA-Invalid TPP",
];

test("a grant under any spelling is its PSP's afterwards, and no other's", async () => {
  const grants = await Promise.all(SPELLINGS.map(async (spelled) => ({ spelled, ...(await insertGrants(spelled)) })));
  await migrate();
  for (const { spelled, token, access, order } of grants) {
    const owner = { fiId: FI, pspId: normaliseAuthorisationNumber(spelled) };
    expect([spelled, (await findToken(env.DB, FI, token))?.pspId]).toEqual([spelled, owner.pspId]);
    expect(await findAccountAccessConsent(env.DB, owner, access, NOW)).toMatchObject({ id: access });
    expect(await findPaymentOrderConsent(env.DB, owner, order)).toMatchObject({ id: order });
  }
});

test("a second run changes nothing, and leaves nothing behind", async () => {
  await insertGrants("PSDXX-TEST-00-0002");
  await migrate();
  const tables = () => env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  const rows = () => env.DB.prepare("SELECT id, psp_id FROM tokens ORDER BY id").all();
  const before = [(await tables()).results, (await rows()).results];
  await migrate();
  expect([(await tables()).results, (await rows()).results]).toEqual(before);
});
