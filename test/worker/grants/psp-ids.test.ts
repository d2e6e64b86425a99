/** Tokens and consents that were stored under the certificate's own spelling belong to the PSP after the migration. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { normaliseAuthorisationNumber } from "../../../src/eidas/authorisation-number.ts";
import { makeRecordId } from "../../../src/grants/record-id.ts";
import { insertTwoFis } from "./financial-institutions.ts";

const NOW = Date.parse("2090-01-01T00:00:00Z");
const [FI] = await insertTwoFis();

async function migrate(): Promise<void> {
  const migration = env.TEST_MIGRATIONS.find(({ name }) => name.endsWith("_psp_ids.sql"));
  if (!migration) throw new Error("there is no such migration");
  await env.DB.batch(migration.queries.map((query) => env.DB.prepare(query)));
}

const TABLES = ["tokens", "account_access_consents", "payment_order_consents"] as const;

/** A token and a consent of each kind with one id, as an earlier version stored them. */
async function insertGrants(pspId: string): Promise<string> {
  const id = makeRecordId(NOW);
  const inserts = [
    `INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at)
     VALUES (?1, 'k', ?2, ?3, 'migrated', 'payments', ?4, ?4)`,
    `INSERT INTO account_access_consents (id, fi_id, psp_id, status, created_at, status_updated_at, permissions)
     VALUES (?1, ?2, ?3, 'AwaitingAuthorisation', ?4, ?4, '["ReadBalances"]')`,
    `INSERT INTO payment_order_consents (id, fi_id, psp_id, status, created_at, status_updated_at, initiation)
     VALUES (?1, ?2, ?3, 'AwaitingAuthorisation', ?4, ?4, '{}')`,
  ];
  await env.DB.batch(inserts.map((sql) => env.DB.prepare(sql).bind(id, FI, pspId, NOW)));
  return id;
}

const pspIdsOf = (id: string) =>
  Promise.all(
    TABLES.map((table) => env.DB.prepare(`SELECT psp_id FROM ${table} WHERE id = ?1`).bind(id).first("psp_id")),
  );

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
  const grants = await Promise.all(SPELLINGS.map(async (spelled) => ({ spelled, id: await insertGrants(spelled) })));
  await migrate();
  for (const { spelled, id } of grants) {
    const normal = normaliseAuthorisationNumber(spelled);
    expect([spelled, await pspIdsOf(id)]).toEqual([spelled, [normal, normal, normal]]);
  }
});

test("a second run changes nothing, and leaves nothing behind", async () => {
  const id = await insertGrants("PSDXX-TEST-00-0002");
  const state = async () => [
    await pspIdsOf(id),
    (await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()).results,
  ];
  await migrate();
  const before = await state();
  await migrate();
  expect(await state()).toEqual(before);
});
