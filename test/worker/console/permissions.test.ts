/** Permissions in the console: whose they are, how they are found, and what a form may change. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { PermissionCard } from "../../../src/console/permissions/permission-card.tsx";
import { searchPermissions } from "../../../src/grants/permission-list.ts";
import { eraseAccountData, readAccountData } from "../../../src/grants/retention.ts";
import { databaseOf, listDatabases } from "../../../src/institutions/databases.ts";
import { describePermissions } from "../../../src/routes/accounts/permissions.ts";
import { call, createAccountConsent, endBackground, obtainCcgToken, obtainObieToken, obtainToken } from "../bank.ts";
import { listRecords, recordOf } from "../evidence/ledger/records.ts";
import { whileUnreachable } from "../evidence/ledger/unreachable-ledger.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";
import { tokenOf, Visitor } from "./visitor.ts";

const PAGE = "/console/permissions";
const WITHDRAW = `${PAGE}/withdraw`;
const BLOCK = `${PAGE}/block`;
const UNBLOCK = `${PAGE}/unblock`;
const PSP = "PSDXX-TEST-000001";
const DAY_MS = 86_400_000;

let ccg: string;
let sandbox: Visitor;
let other: Visitor;
beforeAll(async () => {
  await loadSandbox();
  ccg = await obtainCcgToken("accounts");
  [sandbox, other] = [new Visitor(), new Visitor()];
  await sandbox.signIn();
  await other.signIn("other");
});

/** A consent of the sandbox's institution that its customer authorised. */
async function grant(account: string = crypto.randomUUID()) {
  const expiration = new Date(Date.now() + 90 * DAY_MS).toISOString();
  const id = await createAccountConsent(ccg, { permissions: ["ReadBalances"], expiration_date_time: expiration });
  await obtainObieToken(ccg, id, { psu_account_id: account });
  return { account, id };
}
const address = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;
const find = async (visitor: Visitor, by: string, q: string, more = {}) =>
  (await visitor.get(address(PAGE, { by, q, ...more }))).text;
const cards = (page: string): string[] =>
  [...page.matchAll(/<article class="card permission" id="([^"]+)"/g)].map(([, id]) => id ?? "");
const ofBank = async (account: string) => {
  const { data } = (await call("GET", `/v1/accounts/${account}/permissions`)).body;
  return data.map(({ id, status, ended_by }: Record<string, string>) => [id, status, ended_by]);
};
const blockOf = async (account: string) => (await call("GET", `/v1/accounts/${account}/block`)).body.data.scopes;

test("a permission is found by account, PSP and consent, with what its customer would be shown", async () => {
  const { account, id } = await grant();
  for (const [by, q] of [
    ["account", account],
    ["psp", " psdxx-test-000001 "],
    ["consent", id],
  ] as const) {
    const page = await find(sandbox, by, q);
    expect([by, cards(page).includes(id)]).toEqual([by, true]);
  }
  const page = await find(sandbox, "account", account);
  expect(cards(page)).toEqual([id]);
  for (const words of [
    "Amber Payments Ltd can see",
    "Your account balance",
    "You agreed on",
    "or when you stop it.",
    "Not blocked",
    "Authorised",
    "sees the account",
  ])
    expect(page).toContain(words);
});

/** The sandbox's institution, and where its permissions are. */
async function findSandbox() {
  const row = env.DB.prepare("SELECT id, database FROM financial_institutions WHERE fi_reference_id = ?1");
  const { id = 0, database = 1 } =
    (await row.bind(SANDBOX_FI.fi_reference_id).first<{ id: number; database: number }>()) ?? {};
  return { id, db: databaseOf(env, { database }) };
}

test("all of an account can be withdrawn also where the active ones are on an older page", async () => {
  const { account } = await grant();
  const { id: fiId, db } = await findSandbox();
  const ended = db.prepare(
    `WITH RECURSIVE counted (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM counted WHERE i < 29)
     INSERT INTO core_permissions (id, fi_id, account_id, psp_id, scope, granted_at, last_token_at, valid_until, ends_at)
     SELECT 'zz-' || i, ?1, ?2, ?3, 'payments', 0, 0, 1, 1 FROM counted`,
  );
  await ended.bind(fiId, account, PSP).run();
  const page = await find(sandbox, "account", account);
  expect([cards(page).length, page.includes("Withdraw all permissions")]).toEqual([20, true]);
  await db.prepare("DELETE FROM core_permissions WHERE id LIKE 'zz-%'").run();
});

