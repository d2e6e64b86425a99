/** `account export | erase`: everything of one account is shown, and nothing of it is left in the database's raw files. */
import "./in-process.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { insertFinancialInstitution } from "../../src/financial-institutions.ts";
import { authoriseAccountAccessConsent, insertAccountAccessConsent } from "../../src/grants/account-access-consents.ts";
import { setBlock } from "../../src/grants/account-block.ts";
import {
  countAccountData,
  digestAccountData,
  eraseAccountData,
  readAccountData,
} from "../../src/grants/account-data.ts";
import { insertRevokedToken, insertToken } from "../../src/grants/new-token.ts";
import { authorisePaymentOrderConsent, insertPaymentOrderConsent } from "../../src/grants/payment-order-consents.ts";
import { makeRecordId } from "../../src/grants/record-id.ts";
import { tagAccounts } from "../../src/ledger/account-tag.ts";
import { STATE_DIR } from "./own-state.ts";
import { withOwnStores } from "./own-stores.ts";
import { run } from "./run-here.ts";

const REFERENCE = "PSDFI-FINFSA-0001";
const PSP = { fiId: 1, pspId: "PSDXX-TEST-000001" };
const [ERASED, KEPT] = ["FI-erased-account-4711", "FI-kept-account-4712"];
const HOUR = 3600;

/** What each store holds: a consent with a token, a payment order with one, tokens without a consent, a block. */
async function fill(db: D1Database, accountId: string, now: number): Promise<void> {
  const account = { fiId: PSP.fiId, accountId };
  const token = { kid: "k", ...PSP, accountId, issuedAt: now, codeIssuedAt: now };
  for (let i = 0; i < 3; i++) {
    const [consent, order] = [makeRecordId(now), makeRecordId(now)];
    const open = { expirationDateTime: null, transactionFromDateTime: null, transactionToDateTime: null };
    await insertAccountAccessConsent(db, PSP, { id: consent, permissions: ["ReadPAN"], ...open, endsAt: null }, now);
    await authoriseAccountAccessConsent(db, PSP, consent, accountId, now);
    await insertPaymentOrderConsent(db, PSP, { id: order, initiation: { to: accountId } }, now);
    await authorisePaymentOrderConsent(db, PSP, order, accountId, now);
    for (const [scope, consentId] of [
      ["accounts", consent],
      ["payments", order],
      ["accounts", null],
    ] as const)
      await insertToken(db, { ...token, id: makeRecordId(now), scope, consentId }, HOUR);
  }
  await setBlock(db, account, ["payments"], now);
  await tagAccounts(db, PSP.fiId, [accountId]);
}

/** How often a text stands in the files below the state's folder. */
function countInFiles(text: string, folder = STATE_DIR): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((count, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return count + countInFiles(text, path);
    return count + readFileSync(path).toString("latin1").split(text).length - 1;
  }, 0);
}

test("an erased account is in no raw file, and another account keeps everything", async () => {
  await withOwnStores(async ({ env }) => {
    const begun = Date.now();
    const fi = { name: "A Bank", fiReferenceId: REFERENCE, clientId: "a-bank", secretHash: "hash", now: begun };
    await insertFinancialInstitution(env.DB, fi);
    for (const account of [ERASED, KEPT]) await fill(env.DB, account, begun);
    const [erased, kept] = [ERASED, KEPT].map((accountId) => ({ fiId: PSP.fiId, accountId }));
    if (!erased || !kept) throw new Error("two accounts");
    const before = await readAccountData(env.DB, kept);

    const exported = await run("account", "export", "--reference", REFERENCE, "--account", ERASED);
    const shown = JSON.parse(exported.stdout);
    expect(shown).toMatchObject({ fi_reference_id: REFERENCE, account_id: ERASED });
    expect(shown.payment_order_consents[0].initiation).toBe(JSON.stringify({ to: ERASED }));
    expect(countAccountData(shown)).toEqual({
      tokens: 9,
      account_access_consents: 3,
      payment_order_consents: 3,
      core_permissions: 1,
      withdrawals: 0,
      account_blocks: 1,
      account_keys: 1,
    });
    const erase = ["account", "erase", "--reference", REFERENCE, "--account", ERASED];
    const dry = await run(...erase, "--dry-run");
    const stored = await readAccountData(env.DB, erased);
    expect(JSON.parse(dry.stdout).would_erase).toEqual({
      rows: countAccountData(stored),
      sha256: digestAccountData(stored),
    });
    expect(shown.sha256).toBe(digestAccountData(stored));
    expect(countInFiles(ERASED)).toBeGreaterThan(10);

    let at = begun + 1_000;
    // a code from just before the withdrawal is exchanged in its last moment, and the store takes 20 seconds and all retries
    const late = {
      id: makeRecordId(at),
      kid: "k",
      ...PSP,
      accountId: ERASED,
      scope: "accounts",
      consentId: null,
    } as const;
    const exchange = { ...late, issuedAt: begun + 60_998, codeIssuedAt: begun + 999 };
    let expiry: Awaited<ReturnType<typeof insertToken>> | undefined;
    const store = async () => {
      expiry = await insertToken(env.DB, exchange, HOUR);
    };
    const clock = {
      now: () => at,
      wait: async (milliseconds: number) => {
        at += milliseconds;
        if (at >= exchange.issuedAt + 20_000) await store();
      },
    };
    const deleted = await eraseAccountData(env.DB, erased, clock);
    if (expiry === undefined) await store();
    expect(expiry).toBeNull();
    expect(countAccountData(deleted)).toMatchObject({ tokens: 9, core_permissions: 1, withdrawals: 2 });
    expect(deleted.tokens.every(({ revoked_at }) => revoked_at === begun + 1_000)).toBe(true);
    // at once afterwards the PSP sends a code again, of which an exchange was given back
    const replayed = { ...late, id: makeRecordId(begun), issuedAt: at, codeIssuedAt: begun + 999 };
    await insertRevokedToken(env.DB, replayed, [makeRecordId(begun)]);
    expect(Object.values(countAccountData(await readAccountData(env.DB, erased)))).toEqual([0, 0, 0, 0, 0, 0, 0]);

    const { overwriteDeletedRows } = await import("../../src/admin/account.ts");
    expect(countInFiles(ERASED)).toBeGreaterThan(0);
    expect(await overwriteDeletedRows()).toBeNull();
    expect(countInFiles(ERASED)).toBe(0);
    expect(countInFiles(KEPT)).toBeGreaterThan(10);
    // the open database goes on
    expect(await readAccountData(env.DB, kept)).toEqual(before);
    await fill(env.DB, ERASED, begun);
  });
});

test("an institution that does not exist has no account", async () => {
  const result = await run("account", "erase", "--reference", "PSDXX-NONE", "--account", ERASED);
  expect(result).toMatchObject({ code: 1, stdout: "", stderr: "error: PSDXX-NONE: no such institution\n" });
});
