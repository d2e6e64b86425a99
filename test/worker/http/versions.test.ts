/**
 * `version: 1` answers with the fields of the interface and no other; `latest` adds what this table says. The PSP loses
 * its authorisation meanwhile, so that everything that can be shown is.
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Sandbox } from "../../../src/cli/sandbox/files.ts";
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import { importRegister } from "../../../src/registers/import/import-register.ts";
import { readRegisterFile } from "../../../src/registers/import/own-form.ts";
import { createAccountConsent, INITIATION, obtainCcgToken, obtainObieToken, obtainToken } from "../bank.ts";
import { prepareGranted } from "../granted.ts";
import type { Change } from "../samples.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";

const LOST = ["PSDXX-TEST-000009", "PSDXX-TEST-000010"];

let lost: { ccg: string; token: string; obieToken: string };
beforeAll(async () => {
  await loadSandbox();
  const theirs = await obtainCcgToken("accounts", "scenario-10");
  lost = {
    ccg: theirs,
    token: await obtainToken("lost", { eidas: eidasHeader("scenario-10") }),
    obieToken: await obtainObieToken(
      theirs,
      await createAccountConsent(theirs, {
        transaction_from_date_time: "2026-01-01T00:00:00Z",
        transaction_to_date_time: "2099-01-01T00:00:00Z",
      }),
    ),
  };
  const registers: { country: string; psps: { authNumber: string; categories: { status: string }[] }[] }[] = (
    JSON.parse(env.TEST_SANDBOX) as Sandbox
  ).registers.map((text) => JSON.parse(text));
  const register = registers.find(({ country }) => country === "XX");
  for (const { authNumber, categories } of register?.psps ?? [])
    if (LOST.includes(authNumber)) for (const category of categories) category.status = "Withdrawn";
  const file = readRegisterFile(JSON.stringify({ ...register, published: new Date().toISOString() }));
  if (!file.ok) throw new Error(JSON.stringify(file.problems));
  await importRegister(env, file.register, { now: Date.now(), force: true });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
});
afterAll(() => void vi.useRealTimers());

/** Every key of an answer by its path, sorted; `[]` stands for the elements of a list. */
function keysOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((element) => keysOf(element, `${path}[]`)))].sort();
  if (typeof value !== "object" || value === null) return [];
  const keys = Object.entries(value).flatMap(([key, inner]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return [at, ...keysOf(inner, at)];
  });
  return [...new Set(keys)].sort();
}
const under = (path: string, ...keys: string[]) => [path, ...keys.map((key) => `${path}.${key}`)];

const REDIRECT_RECORD = [
  ...under("data", "redirect_uri"),
  ...["base_uri", "full_uri", "parameters", "parameters.code", "parameters.state"].map(
    (key) => `data.redirect_uri.${key}`,
  ),
];
const TOKEN_RECORD = ["account_id", "active", "exp", "iat", "psp_id", "revoked_at", "scope", "token"];
const CONSENT = under(
  "data",
  ...["consent_id", "creation_date_time", "permissions", "status", "status_update_date_time"],
);
/** The endpoints of accounts are not in the interface: both versions have all fields. */
const PERMISSION = [
  ...["blocked", "consent_id", "ended_at", "ended_by", "granted_at", "id", "last_token_at", "permissions", "scope"],
  ...["status", "transaction_from_date_time", "transaction_to_date_time", "valid_until"],
  ...under("data", "group", "words").map((key) => key.replace("data.", "data[].")),
  ...under("psp", "authorisation_number", "home_country", "legal_name", "standing"),
];
const PAYMENT = [
  ...under("data", "consent_id", "creation_date_time", "initiation", "status", "status_update_date_time"),
  ...keysOf(INITIATION).map((key) => `data.initiation.${key}`),
];
const CHECK = [
  ...under("eIDAS", "data", "validity"),
  ...["QTSPCommonName", "authNumber", "pspSubjectName"].map((key) => `eIDAS.data.${key}`),
  ...["validQTSP", "validSignature", "notRevoked", "notExpired"].map((key) => `eIDAS.validity.${key}`),
  ...["homeRegister", "hostRegister"].flatMap((register) =>
    under(
      register,
      ...["categoryEntries", "ncaCountryCode", "ncaName", "registerType"],
      ...["categoryName", "pspAuthStatus", "pspLegalName"].map((key) => `categoryEntries[].${key}`),
    ),
  ),
  "homeRegister.categoryEntries[].pspPaymentServices",
  ...under("homeRegister.categoryEntries[].passportOut", "countryCode", "paymentServices"),
  ...under("hostRegister.categoryEntries[].passportIn", "countryCode"),
];
const WAYS = ["", ".way", ".paymentServices"].map(
  (key, i) => `homeRegister.categoryEntries[].passportOut.ways${i > 0 ? "[]" : ""}${key}`,
);
const DECISION = [
  ...under("decision", "accounts", "payments"),
  ...["accounts", "payments"].flatMap((scope) => [`decision.${scope}.allowed`, `decision.${scope}.reasons`]),
  ...["accounts", "payments"].flatMap((scope) =>
    ["code", "message", "whose"].map((key) => `decision.${scope}.reasons[].${key}`),
  ),
];
const EVIDENCE = [
  ...under("evidence", "anchor", "path", "registers", "revocation", "oldest"),
  ...["id", "checked_at", "release", "certificate"].map((key) => `evidence.${key}`),
  ...["name", "at", "age_seconds"].map((key) => `evidence.oldest.${key}`),
  ...[
    "jurisdiction",
    "listIssuedAt",
    "listNextUpdate",
    "listSequenceNumber",
    "service",
    "since",
    "source",
    "status",
  ].map((key) => `evidence.anchor.${key}`),
  ...["sha256", "subject"].map((key) => `evidence.path[].${key}`),
  ...["country", "dated", "fetchedAt", "published", "snapshot", "source"].map((key) => `evidence.registers[].${key}`),
  ...["certificate", "crlNumber", "nextUpdate", "producedAt", "sha256", "source", "thisUpdate", "url"].map(
    (key) => `evidence.revocation[].${key}`,
  ),
];