test("a PSP is found by letters of its name; of an account that nobody knows nothing is green", async () => {
  await grant();
  const check = { headers: { eidas: eidasHeader("scenario-1"), version: "latest" } };
  await call("GET", "/v1/psp/eidas?jurisdiction=xx", check);
  await endBackground();
  const { status, headers } = await sandbox.get(address(PAGE, { by: "psp", q: "Amber" }));
  expect([status, headers.get("Location")]).toEqual([303, address(PAGE, { by: "psp", q: PSP })]);
  const page = await find(sandbox, "account", "Amber");
  const [card = ""] = page.split('id="found"');
  expect([page.includes("no block is known of this account"), card.includes("state yes")]).toEqual([true, false]);
});

test("what an undated loss of the authorisation leaves active is not green", async () => {
  const { account, id } = await grant();
  const [active = ""] = (await find(sandbox, "account", account)).split(`id="${id}"`).slice(1);
  expect(active).toMatch(/state yes[\s\S]*>Active</);
  const { id: fiId, db } = await findSandbox();
  const { permissions } = await searchPermissions(
    db,
    { fiId, by: "consent", value: id },
    { after: null, onlyOpen: false, limit: 1 },
    Date.now(),
  );
  const [record] = await describePermissions(env.KV, permissions, Date.now());
  if (!record) throw new Error("the permission is not there");
  const lost = { ...record, psp: { ...record.psp, standing: "Withdrawn" as const } };
  const card = String(PermissionCard({ record: lost, accountId: account, reason: null, withdrawal: null }));
  expect([card.includes("state yes"), card.includes("Active, but its PSP lost its authorisation")]).toEqual([
    false,
    true,
  ]);
});

test("a permission without a consent is found by its own id", async () => {
  const account = crypto.randomUUID();
  await obtainToken(account);
  const [[id]] = await ofBank(account);
  const page = await find(sandbox, "consent", id);
  expect(cards(page)).toEqual([id]);
  expect(page).toContain("Account information, without a list of what");
});

describe("another institution", () => {
  test("sees none of it, by account, PSP or consent, active or not", async () => {
    const { account, id } = await grant();
    for (const more of [{}, { active: "1" }])
      for (const [by, q] of [
        ["account", account],
        ["psp", PSP],
        ["consent", id],
      ] as const) {
        const page = await find(other, by, q, more);
        expect([by, cards(page)]).toEqual([by, []]);
        expect(page).not.toContain("Amber");
      }
    expect((await other.get(address(WITHDRAW, { account, id }))).status).toBe(404);
  });

  test("withdraws and blocks nothing of it", async () => {
    const { account, id } = await grant();
    const form_token = tokenOf((await other.get(PAGE.replace("permissions", "check"))).text);
    expect((await other.post(WITHDRAW, { form_token, account, id, by: "bank" })).status).toBe(404);
    // its own account of the same name
    expect((await other.post(WITHDRAW, { form_token, account, by: "bank" })).status).toBe(303);
    expect((await other.post(BLOCK, { form_token, account, scopes: "accounts" })).status).toBe(303);
    expect([await ofBank(account), await blockOf(account)]).toEqual([[[id, "active", null]], []]);
    expect(await find(other, "account", account)).toContain("Blocked for account information");
    expect(await find(sandbox, "account", account)).toContain("Not blocked");
  });
});

test("nobody but a signed-in institution: others are sent to the sign-in, operators are refused", async () => {
  expect((await new Visitor().get(PAGE)).headers.get("Location")).toBe(
    "/console/sign-in?next=%2Fconsole%2Fpermissions",
  );
  const operator = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
  await operator.post("/console/sign-in/operator", {});
  for (const path of [PAGE, WITHDRAW, BLOCK]) expect((await operator.get(path)).status).toBe(403);
  expect((await operator.get("/console/check")).text).not.toContain("Permissions");
});

