/**
 * Four databases with an institution in each: every endpoint works in each of them, what is stored is in the
 * institution's own, and while one database is down only its institution is refused.
 */
import { env } from "cloudflare:workers";
import { operations } from "virtual:contract";
import { beforeAll, describe, expect, test } from "vitest";
import type { LedgerRecord } from "../../../src/evidence/ledger/record.ts";
import { listDatabases } from "../../../src/institutions/databases.ts";
import { addInstitution } from "../../../src/institutions/institution-placement.ts";
import { hashSecret } from "../../../src/platform/secrets.ts";
import { identify } from "../../raw-bank.ts";
import * as bank from "../bank.ts";
import { recordOf } from "../evidence/ledger/records.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { SAMPLES } from "../samples.ts";
import { eidasHeader, loadSandbox, migrateAll } from "../sandbox.ts";

const EIDAS = { eidas: eidasHeader("scenario-1") };
type Headers = Record<string, string>;
type Ask = (fi: Owned, bindings: Cloudflare.Env) => Promise<bank.Answer>;

/** What an institution has, to ask for. */
interface Owned {
  readonly headers: Headers;
  readonly ccg: { readonly accounts: string; readonly payments: string };
  readonly account: string;
  readonly code: string;
  readonly obieCode: string;
  readonly tokens: readonly [string, string];
  readonly obieToken: string;
  readonly consents: readonly [string, string];
  readonly order: string;
  /** Of a PSP check. */
  readonly record: LedgerRecord;
}

const owned = new Map<number, Owned>();

async function prepare(database: number): Promise<Owned> {
  const fiReferenceId = `PSDXX-TEST-DB${database}`;
  const credentials = { clientId: `client-${database}`, secret: "secret", fiReferenceId };
  const row = { name: "Bank", fiReferenceId, clientId: credentials.clientId, secretHash: hashSecret("secret"), now: 0 };
  await addInstitution(env, { ...row, database });
  const headers = identify(credentials);
  const accounts = await bank.obtainCcgToken("accounts", "scenario-1", headers);
  const payments = await bank.obtainCcgToken("payments", "scenario-1", headers);
  const consent = () => bank.createAccountConsent(accounts, {}, headers);
  const consents = [await consent(), await consent()] as const;
  const account = { psu_account_id: "customer" };
  const checked = await bank.call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { ...headers, ...EIDAS } });
  return {
    ...{ headers, ccg: { accounts, payments }, account: "customer", consents },
    record: await recordOf(checked, fiReferenceId),
    code: await bank.obtainCode("customer", headers),
    obieCode: await bank.obtainObieCode(accounts, consents[0], account, headers),
    tokens: [await bank.obtainToken("customer", headers), await bank.obtainToken("customer", headers)],
    obieToken: await bank.obtainObieToken(accounts, consents[0], account, headers),
    order: await bank.createPaymentConsent(payments, headers),
  };
}

beforeAll(async () => {
  await loadSandbox();
  await migrateAll();
  for (const { number } of listDatabases(env)) owned.set(number, await prepare(number));
});

const by =
  (operation: string, given: (fi: Owned) => { path?: string; headers?: Headers; body?: unknown } = () => ({})): Ask =>
  (fi, bindings) => {
    const [method = "", path = ""] = operation.split(" ");
    const { credential, scope = "accounts", body, query = "" } = SAMPLES[operation] ?? { credential: null };
    const { path: ownPath, headers, ...own } = given(fi);
    const shown = {
      ...(credential === "eidas" && EIDAS),
      ...(credential === "ccg_token" && { ccg_token: fi.ccg[scope] }),
    };
    const target = `${ownPath ?? path.replace("{account_id}", fi.account)}${query}`;
    return bank.call(method, target, { headers: { ...fi.headers, ...shown, ...headers }, body, ...own, env: bindings });
  };
const REDIRECT = { redirect_uri: bank.REDIRECT_URI };
const TOKENS = "/v1/oauth2/tokens";
const CONSENTS = "/v1/obie/account_access_consents";

const watch = (method: "PUT" | "DELETE") =>
  by(`${method} /v1/psp/watches/{authorisation_number}`, () => ({ path: "/v1/psp/watches/PSDXX-TEST-000001" }));

