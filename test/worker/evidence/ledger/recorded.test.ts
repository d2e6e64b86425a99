/** Each PSP check and each grant leaves a record, whatever its answer, without a token, code, secret or account. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { checkChain } from "../../../../src/evidence/ledger/chain.ts";
import {
  type Answer,
  call,
  codeRequest,
  INITIATION,
  OPEN_ENDED,
  obieCodeRequest,
  obtainCcgToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "../../bank.ts";
import { failingDatabase } from "../../faults/failing-database.ts";
import { eidasHeader, loadSandbox, OTHER_FI } from "../../sandbox.ts";
import { idOf, ledgerOfBank, listRecords, recordOf } from "./records.ts";

beforeAll(loadSandbox);

const EIDAS = { eidas: eidasHeader("scenario-1") };
const PSP = "PSDXX-TEST-000001";
const CHECK = "/v1/psp/eidas?jurisdiction=xx";
const ACCESS = "/v1/obie/account_access_consents";

describe("what a record says", () => {
  test("of a PSP check", async () => {
    const answer = await call("GET", CHECK, { headers: { ...EIDAS, transaction_reference: "payment 4711" } });
    expect(await recordOf(answer)).toMatchObject({
      ...{ id: answer.headers.get("x-evidence-id"), request_id: answer.headers.get("x-request-id") },
      ...{ fi: "PSDXX-TEST-FI0001", event: "psp.checked", endpoint: "GET /v1/psp/eidas", version: "1" },
      ...{ status: 200, outcome: "ok", psp: PSP, transaction_reference: "payment 4711" },
      ...{ token: null, consent: null, account: null },
    });
  });

  test("of the core flow: one tag for the account, and the token's id", async () => {
    const account = "recorded-account-4711";
    const issued = await call("POST", "/v1/oauth2/authorization_codes", {
      headers: EIDAS,
      body: codeRequest({}, account),
    });
    const { code } = issued.body.data.redirect_uri.parameters;
    const redeemed = await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, account) });
    const token = redeemed.body.data.access_token;
    const again = await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, account) });
    const deleted = await call("DELETE", `/v1/oauth2/tokens/${token}`);
    const records = await Promise.all([issued, redeemed, again, deleted].map((answer) => recordOf(answer)));
    expect(records.map(({ event, status, outcome }) => [event, status, outcome])).toEqual([
      ["code.issue", 201, "ok"],
      ["code.redemption", 201, "ok"],
      ["code.redemption", 403, "code_used"],
      ["token.deletion", 204, "ok"],
    ]);
    const [first, second, third] = records;
    expect(first?.account).toMatch(/^[0-9a-f]{64}$/);
    expect([second?.account, third?.account]).toEqual([first?.account, first?.account]);
    expect(second?.token).toMatch(/^[0-9a-z]{9}/);
    // the replay, which ends it, and the deletion
    expect([third?.token, records[3]?.token]).toEqual([second?.token, second?.token]);
    const text = JSON.stringify(records);
    for (const secret of [account, code, token, EIDAS.eidas, "sandbox-secret"]) expect(text).not.toContain(secret);
  });

  test("of the open-banking flow: the consent", async () => {
    const given = { eIDAS: EIDAS.eidas, scope: "accounts" };
    const ccg = await call("POST", "/v1/obie/ccg_tokens", { body: given });
    const headers = { ccg_token: ccg.body.access_token };
    const consent = await call("POST", "/v1/obie/account_access_consents", { headers, body: { data: OPEN_ENDED } });
    const id = consent.body.data.consent_id;
    const issued = await call("POST", "/v1/obie/authorization_codes", { headers, body: obieCodeRequest(id) });
    const auth_code = issued.body.data.redirect_uri.parameters.code;
    const redeemed = await call("POST", "/v1/obie/tokens", {
      headers,
      body: { auth_code, redirect_uri: REDIRECT_URI },
    });
    const withdrawn = await call("DELETE", `/v1/accounts/psu-account-1/permissions/${id}`);
    const revoked = await call("DELETE", `/v1/obie/account_access_consents/${id}`, { headers });
    const payments = { ccg_token: await obtainCcgToken("payments") };
    const order = await call("POST", "/v1/obie/payment_order_consents", {
      headers: payments,
      body: { data: { initiation: INITIATION } },
    });
    const answers = [ccg, consent, issued, redeemed, withdrawn, revoked, order];
    const records = await Promise.all(answers.map((answer) => recordOf(answer)));
    expect(records.map(({ event, psp, consent }) => [event, psp, consent])).toEqual([
      ["ccg_token.issue", PSP, null],
      ["consent.creation", PSP, id],
      ["code.issue", PSP, id],
      ["code.redemption", PSP, id],
      ["consent.revocation", PSP, id],
      ["consent.revocation", PSP, expect.toSatisfy((given) => given === id || given === null)],
      ["consent.creation", PSP, order.body.data.consent_id],
    ]);
    expect(new Set([records[2], records[3], records[4]].map((record) => record?.account)).size).toBe(1);
    expect(JSON.stringify(records)).not.toContain("psu-account-1");
  });

  test("of what a store may have done before its answer was lost: the token or consent that it did it with", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const lost = { ...env, DB: failingDatabase(env.DB, (sql) => /^\s*(UPDATE|INSERT)/.test(sql), "after") };
    const made = (table: string) =>
      env.DB.prepare(`SELECT id FROM ${table} WHERE status = 'AwaitingAuthorisation' ORDER BY id DESC`).first("id");
    const token = await obtainToken(crypto.randomUUID());
    const headers = { ccg_token: await obtainCcgToken("accounts") };
    const payments = { ccg_token: await obtainCcgToken("payments") };
    const consent = await call("POST", ACCESS, { headers, body: { data: OPEN_ENDED }, env: lost });
    const access = await made("account_access_consents");
    const order = await call("POST", "/v1/obie/payment_order_consents", {
      ...{ headers: payments, body: { data: { initiation: INITIATION } }, env: lost },
    });
    const deleted = await call("DELETE", `/v1/oauth2/tokens/${token}`, { env: lost });
    const revoked = await call("DELETE", `${ACCESS}/${access}`, { headers, env: lost });
    const records = await Promise.all([consent, order, deleted, revoked].map((answer) => recordOf(answer)));
    expect(records.map((record) => [record.status, record.consent, record.token])).toEqual([
      [503, access, null],
      [503, await made("payment_order_consents"), null],
      [503, null, token.split(".")[1]],
      [503, access, null],
    ]);
    vi.restoreAllMocks();
  });

  test.each<[string, () => Promise<Answer>, object]>([
    [
      "a wrong version",
      () => call("GET", CHECK, { headers: { ...EIDAS, version: "7" } }),
      { status: 404, outcome: "version_invalid" },
    ],
    ["no certificate", () => call("GET", CHECK), { status: 404, outcome: "certificate_missing", psp: null }],
    [
      "a revoked certificate",
      () =>
        call("POST", "/v1/oauth2/authorization_codes", {
          headers: { eidas: eidasHeader("scenario-5") },
          body: codeRequest(),
        }),
      { status: 401, outcome: "certificate_revoked", psp: "PSDXX-TEST-000005" },
    ],
    ["an unknown token", () => call("DELETE", "/v1/oauth2/tokens/nothing"), { status: 404, token: null }],
  ])("of a refusal: %s", async (_, ask, expected) => {
    const answer = await ask();
    expect(await recordOf(answer)).toMatchObject(expected);
  });
});

describe("whatever decides about a customer's access is recorded whole", () => {
  const SECOND = "PSDXX-TEST-000011";
  const find = (psp: string) => listRecords({ psp, event: "consent.revocation" });

  test("a withdrawal says by whom, of which PSP and scope, and what ended; its PSP finds it", async () => {
    const account = crypto.randomUUID();
    const token = (await obtainToken(account)).split(".")[1] ?? "";
    const other = (await obtainToken(account)).split(".")[1] ?? "";
    const listed = await call("GET", `/v1/accounts/${account}/permissions`);
    const [{ id, scope }] = listed.body.data;
    const path = `/v1/accounts/${account}/permissions/${id}`;
    const first = await recordOf(await call("DELETE", `${path}?by=customer`));
    const given = { event: "consent.revocation", outcome: "ok", psp: PSP, consent: id, scopes: [scope] };
    expect(first).toMatchObject({ ...given, by: "customer" });
    expect(first.ended).toEqual({
      permissions: [{ id, psp: PSP, scope }],
      tokens: expect.toSatisfy((tokens: string[]) => tokens.toSorted().join() === [token, other].toSorted().join()),
      more: { permissions: 0, tokens: 0 },
    });
    // what had ended before ends no second time
    const again = await recordOf(await call("DELETE", path));
    expect(again).toMatchObject({ ...given, by: "bank", ended: { permissions: [], tokens: [] } });
    expect((await find(PSP)).map((record) => record.id)).toEqual(expect.arrayContaining([first.id, again.id]));
    expect(JSON.stringify([first, again])).not.toContain(account);
  });

  test("a withdrawal of all names what ended, and each of its PSPs finds it", async () => {
    const account = crypto.randomUUID();
    await obtainToken(account);
    await obtainToken(account, { eidas: eidasHeader("accounts-only") });
    const listed = await call("GET", `/v1/accounts/${account}/permissions`);
    const permissions = listed.body.data.map((each: { id: string; scope: string; psp: object }) => ({
      id: each.id,
      psp: Reflect.get(each.psp, "authorisation_number"),
      scope: each.scope,
    }));
    expect(new Set(permissions.map(({ psp }: { psp: string }) => psp))).toEqual(new Set([PSP, SECOND]));
    const record = await recordOf(await call("DELETE", `/v1/accounts/${account}/permissions?by=customer`));
    expect(record).toMatchObject({ psp: null, consent: null, by: "customer" });
    expect(record.ended?.permissions).toHaveLength(2);
    expect(record.ended?.permissions).toEqual(expect.arrayContaining(permissions));
    expect(record.ended?.tokens).toHaveLength(2);
    for (const psp of [PSP, SECOND]) expect((await find(psp)).map(({ id }) => id)).toContain(record.id);
    const byApi = await call("GET", `/v1/audit/records?psp_id=${SECOND}`);
    expect(byApi.body.data.map((each: { record: { id: string } }) => each.record.id)).toContain(record.id);
  });

  test("a PSP that ends its consent, and a bank that deletes a token: by whom, and what ended with it", async () => {
    const headers = { ccg_token: await obtainCcgToken("accounts") };
    const consent = (await call("POST", ACCESS, { headers, body: { data: OPEN_ENDED } })).body.data.consent_id;
    const codes = await call("POST", "/v1/obie/authorization_codes", { headers, body: obieCodeRequest(consent) });
    const { code } = codes.body.data.redirect_uri.parameters;
    const body = { auth_code: code, redirect_uri: REDIRECT_URI };
    const redeemed = await recordOf(await call("POST", "/v1/obie/tokens", { headers, body }));
    expect(redeemed).toMatchObject({ event: "code.redemption", consent, scopes: ["accounts"] });
    const revoked = await recordOf(await call("DELETE", `${ACCESS}/${consent}`, { headers }));
    expect(revoked).toMatchObject({ by: "psp", psp: PSP, consent, scopes: ["accounts"] });
    expect(revoked.ended).toMatchObject({
      permissions: [{ id: consent, psp: PSP, scope: "accounts" }],
      tokens: [redeemed.token],
    });
    const account = crypto.randomUUID();
    const token = await obtainToken(account);
    const { body: listed } = await call("GET", `/v1/accounts/${account}/permissions`);
    const [{ id, scope }] = listed.data;
    const deleted = await recordOf(await call("DELETE", `/v1/oauth2/tokens/${token}`));
    expect(deleted).toMatchObject({ by: "bank", psp: PSP, scopes: [scope], token: token.split(".")[1] });
    expect(deleted.ended).toMatchObject({ permissions: [{ id, psp: PSP, scope }], tokens: [token.split(".")[1]] });
  });

  test("a block and its end leave records under the evidence ids of their answers, also of an account without a grant", async () => {
    const account = crypto.randomUUID();
    const path = `/v1/accounts/${account}/block`;
    const set = await recordOf(await call("PUT", path, { body: { scopes: ["payments"] } }));
    const issued = await call("POST", "/v1/oauth2/authorization_codes", {
      ...{ headers: EIDAS, body: codeRequest({}, account) },
    });
    const lifted = await recordOf(await call("DELETE", path));
    expect(set).toMatchObject({
      event: "block.change",
      endpoint: "PUT /v1/accounts/{account_id}/block",
      outcome: "ok",
    });
    expect([set.scopes, lifted.scopes, lifted.endpoint]).toEqual([
      ["payments"],
      [],
      "DELETE /v1/accounts/{account_id}/block",
    ]);
    expect(set.account).toMatch(/^[0-9a-f]{64}$/);
    expect([lifted.account, (await recordOf(issued)).account]).toEqual([set.account, set.account]);
    const refused = await recordOf(await call("PUT", path, { body: { scopes: [] } }));
    expect([refused.status, refused.event, refused.scopes]).toEqual([400, "block.change", undefined]);
    // a lift may be about an account that was erased meanwhile: it brings no id back
    const unknown = await recordOf(await call("DELETE", `/v1/accounts/${crypto.randomUUID()}/block`));
    expect(unknown.account).toBeNull();
    expect(JSON.stringify([set, lifted, refused])).not.toContain(account);
  });

  test("a block whose store failed says what was asked for", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const lost = { ...env, DB: failingDatabase(env.DB, (sql) => /account_blocks/.test(sql), "after") };
    const path = `/v1/accounts/${crypto.randomUUID()}/block`;
    const record = await recordOf(await call("PUT", path, { body: { scopes: ["accounts"] }, env: lost }));
    expect([record.status, record.scopes]).toEqual([503, ["accounts"]]);
    vi.restoreAllMocks();
  });

  test("a watch and its end name their PSP", async () => {
    const path = `/v1/psp/watches/${PSP.toLowerCase()}`;
    const [begun, ended] = [await call("PUT", path, { body: {} }), await call("DELETE", path)];
    for (const answer of [begun, ended])
      expect(await recordOf(answer)).toMatchObject({ event: "watch.change", psp: PSP, outcome: "ok" });
  });
});

test("a grant notes what its institution knows of the PSP from then on, a refused one nothing", async () => {
  const known = env.DB.prepare("SELECT psp_id FROM psp_standings WHERE fi_id = ?1 ORDER BY psp_id");
  const list = async () =>
    (await known.bind(await idOf(OTHER_FI.fi_reference_id)).all()).results.map(({ psp_id }) => psp_id);
  const headers = { ...OTHER_FI, ...EIDAS };
  const refused = { ...OTHER_FI, eidas: eidasHeader("scenario-5") };
  expect((await call("POST", "/v1/oauth2/authorization_codes", { headers: refused, body: codeRequest() })).status).toBe(
    401,
  );
  expect((await call("POST", "/v1/oauth2/authorization_codes", { headers, body: codeRequest() })).status).toBe(201);
  await vi.waitFor(async () => expect(await list()).toEqual([PSP]), { timeout: 60_000, interval: 20 });
});

test("who is not known has no ledger, and what only reads leaves no record", async () => {
  const before = (await (await ledgerOfBank()).state()).seq;
  expect(
    (await call("GET", CHECK, { headers: { ...EIDAS, Authorization: `Basic ${btoa("sandbox-fi:wrong")}` } })).status,
  ).toBe(401);
  expect((await call("GET", "/v1/oauth2/account/somebody/tokens")).status).toBe(200);
  expect((await call("GET", "/v1/oauth2/tokens/nothing")).status).toBe(404);
  const last = await recordOf(await call("GET", CHECK, { headers: EIDAS }));
  expect(last.seq).toBe(before + 1);
});

test("institutions have chains of their own", async () => {
  const theirs = await call("GET", CHECK, { headers: { ...OTHER_FI, ...EIDAS } });
  expect((await recordOf(theirs, OTHER_FI.fi_reference_id)).fi).toBe("PSDXX-TEST-FI0002");
  expect(await (await ledgerOfBank()).find(theirs.headers.get("x-evidence-id") ?? "")).toBeNull();
  for (const reference of ["PSDXX-TEST-FI0001", "PSDXX-TEST-FI0002"]) {
    const records = await listRecords({}, reference);
    expect(new Set(records.map(({ fi }) => fi))).toEqual(new Set([reference]));
    const { texts } = await (await ledgerOfBank(reference)).range(1, Number.MAX_SAFE_INTEGER);
    expect(checkChain(texts)).toMatchObject({ ok: true, end: { seq: records.length } });
  }
});

test("LEDGER_RECORDS = off: nothing is recorded", async () => {
  const before = (await (await ledgerOfBank()).state()).seq;
  const off = { ...env, LEDGER_RECORDS: "off" };
  const [unrecorded, recorded] = [
    await call("GET", CHECK, { headers: EIDAS, env: off }),
    await call("GET", CHECK, { headers: EIDAS }),
  ];
  expect((await recordOf(recorded)).seq).toBe(before + 1);
  expect(await (await ledgerOfBank()).find(unrecorded.headers.get("x-evidence-id") ?? "")).toBeNull();
});