describe("a withdrawal", () => {
  test.each(["customer", "bank"])("by the %s ends the permission and its token at once, and says so", async (by) => {
    const { account, id } = await grant();
    const confirmation = address(WITHDRAW, { account, id });
    expect((await sandbox.get(confirmation)).text).toContain("cannot be undone");
    expect(await ofBank(account)).toEqual([[id, "active", null]]);
    const answer = await sandbox.submit(confirmation, WITHDRAW, { account, id, by });
    const next = answer.headers.get("Location") ?? "";
    expect([answer.status, next]).toEqual([303, address(PAGE, { by: "account", q: account, done: "withdrawn" })]);
    expect(await ofBank(account)).toEqual([[id, "ended", by]]);
    const page = (await sandbox.get(next)).text;
    expect(page).toContain("The permission is withdrawn");
    expect(page).toContain(`withdrawn by the ${by}`);
    expect(page).not.toContain("Withdraw…");
    expect((await sandbox.get(confirmation)).text).toContain("has ended already");
  });

  test("is possible while the PSP's authorisation is lost: it may come back", async () => {
    const { account, id } = await grant();
    const { db } = await findSandbox();
    // one that the register says is Unauthorised
    await db.batch([
      db.prepare("UPDATE account_access_consents SET psp_id = 'PSDXX-TEST-000002' WHERE id = ?1").bind(id),
      db.prepare("UPDATE tokens SET expires_at = 1 WHERE consent_id = ?1").bind(id),
    ]);
    expect(await ofBank(account)).toEqual([[id, "ended", "authorisation_lost"]]);
    const page = await find(sandbox, "account", account);
    for (const words of ["the PSP lost its authorisation", "Withdraw…", "Withdraw all permissions…"])
      expect(page).toContain(words);
    await sandbox.submit(address(WITHDRAW, { account, id }), WITHDRAW, { account, id, by: "customer" });
    expect(await ofBank(account)).toEqual([[id, "ended", "customer"]]);
  });

  test("of all ends every permission of the account and no other", async () => {
    const [one, bystander] = [await grant(), await grant()];
    const two = await grant(one.account);
    await sandbox.submit(address(WITHDRAW, { account: one.account }), WITHDRAW, {
      account: one.account,
      by: "customer",
    });
    expect(await ofBank(one.account)).toEqual([two.id, one.id].map((id) => [id, "ended", "customer"]));
    expect(await ofBank(bystander.account)).toEqual([[bystander.id, "active", null]]);
    expect(cards(await find(sandbox, "account", one.account, { active: "1" }))).toEqual([]);
  });

  test("needs to be told by whom", async () => {
    const { account, id } = await grant();
    for (const by of ["", "psp", "anyone"]) {
      const answer = await sandbox.submit(address(WITHDRAW, { account, id }), WITHDRAW, { account, id, by });
      expect([answer.status, answer.text.includes("Who withdraws?")]).toEqual([400, true]);
    }
    expect(await ofBank(account)).toEqual([[id, "active", null]]);
  });

  test("of what the account does not have is no page", async () => {
    const [one, two] = [await grant(), await grant()];
    for (const query of [
      { account: one.account, id: two.id },
      { account: one.account, id: "x" },
      { account: "." },
      { id: one.id },
    ])
      expect((await sandbox.get(address(WITHDRAW, query as Record<string, string>))).status).toBe(404);
  });
});

