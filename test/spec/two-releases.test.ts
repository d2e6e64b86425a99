/** A gradual deployment and a rollback, rehearsed: a release and the next one on one state, over migrations of both kinds. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { findPending, migrate } from "../../src/cli/database/migrations.ts";
import { readSandbox } from "../../src/cli/sandbox/files.ts";
import { seedSandbox } from "../../src/cli/sandbox/sandbox.ts";
import { addInstitution } from "../../src/institutions/institution-placement.ts";
import { NEWEST_MIGRATION, SCHEMA_NEWER_TEXT, WRITES_REFUSED_TEXT } from "../../src/platform/schema-version.ts";
import { hashSecret } from "../../src/platform/secrets.ts";
import { type Credentials, makeBank } from "../raw-bank.ts";
import { SANDBOX_CREDENTIALS } from "../sandbox-fis.ts";
import { makeReleases, type Running } from "./releases.ts";
import { eidasHeader } from "./service.ts";

const ADDITIVE = "0998_further.additive.sql";
const BREAKING = "0999_rule.breaking.sql";
/** Its grants are in DB_2. */
const PLACED: Credentials = { clientId: "placed-fi", secret: "placed-secret", fiReferenceId: "PSDXX-TEST-FI0009" };

let releases: Awaited<ReturnType<typeof makeReleases>>;
let [older, newer, newest] = ["", "", ""];
let running: Running;

beforeAll(async () => {
  releases = await makeReleases();
  [older, newer, newest] = [
    await releases.build(NEWEST_MIGRATION),
    await releases.build(ADDITIVE),
    await releases.build(BREAKING),
  ];
  running = await releases.serve(older);
  const { DB, DB_2 } = running.stores;
  for (const db of [DB, DB_2]) await migrate(db, (await findPending(db)).migrations);
  await seedSandbox(running.stores, await readSandbox());
  const { secret, ...placed } = PLACED;
  const fi = { ...placed, name: "Placed Bank", secretHash: hashSecret(secret), now: 1, database: 2 };
  await addInstitution(running.stores, fi);
  await running.stop();
});
afterEach(() => running.stop());
afterAll(() => releases.remove());

/** What a bank does at one of the running releases. */
function at(url: string, credentials: Credentials) {
  const bank = makeBank(fetch, url, credentials);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const call = async (...args: Parameters<typeof bank>) => (await bank(...args)) as { status: number; body: any };
  const withPsp = async (body: object) => ({ headers: { eidas: await eidasHeader("scenario-1") }, body });
  const redirect_uri = "https://psp.example/callback";
  return {
    call,
    makeCode: async (account_id: string): Promise<string> => {
      const client_request_query_parameters = { response_type: "code", redirect_uri, scope: "accounts" };
      const request = await withPsp({ account_id, client_request_query_parameters });
      const { body } = await call("POST", "/v1/oauth2/authorization_codes", request);
      return body.data.redirect_uri.parameters.code;
    },
    redeem: async (account_id: string, code: string) => {
      const client_request_query_parameters = { grant_type: "authorization_code", code, redirect_uri };
      return await call("POST", "/v1/oauth2/tokens", await withPsp({ account_id, client_request_query_parameters }));
    },
    find: async (token: string) => (await call("GET", `/v1/oauth2/tokens/${token}`)).status,
    block: async (account: string) =>
      await call("PUT", `/v1/accounts/${account}/block`, { body: { scopes: ["payments"] } }),
    reasons: async (): Promise<string[]> =>
      (await call("GET", "/status")).body.reasons
        .filter(({ code }: { code: string }) => code === "schema_newer")
        .map(({ message }: { message: string }) => message),
  };
}

const BANKS = [SANDBOX_CREDENTIALS, PLACED];
const tokens: Record<string, string> = {};
let accounts = 0;

/** A code of the one release is redeemed by the other, whose token the first one knows, at both databases. */
async function useBoth(making: string, redeeming: string): Promise<void> {
  for (const credentials of BANKS) {
    const [first, second] = [at(making, credentials), at(redeeming, credentials)];
    const account = `account-${++accounts}`;
    const code = await first.makeCode(account);
    const made = await second.redeem(account, code);
    expect(made.status).toBe(201);
    const token = made.body.data.access_token;
    expect([await first.find(token), await second.find(token)]).toEqual([200, 200]);
    // once is once, whichever is asked
    expect((await first.redeem(account, code)).body.errors[0].code).toMatch(/^code_/);
    tokens[credentials.clientId] = token;
  }
}

