/** `account export | erase`: everything of one account is shown, and nothing of it is left in the database's raw files. */
import "./in-process.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tagAccounts } from "../../src/evidence/ledger/account-tag.ts";
import { authoriseAccountAccessConsent, insertAccountAccessConsent } from "../../src/grants/account-access-consents.ts";
import { setBlock } from "../../src/grants/account-block.ts";
import { insertRevokedToken, insertToken } from "../../src/grants/new-token.ts";
import { authorisePaymentOrderConsent, insertPaymentOrderConsent } from "../../src/grants/payment-order-consents.ts";
import { makeRecordId } from "../../src/grants/record-order.ts";
import { countAccountData, digestAccountData, eraseAccountData, readAccountData } from "../../src/grants/retention.ts";
import { insertFinancialInstitution } from "../../src/institutions/financial-institutions.ts";
import { storeToken, withTicket } from "../store-token.ts";
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
  const token = { kid: "k", ...PSP, accountId, issuedAt: now };
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
      await storeToken(db, { ...token, id: makeRecordId(now), scope, consentId }, HOUR);
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
      core_codes: 1,
      account_blocks: 2,
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

    // a code from just before the erasure
    const { id: _, ...code } = await withTicket(env.DB, {
      ...{ id: "", kid: "k", ...PSP, accountId: ERASED, scope: "accounts", consentId: null, issuedAt: begun },
    });
    const deleted = await eraseAccountData(env.DB, erased);
    expect(countAccountData(deleted)).toMatchObject({ tokens: 9, core_permissions: 1, core_codes: 1 });
    expect(await insertToken(env.DB, { ...code, id: makeRecordId(begun) }, HOUR)).toBeNull();
    // afterwards the PSP sends it again, of which an exchange was given back
    await insertRevokedToken(env.DB, { ...code, id: makeRecordId(begun) }, [makeRecordId(begun)]);
    expect(Object.values(countAccountData(await readAccountData(env.DB, erased)))).toEqual([0, 0, 0, 0, 0, 0, 0]);

    const { overwriteDeletedRows } = await import("../../src/cli/institution/account.ts");
    expect(countInFiles(ERASED)).toBeGreaterThan(0);
    expect(await overwriteDeletedRows()).toBeNull();
    expect(countInFiles(ERASED)).toBe(0);
    expect(countInFiles(KEPT)).toBeGreaterThan(10);
    // the open database goes on
    expect(await readAccountData(env.DB, kept)).toEqual(before);
    await fill(env.DB, ERASED, begun);
    // nor when the customer has agreed again
    expect(await insertToken(env.DB, { ...code, id: makeRecordId(begun) }, HOUR)).toBeNull();
  });
});

test("an institution that does not exist has no account", async () => {
  const result = await run("account", "erase", "--reference", "PSDXX-NONE", "--account", ERASED);
  expect(result).toMatchObject({ code: 1, stdout: "", stderr: "error: PSDXX-NONE: no such institution\n" });
});