describe("a reason", () => {
  const REASON = "Reported <stolen> by the customer, case 4711";
  const keptOf = async (account: string) => {
    const { id: fiId, db } = await findSandbox();
    return JSON.stringify(await readAccountData(db, { fiId, accountId: account }));
  };

  test("of a withdrawal is shown beside the permission and exported, and is in neither the ledger nor the API", async () => {
    const { account, id } = await grant();
    const page = address(WITHDRAW, { account, id });
    const answer = await sandbox.submit(page, WITHDRAW, { account, id, by: "bank", reason: `  ${REASON} ` });
    for (const shown of [await find(sandbox, "account", account), (await sandbox.get(page)).text])
      expect(shown).toContain("Reported &lt;stolen&gt; by the customer, case 4711");
    expect(await keptOf(account)).toContain(`"ended_reason":"${REASON}"`);
    expect(JSON.stringify(await recordOf(answer))).not.toContain("stolen");
    expect(JSON.stringify((await call("GET", `/v1/accounts/${account}/permissions`)).body)).not.toContain("stolen");
    const { id: fiId, db } = await findSandbox();
    await eraseAccountData(db, { fiId, accountId: account });
    expect(await keptOf(account)).not.toContain("stolen");
  });

  test("of a withdrawal of all is of each that ends by it, and not of one that had ended", async () => {
    const [one, two] = [await grant(), await grant()];
    const { account } = one;
    await sandbox.submit(address(WITHDRAW, { account }), WITHDRAW, { account, id: one.id, by: "bank" });
    await obtainToken(account);
    await sandbox.submit(address(WITHDRAW, { account }), WITHDRAW, { account, by: "customer", reason: REASON });
    const page = await find(sandbox, "account", account);
    expect([cards(page).length, page.split("Reported").length - 1]).toEqual([2, 1]);
    expect(await find(sandbox, "account", two.account)).not.toContain("Reported");
  });

  test("of a block is shown while it lasts; a scope that is blocked again keeps it or gets the new one", async () => {
    const account = crypto.randomUUID();
    const page = address(BLOCK, { account });
    const block = async (scopes: string, reason: string) => {
      const { text } = await sandbox.get(page);
      const shown = /name="shown" value="([^"]*)"/.exec(text)?.[1] ?? "";
      const answer = await sandbox.submit(page, BLOCK, { account, scopes, shown, reason });
      expect(answer.status).toBe(303);
      return answer;
    };
    const answer = await block("payments", REASON);
    expect(JSON.stringify(await recordOf(answer))).not.toContain("stolen");
    await block("payments", "");
    for (const shown of [await find(sandbox, "account", account), (await sandbox.get(page)).text])
      expect(shown).toContain("Why: Reported &lt;stolen&gt;");
    await block("payments", "Another one");
    expect(await find(sandbox, "account", account)).toMatch(/Why: Another one(?![\s\S]*stolen)/);
    // by the API nobody gives one, and what is blocked stays as it is
    await call("PUT", `/v1/accounts/${account}/block`, { body: { scopes: ["payments", "accounts"] } });
    expect(await find(sandbox, "account", account)).toContain("Why: Another one");
    await call("DELETE", `/v1/accounts/${account}/block`);
    await call("PUT", `/v1/accounts/${account}/block`, { body: { scopes: ["payments"] } });
    expect(await find(sandbox, "account", account)).not.toContain("Why:");
  });

  test("has at most 200 characters", async () => {
    const { account, id } = await grant();
    for (const [path, more] of [
      [WITHDRAW, { id, by: "bank" }],
      [BLOCK, { scopes: "payments" }],
    ] as const) {
      const fields = { account, ...more };
      const tooLong = await sandbox.submit(address(path, { account }), path, { ...fields, reason: "é".repeat(201) });
      expect([tooLong.status, tooLong.text.includes("The reason is too long")]).toEqual([400, true]);
    }
    expect([await ofBank(account), await blockOf(account)]).toEqual([[[id, "active", null]], []]);
    const fields = { account, id, by: "bank", reason: "é".repeat(200) };
    expect((await sandbox.submit(address(WITHDRAW, { account }), WITHDRAW, fields)).status).toBe(303);
  });
});