/** Each operation: how it succeeds, and whether it needs the institution's own database. What ends something is last. */
const OPERATIONS: readonly (readonly [string, number, Ask, "own" | "none"])[] = [
  ["GET /v1/psp/eidas", 200, by("GET /v1/psp/eidas"), "none"],
  ["POST /v1/psp/checks", 200, by("POST /v1/psp/checks"), "none"],
  ["POST /v1/psp/signatures", 200, by("POST /v1/psp/signatures"), "none"],
  [
    "POST /v1/obie/ccg_tokens",
    201,
    by("POST /v1/obie/ccg_tokens", () => ({ body: { eIDAS: EIDAS.eidas, scope: "accounts" } })),
    "none",
  ],
  ["GET /status", 200, by("GET /status"), "none"],
  ["GET /health", 200, by("GET /health"), "none"],
  ["POST /v1/oauth2/authorization_codes", 201, by("POST /v1/oauth2/authorization_codes"), "own"],
  [
    "POST /v1/oauth2/tokens",
    201,
    by("POST /v1/oauth2/tokens", ({ code, account }) => ({ body: bank.tokenRequest(code, account) })),
    "own",
  ],
  [
    "GET /v1/oauth2/tokens/{token}",
    200,
    by("GET /v1/oauth2/tokens/{token}", (fi) => ({ path: `${TOKENS}/${fi.tokens[0]}` })),
    "own",
  ],
  ["GET /v1/oauth2/account/{account_id}/tokens", 200, by("GET /v1/oauth2/account/{account_id}/tokens"), "own"],
  ["POST /v1/introspect", 200, by("POST /v1/introspect", (fi) => ({ body: { token: fi.tokens[0] } })), "own"],
  ["GET /v1/access", 200, by("GET /v1/access", (fi) => ({ headers: { access_token: fi.tokens[0] ?? "" } })), "own"],
  ["POST /v1/obie/account_access_consents", 201, by("POST /v1/obie/account_access_consents"), "own"],
  [
    "GET /v1/obie/account_access_consents/{consent_id}",
    200,
    by("GET /v1/obie/account_access_consents/{consent_id}", (fi) => ({ path: `${CONSENTS}/${fi.consents[0]}` })),
    "own",
  ],
  ["POST /v1/obie/payment_order_consents", 201, by("POST /v1/obie/payment_order_consents"), "own"],
  ["GET /v1/obie/payment_order_consents", 200, by("GET /v1/obie/payment_order_consents"), "own"],
  [
    "GET /v1/obie/payment_order_consents/{consent_id}",
    200,
    by("GET /v1/obie/payment_order_consents/{consent_id}", (fi) => ({
      path: `/v1/obie/payment_order_consents/${fi.order}`,
    })),
    "own",
  ],
  [
    "POST /v1/obie/authorization_codes",
    201,
    by("POST /v1/obie/authorization_codes", (fi) => ({
      body: bank.obieCodeRequest(fi.consents[0], { psu_account_id: fi.account }),
    })),
    "own",
  ],
  [
    "POST /v1/obie/tokens",
    201,
    by("POST /v1/obie/tokens", (fi) => ({ body: { auth_code: fi.obieCode, ...REDIRECT } })),
    "own",
  ],
  [
    "GET /v1/obie/tokens/{token}",
    200,
    by("GET /v1/obie/tokens/{token}", (fi) => ({ path: `/v1/obie/tokens/${fi.obieToken}` })),
    "own",
  ],
  ["GET /v1/accounts/{account_id}/permissions", 200, by("GET /v1/accounts/{account_id}/permissions"), "own"],
  ["PUT /v1/accounts/{account_id}/block", 200, by("PUT /v1/accounts/{account_id}/block"), "own"],
  ["GET /v1/accounts/{account_id}/block", 200, by("GET /v1/accounts/{account_id}/block"), "own"],
  ["GET /v1/audit/head", 200, by("GET /v1/audit/head"), "none"],
  // the head of the sample is of the bank in the first database
  ["GET /v1/audit/head/comparison", 400, by("GET /v1/audit/head/comparison"), "none"],
  ["GET /v1/audit/records", 200, by("GET /v1/audit/records"), "none"],
  [
    "GET /v1/audit/records/{evidence_id}",
    200,
    by("GET /v1/audit/records/{evidence_id}", ({ record }) => ({ path: `/v1/audit/records/${record.id}` })),
    "none",
  ],
  [
    "GET /v1/audit/records/{evidence_id}/documents/{sha256}",
    200,
    by("GET /v1/audit/records/{evidence_id}/documents/{sha256}", ({ record: { id, checks } }) => ({
      path: `/v1/audit/records/${id}/documents/${checks[0]?.certificate}`,
    })),
    "none",
  ],
  ["DELETE /v1/accounts/{account_id}/block", 204, by("DELETE /v1/accounts/{account_id}/block"), "own"],
  ["PUT /v1/psp/watches/{authorisation_number}", 200, watch("PUT"), "own"],
  ["GET /v1/psp/watches", 200, by("GET /v1/psp/watches"), "own"],
  ["GET /v1/events", 200, by("GET /v1/events"), "own"],
  ["DELETE /v1/psp/watches/{authorisation_number}", 204, watch("DELETE"), "own"],
  [
    "DELETE /v1/oauth2/tokens/{token}",
    204,
    by("DELETE /v1/oauth2/tokens/{token}", (fi) => ({ path: `${TOKENS}/${fi.tokens[1]}` })),
    "own",
  ],
  [
    "DELETE /v1/obie/account_access_consents/{consent_id}",
    204,
    by("DELETE /v1/obie/account_access_consents/{consent_id}", (fi) => ({ path: `${CONSENTS}/${fi.consents[1]}` })),
    "own",
  ],
  [
    "DELETE /v1/accounts/{account_id}/permissions/{permission_id}",
    204,
    by("DELETE /v1/accounts/{account_id}/permissions/{permission_id}", (fi) => ({
      path: `/v1/accounts/${fi.account}/permissions/${fi.consents[0]}`,
    })),
    "own",
  ],
  ["DELETE /v1/accounts/{account_id}/permissions", 204, by("DELETE /v1/accounts/{account_id}/permissions"), "own"],
];

