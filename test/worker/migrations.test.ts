/** What a deployment holds when it is upgraded survives: the migrations before, rows, then the migration. */
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";

const before = (name: string) => {
  const at = env.TEST_MIGRATIONS.findIndex((migration) => migration.name.startsWith(name));
  if (at < 0) throw new Error(`no migration ${name}`);
  return { earlier: env.TEST_MIGRATIONS.slice(0, at), its: env.TEST_MIGRATIONS.slice(0, at + 1) };
};

type Row = Record<string, string | number | null>;
const insert = (table: string, row: Row) =>
  env.DB.prepare(
    `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map((_, i) => `?${i + 1}`)})`,
  ).bind(...Object.values(row));
const readAll = async (table: string) =>
  (await env.DB.prepare(`SELECT * FROM ${table} ORDER BY id`).all<Row>()).results;

const OWNER = { fi_id: 1, psp_id: "PSDXX-TEST-000001" };
const token = (id: string, consent_id: string, account_id: string, scope: string): Row => {
  const times = { issued_at: 5_000, expires_at: 9_000, revoked_at: null };
  return { id, kid: "k", ...OWNER, account_id, scope, consent_id, ...times };
};
const order = (id: string, status: string): Row => {
  return { id, ...OWNER, status, created_at: 1_000, status_updated_at: 2_000, initiation: `{"id":"${id}"}` };
};
const access = (id: string, status: string): Row => ({
  ...{ id, ...OWNER, status, created_at: 1_000, status_updated_at: 2_000, permissions: '["ReadBalances"]' },
  ...{ expiration_date_time: "2099-01-01T00:00:00Z", transaction_from_date_time: "2026-01-01T00:00:00Z" },
  ...{ transaction_to_date_time: null, ends_at: 4_070_908_800_000 },
});

beforeEach(() => reset());

test("0004: no consent is lost, those with a token know its account, and a payment order with one is Consumed", async () => {
  const { earlier, its } = before("0004_");
  await applyD1Migrations(env.DB, earlier);
  const orders = [
    order("order-0", "AwaitingAuthorisation"),
    order("order-1", "Authorised"),
    order("order-2", "Authorised"),
    ...Array.from({ length: 500 }, (_, i) => order(`order-many-${i}`, "AwaitingAuthorisation")),
  ];
  const consents = [
    access("access-0", "AwaitingAuthorisation"),
    access("access-1", "Authorised"),
    access("access-2", "Authorised"),
    access("access-3", "Revoked"),
  ];
  const tokens = [
    token("token-1", "order-2", "account-1", "payments"),
    // it happened: one payment order gave several tokens, one consent tokens for several accounts
    token("token-2", "order-2", "account-2", "payments"),
    token("token-3", "access-2", "account-3", "accounts"),
    token("token-4", "access-2", "account-4", "accounts"),
    token("token-5", "access-3", "account-5", "accounts"),
  ];
  await env.DB.batch([
    insert("financial_institutions", { id: 1, name: "n", fi_reference_id: "PSDXX-1", created_at: 0 }),
    ...orders.map((row) => insert("payment_order_consents", row)),
    ...consents.map((row) => insert("account_access_consents", row)),
    ...tokens.map((row) => insert("tokens", row)),
  ]);

  await applyD1Migrations(env.DB, its);

  const unknown = { account_id: null, token_id: null };
  const consumed = { status: "Consumed", status_updated_at: 5_000, account_id: "account-1", token_id: "token-1" };
  expect(await readAll("payment_order_consents")).toEqual(
    orders
      .map((row): Row => ({ ...row, ...unknown, ...(row["id"] === "order-2" && consumed) }))
      .sort((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1)),
  );
  const accounts: Record<string, string> = { "access-2": "account-3", "access-3": "account-5" };
  expect(await readAll("account_access_consents")).toEqual(
    consents.map((row) => ({ ...row, account_id: accounts[String(row["id"])] ?? null })),
  );
  expect(await readAll("tokens")).toEqual(tokens);
  // the database itself refuses a consumed consent without its token, and a token without its consumption
  for (const wrong of [{ status: "Consumed" }, { token_id: "token-9" }])
    await expect(
      insert("payment_order_consents", { ...order("order-9", "Authorised"), ...wrong }).run(),
    ).rejects.toThrow(/CHECK/);
});