describe("a search", () => {
  const searches = async (from: number) =>
    (await listRecords({ event: "permission.search", from })).map(({ psp, account, consent, client }) => ({
      ...{ psp, account, consent, client },
    }));

  test("is recorded, with the PSP, the account's tag or the consent, and no other page is", async () => {
    const { account, id } = await grant();
    const began = Date.now();
    await sandbox.get(PAGE);
    await sandbox.get(address(PAGE, { by: "psp", q: "nonsense" }));
    await find(sandbox, "psp", PSP);
    await find(sandbox, "consent", id);
    await find(sandbox, "account", account);
    await vi.waitFor(async () => expect(await searches(began)).toHaveLength(3), { timeout: 60_000, interval: 50 });
    const [ofAccount, ofConsent, ofPsp] = await searches(began);
    const nothing = { psp: null, account: null, consent: null, client: "sandbox-fi" };
    expect([ofConsent, ofPsp]).toEqual([
      { ...nothing, consent: id },
      { ...nothing, psp: PSP },
    ]);
    expect(ofAccount).toEqual({ ...nothing, account: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test("shows nothing while its record is required and cannot be kept", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { account, id } = await grant();
    const require = (on: number) =>
      env.DB.prepare("UPDATE financial_institutions SET ledger_required = ?1 WHERE fi_reference_id = ?2")
        .bind(on, SANDBOX_FI.fi_reference_id)
        .run();
    await require(1);
    const withheld = await whileUnreachable((bindings) => {
      const failing = new Visitor(bindings);
      failing.cookie = sandbox.cookie;
      return failing.get(address(PAGE, { by: "account", q: account }));
    });
    expect([withheld.status, withheld.text.includes("Not recorded, so not shown")]).toEqual([503, true]);
    expect(withheld.text).not.toContain(id);
    expect(cards(await find(sandbox, "account", account))).toEqual([id]);
    await require(0);
  });
});

describe("the ledger's record of a withdrawal", () => {
  const FORM = "POST /console/permissions/withdraw";
  const ofAll = () => listRecords({ endpoint: FORM });
  const withdraw = (visitor: Visitor, fields: Record<string, string>) =>
    visitor.submit(address(WITHDRAW, fields), WITHDRAW, { ...fields, by: "bank" });

  test("is that of the API, with the form's name and who had signed in; it is found, shown and has nothing to replay", async () => {
    const { account, id } = await grant();
    const second = await grant(account);
    const by = await call("DELETE", `/v1/accounts/${account}/permissions/${second.id}`);
    const record = await recordOf(await withdraw(sandbox, { account, id }));
    expect(await ofBank(account)).toContainEqual([id, "ended", "bank"]);
    expect(record).toEqual({
      ...(await recordOf(by)),
      ...{ seq: record.seq, prev: record.prev, id: record.id, time: record.time, request_id: record.request_id },
      ...{ ms: record.ms, endpoint: FORM, status: 303, consent: id, client: "sandbox-fi" },
      ended: { ...record.ended, permissions: [{ id, psp: "PSDXX-TEST-000001", scope: "accounts" }] },
    });
    expect([record.by, record.ended?.tokens.length]).toEqual(["bank", 1]);
    expect([record.account?.length, record.transaction_reference, JSON.stringify(record).includes(account)]).toEqual([
      64,
      null,
      false,
    ]);
    const listed = await call("GET", `/v1/audit/records?${new URLSearchParams({ endpoint: FORM })}`);
    const [first, ...others] = listed.body.data.map((each: { record: { consent: string } }) => each.record);
    expect([first, others.filter(({ consent }: { consent: string }) => consent === id)]).toEqual([record, []]);
    const page = `/console/evidence/${record.id}`;
    expect((await sandbox.get(address("/console/evidence", { id: record.request_id }))).text).toContain(page);
    const shown = (await sandbox.get(page)).text.replace(/\s+/g, " ");
    for (const words of [FORM, "Signed in as", "sandbox-fi"]) expect(shown).toContain(words);
    expect((await sandbox.submit(page, page)).text).toContain("There is nothing to make again");
  });

  test("the record page of a withdrawal says what happened", async () => {
    const { account, id } = await grant();
    const pageOf = async ({ id: record }: { id: string }) =>
      (await sandbox.get(`/console/evidence/${record}`)).text.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
    const one = await pageOf(await recordOf(await withdraw(sandbox, { account, id })));
    for (const words of ["Withdrawal of a permission,", "The permission was withdrawn in the console by sandbox-fi"])
      expect(one).toContain(words);
    const all = await pageOf(await recordOf(await withdraw(sandbox, { account })));
    expect(all).toContain("Withdrawal of all permissions of an account,");
    expect(all).toContain("All permissions of the account were withdrawn in the console by sandbox-fi");
    const api = await recordOf(await call("DELETE", `/v1/accounts/${account}/permissions?by=customer`));
    expect(await pageOf(api)).toContain("All permissions of the account were withdrawn by the API");
    for (const text of [one, all]) {
      expect(text).toContain("On no document: the institution asked for this itself");
      expect(text.replaceAll(/\{&quot;seq.*/g, "")).not.toMatch(/status 303|, as asked|was refused/);
    }
  });

  test("of all permissions names none; there is none of what was not found, not asked whole, or another's", async () => {
    const { account, id } = await grant();
    const all = await recordOf(await withdraw(sandbox, { account }));
    expect([all.consent, all.event, all.outcome]).toEqual([null, "consent.revocation", "ok"]);
    const count = (await ofAll()).length;
    const form_token = tokenOf((await sandbox.get("/console/check")).text);
    expect((await sandbox.post(WITHDRAW, { form_token, account, id: "x", by: "bank" })).status).toBe(404);
    expect((await sandbox.post(WITHDRAW, { form_token, account, id, by: "psp" })).status).toBe(400);
    expect((await sandbox.post(WITHDRAW, { form_token: "x", account, id, by: "bank" })).status).toBe(403);
    const last = await recordOf(await call("DELETE", "/v1/oauth2/tokens/nothing"));
    expect([(await ofAll()).length, last.seq > all.seq]).toEqual([count, true]);
  });

  test("of a store that failed says so: the withdrawal may be done", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { account, id } = await grant();
    const fails = (sql: string) => sql.includes("UPDATE account_access_consents");
    const databases = listDatabases(env).map(({ binding, db }) => [binding, failingDatabase(db, fails, "after")]);
    const failing = new Visitor({ ...env, ...Object.fromEntries(databases) });
    failing.cookie = sandbox.cookie;
    const answer = await withdraw(failing, { account, id });
    expect([answer.status, await ofBank(account)]).toEqual([503, [[id, "ended", "bank"]]]);
    expect(answer.text).toContain("Whether what you asked for was done is not known.");
    expect(await recordOf(answer)).toMatchObject({ status: 503, outcome: "temporarily_unavailable", consent: id });
  });

  test("where it is required and cannot be kept, a page says so instead, and the form sent again leaves it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const require = (on: number) =>
      env.DB.prepare("UPDATE financial_institutions SET ledger_required = ?1 WHERE fi_reference_id = ?2")
        .bind(on, SANDBOX_FI.fi_reference_id)
        .run();
    const { account, id } = await grant();
    const fields = { account, id, by: "customer" };
    const form_token = tokenOf((await sandbox.get(address(WITHDRAW, { account, id }))).text);
    await require(1);
    const withheld = await whileUnreachable((bindings) => {
      const failing = new Visitor(bindings);
      failing.cookie = sandbox.cookie;
      return failing.post(WITHDRAW, { ...fields, form_token });
    });
    expect([withheld.status, withheld.headers.get("Location")]).toEqual([503, null]);
    expect(withheld.text).toContain("Withdrawn, but not recorded");
    expect(withheld.text).toContain("It follows when the ledger answers again");
    const keepsNone = new Visitor({ ...env, LEDGER_RECORDS: "off" });
    keepsNone.cookie = sandbox.cookie;
    const { status, text } = await keepsNone.post(WITHDRAW, { ...fields, form_token });
    expect([status, text.includes("keeps no records at present"), text.includes("It follows")]).toEqual([
      503,
      true,
      false,
    ]);
    expect(await ofBank(account)).toEqual([[id, "ended", "customer"]]);
    const again = await sandbox.post(WITHDRAW, { ...fields, form_token });
    // before the answer: no wait
    const [record] = await ofAll();
    expect([again.status, record?.id, record?.consent]).toEqual([303, again.headers.get("x-evidence-id"), id]);
    await require(0);
    expect(await ofBank(account)).toEqual([[id, "ended", "customer"]]);
  });
});

/** Sends the form of a page as it was shown, with these scopes chosen. */
function chooseOn(
  page: string,
  account: string,
  scopes: readonly string[],
  visitor = sandbox,
  path = BLOCK,
  reason = "",
) {
  const shown = /name="shown" value="([^"]*)"/.exec(page)?.[1] ?? "";
  const fields = Object.entries({ form_token: tokenOf(page), account, shown, reason });
  const body = new URLSearchParams([...fields, ...scopes.map((one) => ["scopes", one])] as string[][]);
  return visitor.send("POST", path, { "Sec-Fetch-Site": "same-origin" }, body);
}
const liftOn = (page: string, account: string) => chooseOn(page, account, [], sandbox, UNBLOCK);

