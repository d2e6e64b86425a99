/**
 * The erasure of an account beside a running service: nothing of it stands in any raw file of its state, be it D1, KV,
 * the codes' objects or the log.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eidasHeader, SANDBOX_FI } from "../spec/service.ts";
import { life } from "./own-service.ts";

const ACCOUNT = "erased-account-4711";
const REDIRECT_URI = "https://psp.example/callback";

/** Of all calls whose records come behind their answers. */
const evidenceIds: string[] = [];

async function call(method: string, path: string, headers: Record<string, string> = {}, body?: object) {
  const type = body && { "Content-Type": "application/json" };
  const response = await fetch(life().url + path, {
    method,
    headers: { ...SANDBOX_FI, ...type, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const evidenceId = response.headers.get("x-evidence-id");
  if (evidenceId !== null) evidenceIds.push(evidenceId);
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as any };
}

/** The files below the state's folder in which a text stands, by the folder of their store. */
function findInFiles(text: string, folder = life().state): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return findInFiles(text, path);
    return readFileSync(path).includes(text) ? [path.slice(life().state.length)] : [];
  });
}

export function testErasure(): void {
  test("an account with codes, tokens, consents and a block is erased from every file", async () => {
    const eidas = { eidas: await eidasHeader("scenario-1") };
    const core = (more: object) => ({
      account_id: ACCOUNT,
      client_request_query_parameters: { redirect_uri: REDIRECT_URI, ...more },
    });
    const issue = async () => {
      const body = core({ response_type: "code", scope: "accounts" });
      const answer = await call("POST", "/v1/oauth2/authorization_codes", eidas, body);
      return { status: answer.status, code: answer.body.data.redirect_uri.parameters.code };
    };
    const exchange = (code: string) =>
      call("POST", "/v1/oauth2/tokens", eidas, core({ grant_type: "authorization_code", code }));
    const token = (await exchange((await issue()).code)).body.data.access_token;
    await issue();
    const created = await call("POST", "/v1/obie/ccg_tokens", {}, { eIDAS: eidas.eidas, scope: "accounts" });
    const ccg = { ccg_token: created.body.access_token };
    const data = { permissions: ["ReadBalances"] };
    const { consent_id } = (await call("POST", "/v1/obie/account_access_consents", ccg, { data })).body.data;
    const request = { consent_id, psu_account_id: ACCOUNT, redirect_uri: REDIRECT_URI, scope: "accounts" };
    const auth_code = (await call("POST", "/v1/obie/authorization_codes", ccg, request)).body.data.redirect_uri
      .parameters.code;
    expect((await call("POST", "/v1/obie/tokens", ccg, { auth_code, redirect_uri: REDIRECT_URI })).status).toBe(201);
    await call("PUT", `/v1/accounts/${ACCOUNT}/block`, {}, { scopes: ["payments"] });
    // each record needs the account's key, and one that came behind the erasure would make it anew
    const recorded = [...evidenceIds];
    expect(recorded.length).toBe(8);
    for (const id of recorded) {
      const findRecord = async () => (await call("GET", `/v1/audit/records/${id}`)).status;
      await expect.poll(findRecord, { timeout: 60_000 }).toBe(200);
    }
    // only the database ever names it: the codes' objects hold it sealed, the log not at all
    const before = findInFiles(ACCOUNT);
    expect(before.length).toBeGreaterThan(0);
    expect(before.filter((file) => !file.startsWith("/v3/d1/"))).toEqual([]);

    // own-state.ts has set STATE_DIR, which is read when these are loaded
    const { withStores } = await import("../../src/cli/stores.ts");
    const { overwriteDeletedRows } = await import("../../src/cli/institution/account.ts");
    const { countAccountData, eraseAccountData } = await import("../../src/grants/retention.ts");
    const erased = await withStores({ remote: false }, async ({ env: { DB } }) => {
      const find = DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1");
      const fiId = Number(await find.bind(SANDBOX_FI.fi_reference_id).first<number>("id"));
      return await eraseAccountData(DB, { fiId, accountId: ACCOUNT });
    });
    expect(countAccountData(erased)).toEqual({
      tokens: 2,
      account_access_consents: 1,
      payment_order_consents: 0,
      core_permissions: 1,
      core_codes: 1,
      account_blocks: 2,
      account_keys: 1,
    });
    expect(await overwriteDeletedRows()).toBeNull();
    expect(findInFiles(ACCOUNT)).toEqual([]);

    // the service goes on
    expect((await call("GET", `/v1/oauth2/tokens/${token}`)).status).toBe(404);
    expect((await call("GET", `/v1/accounts/${ACCOUNT}/permissions`)).body).toEqual({ data: [] });
    expect((await issue()).status).toBe(201);
    // tokens and codes are never stored, nor is a path that has one
    for (const secret of [token, auth_code]) expect(findInFiles(secret)).toEqual([]);
  });
}