/** As a deployment of a newer release does: each database gets a column in each table, and the record of it. */
async function applyTo({ DB, DB_2 }: Running["stores"], name: string, statements: (table: string) => string) {
  for (const db of [DB, DB_2]) {
    const tables = await db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'")
      .all<{ name: string }>();
    expect(tables.results.length).toBeGreaterThan(20);
    const record = db.prepare("INSERT INTO d1_migrations (name) VALUES (?1)").bind(name);
    await db.batch([...tables.results.map((table) => db.prepare(statements(table.name))), record]);
  }
}

test("the release before works alone", async () => {
  running = await releases.serve(older);
  const [url = ""] = running.urls;
  await useBoth(url, url);
  expect(await at(url, PLACED).reasons()).toEqual([]);
});

test("an additive migration: both releases serve, and each takes codes and tokens of the other", async () => {
  running = await releases.serve(older, newer);
  await applyTo(
    running.stores,
    ADDITIVE,
    (table) => `ALTER TABLE ${table} ADD COLUMN further TEXT NOT NULL DEFAULT 'unsaid'`,
  );
  const [old = "", next = ""] = running.urls;
  for (const bank of BANKS) expect(await at(next, bank).find(tokens[bank.clientId] ?? "")).toBe(200);
  await useBoth(old, next);
  await useBoth(next, old);
  expect(await at(old, PLACED).reasons()).toEqual([SCHEMA_NEWER_TEXT]);
  expect(await at(next, PLACED).reasons()).toEqual([]);
  expect((await (await fetch(`${old}/health`)).json()) as object).toMatchObject({ status: "degraded" });
});

test("with most of the traffic the newer release runs the objects, and the codes of before are redeemed", async () => {
  running = await releases.serve(newer, older);
  const [next = "", old = ""] = running.urls;
  await useBoth(old, next);
  await useBoth(next, old);
});

test("a rollback over it: the release before works alone, with the tokens of the newer one", async () => {
  running = await releases.serve(older);
  const [url = ""] = running.urls;
  for (const bank of BANKS) expect(await at(url, bank).find(tokens[bank.clientId] ?? "")).toBe(200);
  await useBoth(url, url);
});

test("a breaking migration: the releases before only read, with the sentence, and the newest works", async () => {
  running = await releases.serve(newest, older);
  const stores = running.stores;
  await applyTo(stores, BREAKING, (table) => `CREATE INDEX further_of_${table} ON ${table} (further)`);
  const [next = "", old = ""] = running.urls;
  for (const bank of BANKS) {
    const token = tokens[bank.clientId] ?? "";
    const refused = [await at(old, bank).block("4711"), await at(old, bank).redeem("4711", "a-code")];
    for (const { status, body } of refused)
      expect([status, body.errors[0].code, body.errors[0].title]).toEqual([
        503,
        "temporarily_unavailable",
        WRITES_REFUSED_TEXT,
      ]);
    expect(await at(old, bank).find(token)).toBe(200);
    expect(await at(old, bank).reasons()).toEqual([WRITES_REFUSED_TEXT]);
    expect((await at(next, bank).block("4711")).status).toBeLessThan(300);
  }
  await useBoth(next, next);
  expect(await at(next, PLACED).reasons()).toEqual([]);
});

test("a rollback past it is refused for each write, and does not change what is stored", async () => {
  running = await releases.serve(older);
  const [url = ""] = running.urls;
  const count = async () => {
    const { DB, DB_2 } = running.stores;
    const sql = "SELECT (SELECT count(*) FROM tokens) AS tokens, (SELECT count(*) FROM account_blocks) AS blocks";
    return [await DB.prepare(sql).first(), await DB_2.prepare(sql).first()];
  };
  const before = await count();
  for (const bank of BANKS) {
    expect((await at(url, bank).block("4712")).body.errors[0].title).toBe(WRITES_REFUSED_TEXT);
    expect(await at(url, bank).find(tokens[bank.clientId] ?? "")).toBe(200);
  }
  expect(await count()).toEqual(before);
});