test("a block that somebody else sets in the same moment stays", async () => {
  const { account } = await grant();
  const page = (await sandbox.get(address(BLOCK, { account }))).text;
  const path = `/v1/accounts/${account}/block`;
  // between the look at the block, with its ticket, and the change of it
  let batches = 0;
  const hasty = (db: D1Database): D1Database =>
    new Proxy(db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== "batch") return typeof value === "function" ? value.bind(target) : value;
        return async (statements: D1PreparedStatement[]) => {
          if (++batches === 2) await call("PUT", path, { body: { scopes: ["payments"] } });
          return await target.batch(statements);
        };
      },
    });
  const databases = Object.fromEntries(listDatabases(env).map(({ binding, db }) => [binding, hasty(db)]));
  const visitor = new Visitor({ ...env, ...databases });
  visitor.cookie = sandbox.cookie;
  expect((await chooseOn(page, account, ["accounts"], visitor)).status).toBe(303);
  expect(batches).toBe(2);
  // the PUT came after the form, and replaces the whole block
  expect((await call("GET", path)).body.data.scopes).toEqual(["payments"]);
});

test("a form that is older than a block lifts nothing of it; a second click is no other choice", async () => {
  const { account } = await grant();
  const old = (await sandbox.get(address(BLOCK, { account }))).text;
  expect((await call("PUT", `/v1/accounts/${account}/block`, { body: { scopes: ["payments"] } })).status).toBe(200);
  for (const send of [() => chooseOn(old, account, ["accounts"]), () => liftOn(old, account)]) {
    const { status, text } = await send();
    expect([status, text.includes("The block was changed meanwhile")]).toEqual([409, true]);
    expect(await blockOf(account)).toEqual(["payments"]);
  }
  const page = (await sandbox.get(address(BLOCK, { account }))).text;
  // the block that it shows was lifted since, and set again
  expect((await call("DELETE", `/v1/accounts/${account}/block`)).status).toBe(204);
  expect((await call("PUT", `/v1/accounts/${account}/block`, { body: { scopes: ["payments"] } })).status).toBe(200);
  expect((await liftOn(page, account)).status).toBe(409);
  expect(await blockOf(account)).toEqual(["payments"]);
  const newer = (await sandbox.get(address(BLOCK, { account }))).text;
  for (let clicks = 0; clicks < 2; clicks++) expect((await chooseOn(newer, account, ["accounts"])).status).toBe(303);
  expect(await blockOf(account)).toEqual(["accounts"]);
  const newest = (await sandbox.get(address(BLOCK, { account }))).text;
  for (let clicks = 0; clicks < 2; clicks++) expect((await liftOn(newest, account)).status).toBe(303);
  expect(await blockOf(account)).toEqual([]);
});

