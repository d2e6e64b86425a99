/** What a deployment holds when it is upgraded survives: the migrations before, rows, then the migration. */
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { revokeAccountAccessConsent } from "../../src/grants/account-access-consents.ts";
import { listPermissions } from "../../src/grants/permission-list.ts";

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

test("0008: an institution stays as it is, with the deployment's lifetimes; the Worker before goes on adding others", async () => {
  const { earlier, its } = before("0008_");
  await applyD1Migrations(env.DB, earlier);
  const institution = { id: 1, name: "n", fi_reference_id: "PSDXX-1", status: "active", created_at: 5 };
  await insert("financial_institutions", institution).run();
  await applyD1Migrations(env.DB, its);
  await insert("financial_institutions", { ...institution, id: 2, fi_reference_id: "PSDXX-2" }).run();
  const lifetimes = { payments_token_seconds: null, accounts_token_seconds: null };
  expect(await readAll("financial_institutions")).toEqual([
    { ...institution, ...lifetimes },
    { ...institution, id: 2, fi_reference_id: "PSDXX-2", ...lifetimes },
  ]);
});

test("0009: what was agreed before is listed: consents, payment orders, and tokens without a consent by their runs", async () => {
  const { earlier, its } = before("0009_");
  await applyD1Migrations(env.DB, earlier);
  const core = (id: string, issued_at: number, expires_at: number, revoked_at: number | null = null): Row => {
    return { ...token(id, "", "account-1", "accounts"), consent_id: null, issued_at, expires_at, revoked_at };
  };
  const tokens = [
    { ...token("t-access", "access-1", "account-1", "accounts"), issued_at: 6_000 },
    { ...token("t-ended", "access-2", "account-1", "accounts"), issued_at: 4_000, revoked_at: 5_000 },
    token("t-order", "order-1", "account-1", "payments"),
    { ...token("t-revoked", "order-2", "account-1", "payments"), revoked_at: 7_000 },
    // one run of two that overlap, one that was revoked, one token that nobody got, one run that is open
    core("c-1", 1_000, 3_000),
    core("c-2", 2_000, 5_000),
    core("c-3", 5_000, 9_000, 6_000),
    core("c-4", 6_500, 6_500, 6_500),
    core("c-5", 7_000, 20_000),
    { ...core("c-6", 7_000, 20_000), scope: "payments" },
    { ...core("c-7", 7_000, 20_000), psp_id: "PSDXX-TEST-000002" },
  ];
  const consumed = (token_id: string) => ({ status: "Consumed", account_id: "account-1", token_id });
  await env.DB.batch([
    insert("financial_institutions", { id: 1, name: "n", fi_reference_id: "PSDXX-1", created_at: 0 }),
    insert("account_access_consents", access("access-0", "AwaitingAuthorisation")),
    insert("account_access_consents", { ...access("access-1", "Authorised"), account_id: "account-1" }),
    insert("account_access_consents", { ...access("access-2", "Revoked"), account_id: "account-1", ends_at: 5_000 }),
    insert("payment_order_consents", { ...order("order-0", "Authorised"), account_id: "account-1" }),
    insert("payment_order_consents", { ...order("order-1", "Consumed"), ...consumed("t-order") }),
    insert("payment_order_consents", { ...order("order-2", "Consumed"), ...consumed("t-revoked") }),
    insert("payment_order_consents", { ...order("order-3", "Consumed"), ...consumed("t-deleted") }),
    ...tokens.map((row) => insert("tokens", row)),
  ]);
  await applyD1Migrations(env.DB, its);

  const page = { after: null, onlyOpen: false, limit: 100 };
  const listed = await listPermissions(env.DB, { fiId: 1, accountId: "account-1" }, page, 8_000);
  const shown = Object.fromEntries(
    listed.permissions.map(({ id, grantedAt, lastTokenAt, endsAt, endedBy, hasToken }) => [
      id,
      [grantedAt, lastTokenAt, endsAt, endedBy, hasToken],
    ]),
  );
  expect(shown).toEqual({
    "access-1": [2_000, 6_000, 4_070_908_800_000, null, true],
    "access-2": [4_000, 4_000, 5_000, "psp", false],
    "order-0": [2_000, null, null, null, false],
    "order-1": [2_000, 5_000, 9_000, null, true],
    "order-2": [2_000, 5_000, 7_000, "bank", false],
    "order-3": [2_000, null, 2_000, null, false],
    "c-1": [1_000, 2_000, 5_000, null, false],
    "c-3": [5_000, 5_000, 6_000, "bank", false],
    "c-5": [7_000, 7_000, 20_000, null, true],
    "c-6": [7_000, 7_000, 20_000, null, true],
    "c-7": [7_000, 7_000, 20_000, null, true],
  });
  expect(await readAll("tokens")).toEqual(tokens.toSorted((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1)));
});