interface Row {
  /** The interface's fields that this answer has. */
  readonly fields: readonly string[];
  /** What `latest` adds. */
  readonly added?: readonly string[];
  /** What is asked in the place of the endpoint's usual request. */
  readonly change?: () => Change;
}

const IRIS = eidasHeader("scenario-9");
const LOST_PSP = { eidas: eidasHeader("scenario-10") };
/** Of a record in the list and by itself. */
const RECORD = [
  ...["hash", "record", "text"],
  ...[
    "account",
    "answer",
    "bank_passports",
    "checks",
    "consent",
    "endpoint",
    "event",
    "fi",
    "id",
    "ms",
    "outcome",
    "prev",
    "psp",
  ].map((key) => `record.${key}`),
  ...["release", "request_id", "seq", "status", "time", "token", "transaction_reference", "version"].map(
    (key) => `record.${key}`,
  ),
  ...["basis", "certificate", "decisions", "jurisdictions", "psp", "verdicts"].map((key) => `record.checks[].${key}`),
  ...["accounts", "payments"].map((key) => `record.checks[].decisions[].${key}`),
];

const TABLE: Record<string, Row> = {
  "POST /v1/oauth2/authorization_codes": { fields: REDIRECT_RECORD },
  "POST /v1/oauth2/tokens": { fields: under("data", "access_token", "expires_in", "scope", "token_type") },
  "GET /v1/oauth2/tokens/{token}": {
    change: () => ({ segment: lost.token }),
    fields: under("data", ...TOKEN_RECORD),
    added: ["data.warning"],
  },
  "DELETE /v1/oauth2/tokens/{token}": { fields: [] },
  "GET /v1/oauth2/account/{account_id}/tokens": {
    change: () => ({ segment: "lost" }),
    fields: under("data", ...TOKEN_RECORD).map((key) => key.replace(".", "[].")),
    added: ["data[].warning"],
  },
  "POST /v1/obie/ccg_tokens": {
    change: () => ({ body: { eIDAS: LOST_PSP.eidas, scope: "accounts" } }),
    fields: [
      ...["access_token", "active", "expires_in", "payment_service_number", "psp_id", "scope", "token_type"],
      "warning",
    ],
  },
  "POST /v1/obie/authorization_codes": { fields: REDIRECT_RECORD },
  "POST /v1/obie/tokens": { fields: under("data", "access_token", "expires_in", "state", "token_type") },
  "GET /v1/obie/tokens/{token}": {
    change: () => ({ segment: lost.obieToken, headers: { ccg_token: lost.ccg } }),
    fields: under("data", "access_token", "active", "expires_in", "token_type"),
    added: ["data.warning"],
  },
  "POST /v1/obie/account_access_consents": { fields: CONSENT },
  "GET /v1/obie/account_access_consents/{consent_id}": { fields: CONSENT },
  "DELETE /v1/obie/account_access_consents/{consent_id}": { fields: [] },
  "POST /v1/obie/payment_order_consents": {
    change: () => ({ body: { data: { initiation: INITIATION } } }),
    fields: PAYMENT,
  },
  "GET /v1/obie/payment_order_consents": { fields: PAYMENT.map((key) => key.replace("data.", "data[].")) },
  "GET /v1/obie/payment_order_consents/{consent_id}": { fields: PAYMENT },
  "GET /v1/accounts/{account_id}/permissions": { fields: ["data", ...PERMISSION.map((key) => `data[].${key}`)] },
  "DELETE /v1/accounts/{account_id}/permissions": { fields: [] },
  "DELETE /v1/accounts/{account_id}/permissions/{permission_id}": { fields: [] },
  "GET /v1/accounts/{account_id}/block": { fields: under("data", "blocked_at", "scopes") },
  "PUT /v1/accounts/{account_id}/block": { fields: under("data", "blocked_at", "scopes") },
  "DELETE /v1/accounts/{account_id}/block": { fields: [] },
  "GET /v1/audit/head": { fields: under("data", "hash", "jws", "kept_from", "seq", "time") },
  "GET /v1/audit/head/comparison": {
    fields: [
      ...under("data", "differs_at", "followed_to", "found", "gap", "head", "kept", "verdict"),
      ...["hash", "jws", "seq", "time"].map((key) => `data.head.${key}`),
      ...["hash", "seq", "time"].map((key) => `data.kept.${key}`),
    ],
  },
  "GET /v1/psp/watches": { fields: ["data", "data[].psp_id", "data[].watched_since"] },
  "PUT /v1/psp/watches/{authorisation_number}": { fields: under("data", "psp_id", "watched_since") },
  "DELETE /v1/psp/watches/{authorisation_number}": { fields: [] },
  "GET /v1/events": { fields: ["data", "next_after"] },
  "GET /v1/audit/records": {
    fields: ["data", "gaps", "heads", "next_cursor", ...RECORD.map((key) => `data[].${key}`)],
  },
  "GET /v1/audit/records/{evidence_id}": {
    fields: [...under("data", "evidence", "heads", ...RECORD), "data.evidence[].kind", "data.evidence[].sha256"],
  },
  "GET /v1/audit/records/{evidence_id}/documents/{sha256}": {
    // the document itself, which no version changes
    fields: ["anchors", "chain", "form", "home", "hosts", "hosts.XY", "registerMaxAges", "revocation"].concat(
      ["nca", "credit-institutions", "eba"].map((source) => `registerMaxAges.${source}`),
      ["answers", "certificate"].map((key) => `revocation[].${key}`),
      ["issuer", "sha256", "source", "url"].map((key) => `revocation[].answers[].${key}`),
    ),
  },
  "GET /v1/access": {
    change: () => ({ headers: { ...LOST_PSP, access_token: lost.obieToken } }),
    fields: [],
  },
  "POST /v1/introspect": {
    change: () => ({ body: { token: lost.obieToken } }),
    fields: [
      ...["account_id", "active", "client_id", "consent_id", "exp", "iat", "permissions", "psp_id", "scope"],
      ...["token_type", "transaction_from_date_time", "transaction_to_date_time"],
      ...under("psp", "legal_name", "standing"),
      ...under("psp.decision", "allowed", "reasons"),
      ...["code", "message", "whose"].map((key) => `psp.decision.reasons[].${key}`),
    ],
  },
  "POST /v1/psp/checks": {
    change: () => ({ body: { checks: [{ id: "mine", eIDAS: IRIS, jurisdictions: ["XY"] }] } }),
    fields: [
      ...under("data", "id", "results").map((key) => key.replace("data.", "data[].")),
      ...["jurisdiction", "result", ...CHECK.map((key) => `result.${key}`)].map((key) => `data[].results[].${key}`),
    ],
    added: [...WAYS, ...DECISION, ...EVIDENCE].map((key) => `data[].results[].result.${key}`),
  },
  "POST /v1/psp/signatures": {
    change: () => ({ body: { method: "GET", target: "/", headers: {}, jurisdiction: "XY", eIDAS: IRIS } }),
    fields: [
      ...CHECK,
      ...under("signature", "covered", "created", "problems", "profile", "sha256", "verified"),
      ...["code", "message"].map((key) => `signature.problems[].${key}`),
    ],
    added: [...WAYS, ...DECISION, ...EVIDENCE, ...under("signature", "binds", "issuer").slice(1)],
  },
  "GET /v1/psp/eidas": {
    change: () => ({ query: "?jurisdiction=xy", headers: { eidas: IRIS } }),
    fields: CHECK,
    added: [...WAYS, ...DECISION, ...EVIDENCE],
  },
};

test("the table has every endpoint", () => {
  expect(Object.keys(TABLE).sort()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
});

describe.each(Object.entries(TABLE))("%s", (endpoint, { change, fields, added = [] }) => {
  const ask = async (version: string) => {
    const { headers, ...changed } = change?.() ?? {};
    return (await prepareGranted(endpoint))({ ...changed, headers: { ...headers, version } });
  };
  test("version 1 has the interface's fields and no other", async () => {
    const answer = await ask("1");
    expect([answer.status < 300, keysOf(answer.body)]).toEqual([true, fields.toSorted()]);
  });
  test(`latest adds ${added.length === 0 ? "nothing" : added.join(", ")}`, async () => {
    const answer = await ask("latest");
    expect([answer.status < 300, keysOf(answer.body)]).toEqual([true, [...fields, ...added].sort()]);
  });
});