test("a block in the console leaves a record, with who set it; one that is refused leaves none", async () => {
  const { account } = await grant();
  const page = (await sandbox.get(address(BLOCK, { account }))).text;
  const record = await recordOf(await chooseOn(page, account, ["payments"]));
  expect(record).toMatchObject({
    ...{ event: "block.change", endpoint: "POST /console/permissions/block", status: 303, outcome: "ok" },
    ...{ scopes: ["payments"], client: "sandbox-fi" },
  });
  expect([record.account?.length, JSON.stringify(record).includes(account)]).toEqual([64, false]);
  const count = async () => (await listRecords({ event: "block.change" })).length;
  const before = await count();
  expect((await liftOn(page, account)).status).toBe(409);
  const lifted = await recordOf(await liftOn((await sandbox.get(address(BLOCK, { account }))).text, account));
  expect([lifted.scopes, lifted.endpoint, await count()]).toEqual([[], `POST ${UNBLOCK}`, before + 1]);
  const shown = async (id: string) => (await sandbox.get(`/console/evidence/${id}`)).text.replace(/\s+/g, " ");
  for (const words of ["Block of an account", "blocked for payments", "sandbox-fi"])
    expect(await shown(record.id)).toContain(words);
  for (const words of ["End of a block", "freed of its block", "sandbox-fi"])
    expect(await shown(lifted.id)).toContain(words);
});

test("to block nothing is a 400 that says so: nothing is done, and no record is left", async () => {
  const { account } = await grant();
  const confirmation = async () => (await sandbox.get(address(BLOCK, { account }))).text;
  const count = async () => (await listRecords({ event: "block.change" })).length;
  const before = await count();
  for (const blocked of [[], ["accounts"]]) {
    const page = await confirmation();
    // there is nothing to lift where nothing is blocked
    expect(page.includes("Lift the block")).toBe(blocked.length > 0);
    for (const scopes of [[], ["everything"]]) {
      const { status, text } = await chooseOn(page, account, scopes, sandbox, BLOCK, 'Case "7"');
      // the form again, with what was typed
      for (const words of ["Nothing was chosen, so nothing was done.", 'value="Case &quot;7&quot;"', account])
        expect(text).toContain(words);
      expect([status, text.includes(" checked")]).toEqual([400, false]);
    }
    expect(await blockOf(account)).toEqual(blocked);
    if (blocked.length === 0) await recordOf(await chooseOn(page, account, ["accounts"]));
  }
  await recordOf(await liftOn(await confirmation(), account));
  expect(await count()).toBe(before + 2);
});