test("0012: the revocation of a consent finds its live tokens by its account; those of other accounts have ended", async () => {
  const { earlier, its } = before("0012_");
  await applyD1Migrations(env.DB, earlier);
  const soon = Date.now() + 3_600_000;
  const alive = (id: string, consent: string, account: string): Row => ({
    ...token(id, consent, account, "accounts"),
    expires_at: soon,
  });
  const institution = { id: 1, name: "n", fi_reference_id: "PSDXX-1", status: "active", created_at: 0 };
  await env.DB.batch([
    insert("financial_institutions", institution),
    insert("account_access_consents", { ...access("access-1", "Authorised"), account_id: "account-1" }),
    insert("payment_order_consents", { ...order("order-1", "Authorised"), account_id: "account-1" }),
    ...[
      alive("token-1", "access-1", "account-1"),
      // before 0004
      alive("token-2", "access-1", "account-2"),
      alive("token-3", "order-1", "account-1"),
      token("token-4", "access-1", "account-2", "accounts"),
    ].map((row) => insert("tokens", row)),
    insert("tokens", { ...alive("token-5", "access-1", "account-2"), consent_id: null }),
  ]);

  await applyD1Migrations(env.DB, its);

  const live = async () =>
    (await readAll("tokens")).filter((row) => row["revoked_at"] === null && row["expires_at"] === soon);
  expect((await live()).map(({ id }) => id)).toEqual(["token-1", "token-3", "token-5"]);
  await revokeAccountAccessConsent(env.DB, { fiId: 1, pspId: OWNER.psp_id }, "access-1", Date.now());
  expect((await live()).map(({ id }) => id)).toEqual(["token-3", "token-5"]);
});

test("0013: every institution stays where it is, in the first database", async () => {
  const { earlier, its } = before("0013_");
  await applyD1Migrations(env.DB, earlier);
  await insert("financial_institutions", { id: 1, name: "Bank", fi_reference_id: "PSDXX-TEST-1", created_at: 0 }).run();
  await applyD1Migrations(env.DB, its);
  expect(await readAll("financial_institutions")).toMatchObject([{ id: 1, status: "active", database: 1 }]);
});

test("0014: every institution keeps its answers as they were: none waits for its record", async () => {
  const { earlier, its } = before("0014_");
  await applyD1Migrations(env.DB, earlier);
  const institution = { name: "Bank", created_at: 0 };
  await insert("financial_institutions", { id: 1, fi_reference_id: "PSDXX-TEST-1", ...institution }).run();
  await applyD1Migrations(env.DB, its);
  // by the Worker before
  await insert("financial_institutions", { id: 2, fi_reference_id: "PSDXX-TEST-2", ...institution }).run();
  expect((await readAll("financial_institutions")).map(({ ledger_required }) => ledger_required)).toEqual([0, 0]);
});

test("0020: what was noted of certificates is taken over, each once, without its chain", async () => {
  const { earlier, its } = before("0020_");
  await applyD1Migrations(env.DB, earlier);
  const service = { anchor_name: "n", source: "eIDAS", jurisdiction: "XX", service_name: "CA" };
  const noted = (anchor: string, certificate: string): Row => ({
    ...{ psp_id: OWNER.psp_id, anchor, ...service, certificate, not_after: 9_000 },
  });
  await env.DB.batch([noted("a", "1"), noted("b", "2"), noted("c", "2")].map((row) => insert("psp_certificates", row)));
  await applyD1Migrations(env.DB, its);
  const taken = await env.DB.prepare("SELECT * FROM shown_certificates ORDER BY certificate").all<Row>();
  expect(taken.results.map(({ anchor: _, ...row }) => row)).toEqual(
    ["1", "2"].map((certificate) => ({
      ...{ psp_id: OWNER.psp_id, certificate, chain: null, ...service, not_after: 9_000 },
    })),
  );
});
