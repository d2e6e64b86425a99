/** What the database itself refuses, whatever a statement says. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { insertTwoFis } from "../grants/financial-institutions.ts";

const [FI] = await insertTwoFis();

type Row = Record<string, string | number | null>;
const insert = (table: string, row: Row) =>
  env.DB.prepare(
    `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map((_, i) => `?${i + 1}`)})`,
  ).bind(...Object.values(row));

const OWNER = { fi_id: FI, psp_id: "PSDXX-TEST-000001" };
const order = (id: string): Row => {
  return { id, ...OWNER, status: "Authorised", created_at: 1, status_updated_at: 2, initiation: "{}" };
};
const permission = (id: string): Row => {
  const times = { granted_at: 1, last_token_at: 1, valid_until: 9, ends_at: 5 };
  return { id, ...OWNER, account_id: "a", scope: "accounts", ...times };
};

test("a payment order consent is consumed exactly if it names its token", async () => {
  for (const wrong of [{ status: "Consumed" }, { token_id: "token" }])
    await expect(insert("payment_order_consents", { ...order("order"), ...wrong }).run()).rejects.toThrow(/CHECK/);
  await insert("payment_order_consents", { ...order("order"), status: "Consumed", token_id: "token" }).run();
});

test("a permission was ended by its PSP, the bank, the customer or a code that was used twice, by nobody else", async () => {
  for (const [table, make] of [
    ["core_permissions", permission],
    ["payment_order_consents", order],
  ] as const) {
    // biome-ignore format: a row
    for (const by of ["psp", "bank", "customer", "code_used_twice", null])
      await insert(table, { ...make(`by ${by}`), ended_by: by }).run();
    await expect(insert(table, { ...make("by nobody"), ended_by: "nobody" }).run()).rejects.toThrow(/CHECK/);
  }
});
