/**
 * Four databases with an institution in each: every endpoint works in each of them, what is stored is in the
 * institution's own, and while one database is down only its institution is refused.
 */
import { env } from "cloudflare:workers";
import { operations } from "virtual:contract";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { listDatabases } from "../../../src/institutions/databases.ts";
import { addInstitution } from "../../../src/institutions/institution-placement.ts";
import { hashSecret } from "../../../src/platform/secrets.ts";
import { identify } from "../../raw-bank.ts";
import { codesOf, createAccountConsent, createPaymentConsent, obtainToken } from "../bank.ts";
import { holdDeadlines } from "../faults/deadlines.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { prepareGranted } from "../granted.ts";
import { ccgToken } from "../samples.ts";
import { loadSandbox, migrateAll } from "../sandbox.ts";

/** Of the institution in each database, by its number. */
const askers = new Map<number, { readonly account: string; readonly headers: Record<string, string> }>();

beforeAll(async () => {
  await loadSandbox();
  await migrateAll();
  for (const { number } of listDatabases(env)) {
    const credentials = { clientId: `client-${number}`, secret: "secret", fiReferenceId: `PSDXX-TEST-DB${number}` };
    const { secret, ...named } = credentials;
    await addInstitution(env, { ...named, name: "Bank", secretHash: hashSecret(secret), now: 0, database: number });
    askers.set(number, { account: "customer", headers: identify(credentials) });
  }
});
const prepare = (operation: string, database: number) => prepareGranted(operation, askers.get(database));

/** Each operation: how it succeeds, and whether it needs the institution's own database. */
const OPERATIONS: readonly (readonly [string, number, "own" | "none"])[] = [
  ["GET /v1/psp/eidas", 200, "none"],
  ["POST /v1/psp/checks", 200, "none"],
  ["POST /v1/psp/signatures", 200, "none"],
  ["POST /v1/obie/ccg_tokens", 201, "none"],
  ["GET /status", 200, "none"],
  ["GET /health", 200, "none"],
  ["POST /v1/oauth2/authorization_codes", 201, "own"],
  ["POST /v1/oauth2/tokens", 201, "own"],
  ["GET /v1/oauth2/tokens/{token}", 200, "own"],
  ["GET /v1/oauth2/account/{account_id}/tokens", 200, "own"],
  ["POST /v1/introspect", 200, "own"],
  ["GET /v1/access", 200, "own"],
  ["POST /v1/obie/account_access_consents", 201, "own"],
  ["GET /v1/obie/account_access_consents/{consent_id}", 200, "own"],
  ["POST /v1/obie/payment_order_consents", 201, "own"],
  ["GET /v1/obie/payment_order_consents", 200, "own"],
  ["GET /v1/obie/payment_order_consents/{consent_id}", 200, "own"],
  ["POST /v1/obie/authorization_codes", 201, "own"],
  ["POST /v1/obie/tokens", 201, "own"],
  ["GET /v1/obie/tokens/{token}", 200, "own"],
  ["GET /v1/accounts/{account_id}/permissions", 200, "own"],
  ["PUT /v1/accounts/{account_id}/block", 200, "own"],
  ["GET /v1/accounts/{account_id}/block", 200, "own"],
  ["GET /v1/audit/head", 200, "none"],
  ["GET /v1/audit/head/comparison", 200, "none"],
  ["GET /v1/audit/records", 200, "none"],
  ["GET /v1/audit/records/{evidence_id}", 200, "none"],
  ["GET /v1/audit/records/{evidence_id}/documents/{sha256}", 200, "none"],
  ["DELETE /v1/accounts/{account_id}/block", 204, "own"],
  ["PUT /v1/psp/watches/{authorisation_number}", 200, "own"],
  ["GET /v1/psp/watches", 200, "own"],
  ["GET /v1/events", 200, "own"],
  ["DELETE /v1/psp/watches/{authorisation_number}", 204, "own"],
  ["DELETE /v1/oauth2/tokens/{token}", 204, "own"],
  ["DELETE /v1/obie/account_access_consents/{consent_id}", 204, "own"],
  ["DELETE /v1/accounts/{account_id}/permissions/{permission_id}", 204, "own"],
  ["DELETE /v1/accounts/{account_id}/permissions", 204, "own"],
];

test("every operation of the contract is tried", () => {
  const known = operations.map(({ method, path }) => `${method} ${path}`);
  // pages and files for people and tools, which know no institution
  expect(known.filter((one) => /\/v1\/|health|status/.test(one)).sort()).toEqual(
    OPERATIONS.map(([name]) => name).sort(),
  );
});

test("the id of a token and of a consent names its database, but for the first", async () => {
  for (const [number, { account, headers }] of askers) {
    const [accounts, payments] = [await ccgToken("accounts", headers), await ccgToken("payments", headers)];
    for (const id of [
      (await obtainToken(account, headers)).split(".")[1],
      await createAccountConsent(accounts, {}, headers),
      await createPaymentConsent(payments, headers),
    ])
      expect(id).toMatch(number === 1 ? /^[0-9a-z]{9}[\w-]{22}$/ : new RegExp(`^[0-9a-z]{9}[\\w-]{22}-${number}$`));
  }
});

const SECOND = listDatabases(env).find(({ number }) => number === 2)?.db ?? env.DB;
const failing = (when: "before" | "never") =>
  ({ ...env, DB_2: failingDatabase(SECOND, () => true, when) }) as Cloudflare.Env;

describe("while the second database is down, or does not answer", () => {
  afterEach(() => void vi.restoreAllMocks());
  test.each(OPERATIONS)("%s", async (operation, status, needs) => {
    const down = failing("before");
    // an exchange asks again and again, until its code has expired
    const all = /^POST .*\/tokens$/.test(operation) ? [down] : [down, failing("never")];
    for (const database of [1, 3, 4]) {
      const ask = await prepare(operation, database);
      expect([database, (await ask({ env: down })).status]).toEqual([database, status]);
    }
    const ask = await prepare(operation, 2);
    vi.spyOn(console, "error").mockImplementation(() => {});
    holdDeadlines();
    for (const stores of needs === "own" ? all : []) {
      const answer = await ask({ env: stores });
      expect([answer.status, codesOf(answer)]).toEqual([503, ["temporarily_unavailable"]]);
      expect(answer.headers.get("Retry-After")).toBe("1");
      expect(JSON.stringify(answer.body)).not.toContain("D1");
    }
    // it was refused whole: afterwards the same succeeds
    const { status: after, body } = await ask({ env: needs === "own" ? env : down });
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
  for (const [operation, status, needs] of OPERATIONS.filter(([name]) => /^GET|^POST .*codes/.test(name))) {
    const ask = await prepare(operation, 3);
    const answer = await ask({ env: bindings as Cloudflare.Env });
    expect([operation, answer.status]).toEqual([operation, needs === "own" ? 503 : status]);
  }
});
