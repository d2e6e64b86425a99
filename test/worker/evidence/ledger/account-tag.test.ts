/** An account in a record is a tag. Erasing the account leaves a chain that verifies and a tag that says nothing. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { removeInstitution } from "../../../../src/cli/institution/changes.ts";
import { tagAccounts } from "../../../../src/evidence/ledger/account-tag.ts";
import { checkChain } from "../../../../src/evidence/ledger/chain.ts";
import type { LedgerEvent } from "../../../../src/evidence/ledger/record.ts";
import { recordNow } from "../../../../src/evidence/ledger/recorder.ts";
import { eraseAccountData } from "../../../../src/grants/retention.ts";
import { call, codeRequest, obtainCode, tokenRequest } from "../../bank.ts";
import { eidasHeader, loadSandbox, OTHER_FI } from "../../sandbox.ts";
import { makeEntry } from "./made-entries.ts";
import { idOf, ledgerOfBank, recordOf } from "./records.ts";

beforeAll(loadSandbox);

const ask = (account: string, headers = {}) =>
  call("POST", "/v1/oauth2/authorization_codes", {
    headers: { eidas: eidasHeader("scenario-1"), ...headers },
    body: codeRequest({}, account),
  });
const keysOf = async (account: string) =>
  (await env.DB.prepare("SELECT key FROM account_keys WHERE account_id = ?1").bind(account).all()).results;

test("a request that is refused for its certificate names its account, too", async () => {
  const refused = await ask("refused", { eidas: eidasHeader("scenario-5") });
  const allowed = await ask("refused");
  expect([refused.status, allowed.status]).toEqual([401, 201]);
  const [tag, other] = [(await recordOf(refused)).account, (await recordOf(allowed)).account];
  expect(tag).toMatch(/^[0-9a-f]{64}$/);
  expect(other).toBe(tag);
});

test("records of one account have one tag; another account, and the same at another institution, have another", async () => {
  const answers = [await ask("tagged"), await ask("tagged"), await ask("another")];
  const [first, second, another] = await Promise.all(answers.map((answer) => recordOf(answer)));
  const theirs = await recordOf(await ask("tagged", OTHER_FI), OTHER_FI.fi_reference_id);
  expect(second?.account).toBe(first?.account);
  expect(new Set([first?.account, another?.account, theirs.account]).size).toBe(3);
});

test("two isolates that make a key in the same moment agree on one", async () => {
  const fiId = await idOf();
  const tags = await Promise.all(Array.from({ length: 8 }, () => tagAccounts(env.DB, fiId, ["raced", "raced-too"])));
  expect(new Set(tags.map((tag) => tag.get("raced"))).size).toBe(1);
  expect(await keysOf("raced")).toHaveLength(1);
});

test("after its erasure the chain verifies, and the tag cannot be made again", async () => {
  const before = await recordOf(await ask("erased"));
  const fiId = await idOf();
  const erased = await eraseAccountData(env.DB, { fiId, accountId: "erased" });
  expect(erased.account_keys).toEqual([{ fi_id: fiId, account_id: "erased" }]);
  expect(await keysOf("erased")).toEqual([]);
  const after = await recordOf(await ask("erased"));
  expect(after.account).not.toBe(before.account);
  const { texts } = await (await ledgerOfBank()).range(1, Number.MAX_SAFE_INTEGER);
  expect(checkChain(texts)).toMatchObject({ ok: true });
  expect(texts.join()).toContain(before.account);
  expect(texts.join()).not.toContain("erased");
});

describe("what is recorded of an account after its erasure brings no key back:", () => {
  const account = "erased-for-good";
  const headers = { eidas: eidasHeader("scenario-1") };
  const redeem = (code: string) => call("POST", "/v1/oauth2/tokens", { headers, body: tokenRequest(code, account) });
  let code: string;
  beforeAll(async () => {
    code = await obtainCode(account);
    await recordOf(await redeem(code));
    const owned = { fiId: await idOf(), accountId: account };
    await eraseAccountData(env.DB, owned);
  });

  test.each<[string, () => Promise<{ headers: Headers }>]>([
    ["a code that is used again", () => redeem(code)],
    ["a code that nobody issued", () => redeem("x")],
    ["a withdrawal", () => call("DELETE", `/v1/accounts/${account}/permissions`)],
    ["the record of a code from before, which its ledger did not take until now", () => recordLate("code.issue")],
    ["the record of a token from before", () => recordLate("code.redemption")],
  ])("%s", async (_, act) => {
    expect((await recordOf(await act())).account).toBeNull();
    expect(await keysOf(account)).toEqual([]);
  });

  /** As an isolate holds it that has answered before the erasure began: a minute and a half before its end. */
  async function recordLate(event: LedgerEvent) {
    const entry = makeEntry(Date.now() - 90_000, { event, status: 201 });
    const fi = { id: await idOf(), fiReferenceId: entry.fi, database: 1 };
    await recordNow(env, createExecutionContext(), fi, { entry, accountId: account });
    return { headers: new Headers({ "x-evidence-id": entry.id }) };
  }

  test("a code that is issued since begins anew", async () => {
    expect((await recordOf(await ask(account))).account).toMatch(/^[0-9a-f]{64}$/);
  });
});

test("the keys of an institution go with it", async () => {
  await recordOf(await ask("of-the-removed", OTHER_FI), OTHER_FI.fi_reference_id);
  const id = await idOf(OTHER_FI.fi_reference_id);
  await removeInstitution(env, id, Date.now());
  expect(await keysOf("of-the-removed")).toEqual([]);
  expect((await env.LEDGER.getByName(String(id)).range(1, 100)).texts.length).toBeGreaterThan(0);
});