test("a block is set and changed to exactly what is chosen, and lifted by a button of its own", async () => {
  const { account } = await grant();
  const confirmation = address(BLOCK, { account });
  const choose = async (...scopes: string[]) => {
    await chooseOn((await sandbox.get(confirmation)).text, account, scopes);
    return await blockOf(account);
  };
  expect(await choose("payments", "accounts")).toEqual(["payments", "accounts"]);
  expect(await find(sandbox, "account", account)).toContain("Active, but blocked");
  expect((await sandbox.get(confirmation)).text.match(/ checked/g)).toHaveLength(2);
  expect(await choose("accounts", "everything")).toEqual(["accounts"]);
  const lifted = await liftOn((await sandbox.get(confirmation)).text, account);
  const next = (await sandbox.get(lifted.headers.get("Location") ?? "")).text;
  for (const words of ["The block of the account is lifted", "Not blocked"]) expect(next).toContain(words);
  expect(await blockOf(account)).toEqual([]);
});

test.each([WITHDRAW, BLOCK, UNBLOCK])("%s changes nothing without the form's token", async (path) => {
  const { account, id } = await grant();
  const fields = { account, id, by: "bank", scopes: "accounts" };
  const foreign = tokenOf((await other.get("/console/check")).text);
  for (const form_token of ["", "x", foreign])
    expect((await sandbox.post(path, { ...fields, form_token })).status).toBe(403);
  const form_token = tokenOf((await sandbox.get("/console/check")).text);
  const elsewhere = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };
  expect((await sandbox.post(path, { ...fields, form_token }, elsewhere)).status).toBe(403);
  expect([await ofBank(account), await blockOf(account)]).toEqual([[[id, "active", null]], []]);
});

test("what was typed and stored is shown as text", async () => {
  const hostile = `"><script>alert(1)</script>`;
  await obtainToken(hostile);
  for (const page of [
    await find(sandbox, "account", hostile),
    await find(sandbox, "psp", hostile),
    await find(sandbox, "consent", hostile),
    (await sandbox.get(address(WITHDRAW, { account: hostile }))).text,
    (await sandbox.get(address(BLOCK, { account: hostile }))).text,
  ]) {
    expect(page).not.toContain("<script>alert");
    expect(page).toContain("&lt;script&gt;");
  }
  expect(cards(await find(sandbox, "account", hostile))).toHaveLength(1);
});

test.each([
  ["psp", "GB-1", "is not a PSD2 authorisation number"],
  ["psp", "", "Say which PSP"],
  ["account", "", "Say which account"],
  ["account", "..", "which cannot be part of a URL path"],
  ["consent", "x".repeat(129), "is longer than 128 characters"],
  ["name", "x", "Search by account, PSP or consent"],
])("a search by %s for %j says what is wrong", async (by, q, problem) => {
  const { status, text } = await sandbox.get(address(PAGE, { by, q }));
  expect([status, /role="alert"[\s\S]*?<\/p>/.exec(text)?.[0].includes(problem)]).toEqual([400, true]);
});

test("a long list has pages, which together hold every permission once", async () => {
  const account = crypto.randomUUID();
  const ids: string[] = [];
  for (let i = 0; i < 22; i++) ids.push((await grant(account)).id);
  const first = await find(sandbox, "account", account);
  const next = /href="([^"]+)">\s*Older ones/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = (await sandbox.get(next)).text;
  expect([...cards(first), ...cards(second)]).toEqual(ids.reverse());
  expect([cards(first).length, second.includes("Older ones")]).toEqual([20, false]);
  // a list says how many entries there are in all, on each of its pages
  const lengthOf = (page: string) => /<h2 id="found">([^<]*)/.exec(page)?.[1];
  expect([first, second].map(lengthOf)).toEqual([
    `22 permissions of account ${account}, newest first`,
    `22 permissions of account ${account}, the oldest`,
  ]);
  const active = await sandbox.get(address(PAGE, { by: "account", q: account, active: "1" }));
  expect(lengthOf(active.text)).toBe(`At least 20 active permissions of account ${account}, newest first`);
});