test("every operation of the contract is tried", () => {
  const known = operations.map(({ method, path }) => `${method} ${path}`);
  // pages and files for people and tools, which know no institution
  expect(known.filter((one) => /\/v1\/|health|status/.test(one)).sort()).toEqual(
    OPERATIONS.map(([name]) => name).sort(),
  );
});

test("the id of a token and of a consent names its database, but for the first", () => {
  for (const [database, { tokens, consents, order }] of owned)
    for (const id of [tokens[0].split(".")[1], consents[0], order])
      expect(id).toMatch(database === 1 ? /^[0-9a-z]{9}[\w-]{22}$/ : new RegExp(`^[0-9a-z]{9}[\\w-]{22}-${database}$`));
});

const DOWN = { ...env, DB_2: failingDatabase(databaseNumber(2), () => true, "before") } as Cloudflare.Env;

function databaseNumber(number: number): D1Database {
  const found = listDatabases(env).find((database) => database.number === number);
  if (!found) throw new Error(`no database ${number}`);
  return found.db;
}
const ownedIn = (database: number): Owned => {
  const found = owned.get(database);
  if (!found) throw new Error(`no institution in ${database}`);
  return found;
};

describe("while the second database is down", () => {
  test.each(OPERATIONS)("%s", async (_, status, ask, needs) => {
    for (const database of [1, 3, 4])
      expect([database, (await ask(ownedIn(database), DOWN)).status]).toEqual([database, status]);
    const refused = await ask(ownedIn(2), DOWN);
    expect(refused.status).toBe(needs === "own" ? 503 : status);
    // it was refused whole: afterwards the same succeeds
    const { status: after, body } = await ask(ownedIn(2), env);
    expect([after, body?.active ?? true]).toEqual([status, true]);
  });
});

test("what an institution has is in its own database, and nowhere else", async () => {
  for (const { number, db } of listDatabases(env))
    for (const table of [
      "tokens",
      "account_access_consents",
      "payment_order_consents",
      "core_permissions",
      "core_codes",
    ]) {
      const { results } = await db
        .prepare(
          `SELECT DISTINCT fi_reference_id FROM ${table} JOIN financial_institutions fi ON fi.id = fi_id AND fi.database = ?1`,
        )
        .bind(number)
        .all<{ fi_reference_id: string }>();
      const rows = await db.prepare(`SELECT count(DISTINCT fi_id) AS fis FROM ${table}`).first<number>("fis");
      expect([table, rows, results]).toEqual([table, 1, [{ fi_reference_id: `PSDXX-TEST-DB${number}` }]]);
    }
});

test("without its binding an institution is refused as while its database is down, and its PSP checks are not", async () => {
  const { DB_3: _, ...bindings } = env as Cloudflare.Env & { DB_3?: D1Database };
  for (const [name, status, ask, needs] of OPERATIONS.filter(([name]) => /^GET|^POST .*codes/.test(name)))
    expect([name, (await ask(ownedIn(3), bindings as Cloudflare.Env)).status]).toEqual([
      name,
      needs === "own" ? 503 : status,
    ]);
});
