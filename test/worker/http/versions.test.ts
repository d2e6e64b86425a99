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
import {
  type Answer,
  call,
  codeRequest,
  createAccountConsent,
  createPaymentConsent,
  INITIATION,
  OPEN_ENDED,
  obieCodeRequest,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { recordOf } from "../evidence/ledger/records.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";

const EIDAS = { eidas: eidasHeader("scenario-1") };
const LOST = ["PSDXX-TEST-000009", "PSDXX-TEST-000010"];

let ccg: string;
let consent: string;
let lost: { ccg: string; token: string; obieToken: string };
beforeAll(async () => {
  await loadSandbox();
  ccg = await obtainCcgToken();
  consent = await createAccountConsent(ccg);
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
const PAYMENT = ["consent_id", "creation_date_time", "initiation", "status", "status_update_date_time"];
/** The endpoints of accounts are not in the interface: both versions have all fields. */
const PERMISSION = [
  ...["blocked", "consent_id", "ended_at", "ended_by", "granted_at", "id", "last_token_at", "permissions", "scope"],
  ...["status", "transaction_from_date_time", "transaction_to_date_time", "valid_until"],
  ...under("data", "group", "words").map((key) => key.replace("data.", "data[].")),
  ...under("psp", "authorisation_number", "home_country", "legal_name", "standing"),
];
const INITIATION_KEYS = keysOf(INITIATION);
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
  ...["country", "fetchedAt", "published", "snapshot", "source"].map((key) => `evidence.registers[].${key}`),
  ...["certificate", "crlNumber", "nextUpdate", "producedAt", "sha256", "source", "thisUpdate", "url"].map(
    (key) => `evidence.revocation[].${key}`,
  ),
];

interface Row {
  ask: (headers: Record<string, string>) => Promise<Answer>;
  /** The interface's fields that this answer has. */
  fields: string[];
  /** What `latest` adds. */
  added?: string[];
}

const checkIris = (version: Record<string, string>): Promise<Answer> =>
  call("GET", "/v1/psp/eidas?jurisdiction=xy", { headers: { ...version, eidas: eidasHeader("scenario-9") } });
/** Of a record in the list and by itself. */
const RECORD = [
  ...["hash", "record", "text"],
  ...["account", "answer", "checks", "consent", "endpoint", "event", "fi", "id", "ms", "outcome", "prev", "psp"].map(
    (key) => `record.${key}`,
  ),
  ...["release", "request_id", "seq", "status", "time", "token", "transaction_reference", "version"].map(
    (key) => `record.${key}`,
  ),
  ...["basis", "certificate", "decisions", "jurisdictions", "psp", "verdicts"].map((key) => `record.checks[].${key}`),
  ...["accounts", "payments"].map((key) => `record.checks[].decisions[].${key}`),
];

const TABLE: Record<string, Row> = {
  "POST /v1/oauth2/authorization_codes": {
    ask: (version) =>
      call("POST", "/v1/oauth2/authorization_codes", { headers: { ...version, ...EIDAS }, body: codeRequest() }),
    fields: REDIRECT_RECORD,
  },
  "POST /v1/oauth2/tokens": {
    ask: async (version) => {
      const body = tokenRequest(await obtainCode("account"), "account");
      return call("POST", "/v1/oauth2/tokens", { headers: { ...version, ...EIDAS }, body });
    },
    fields: under("data", "access_token", "expires_in", "scope", "token_type"),
  },
  "GET /v1/oauth2/tokens/{token}": {
    ask: (version) => call("GET", `/v1/oauth2/tokens/${lost.token}`, { headers: version }),
    fields: under("data", ...TOKEN_RECORD),
    added: ["data.warning"],
  },
  "DELETE /v1/oauth2/tokens/{token}": {
    ask: async (version) => call("DELETE", `/v1/oauth2/tokens/${await obtainToken("deleted")}`, { headers: version }),
    fields: [],
  },
  "GET /v1/oauth2/account/{account_id}/tokens": {
    ask: (version) => call("GET", "/v1/oauth2/account/lost/tokens", { headers: version }),
    fields: under("data", ...TOKEN_RECORD).map((key) => key.replace(".", "[].")),
    added: ["data[].warning"],
  },
  "POST /v1/obie/ccg_tokens": {
    ask: (version) =>
      call("POST", "/v1/obie/ccg_tokens", {
        headers: version,
        body: { eIDAS: eidasHeader("scenario-10"), scope: "accounts" },
      }),
    fields: [
      ...["access_token", "active", "expires_in", "payment_service_number", "psp_id", "scope", "token_type"],
      "warning",
    ],
  },
  "POST /v1/obie/authorization_codes": {
    ask: async (version) => {
      const body = obieCodeRequest(await createAccountConsent(ccg));
      return call("POST", "/v1/obie/authorization_codes", { headers: { ...version, ccg_token: ccg }, body });
    },
    fields: REDIRECT_RECORD,
  },
  "POST /v1/obie/tokens": {
    ask: async (version) => {
      const auth_code = await obtainObieCode(ccg, await createAccountConsent(ccg));
      const body = { auth_code, redirect_uri: REDIRECT_URI };
      return call("POST", "/v1/obie/tokens", { headers: { ...version, ccg_token: ccg }, body });
    },
    fields: under("data", "access_token", "expires_in", "state", "token_type"),
  },
  "GET /v1/obie/tokens/{token}": {
    ask: (version) =>
      call("GET", `/v1/obie/tokens/${lost.obieToken}`, { headers: { ...version, ccg_token: lost.ccg } }),
    fields: under("data", "access_token", "active", "expires_in", "token_type"),
    added: ["data.warning"],
  },
  "POST /v1/obie/account_access_consents": {
    ask: (version) =>
      call("POST", "/v1/obie/account_access_consents", {
        headers: { ...version, ccg_token: ccg },
        body: { data: OPEN_ENDED },
      }),
    fields: CONSENT,
  },
  "GET /v1/obie/account_access_consents/{consent_id}": {
    ask: (version) =>
      call("GET", `/v1/obie/account_access_consents/${consent}`, { headers: { ...version, ccg_token: ccg } }),
    fields: CONSENT,
  },
  "DELETE /v1/obie/account_access_consents/{consent_id}": {
    ask: async (version) =>
      call("DELETE", `/v1/obie/account_access_consents/${await createAccountConsent(ccg)}`, {
        headers: { ...version, ccg_token: ccg },
      }),
    fields: [],
  },
  "POST /v1/obie/payment_order_consents": {
    ask: async (version) =>
      call("POST", "/v1/obie/payment_order_consents", {
        headers: { ...version, ccg_token: await obtainCcgToken("payments") },
        body: { data: { initiation: INITIATION } },
      }),
    fields: [...under("data", ...PAYMENT), ...INITIATION_KEYS.map((key) => `data.initiation.${key}`)],
  },
  "GET /v1/obie/payment_order_consents": {
    ask: async (version) => {
      const payments = await obtainCcgToken("payments");
      await createPaymentConsent(payments);
      return call("GET", "/v1/obie/payment_order_consents", { headers: { ...version, ccg_token: payments } });
    },
    fields: [...under("data", ...PAYMENT), ...INITIATION_KEYS.map((key) => `data.initiation.${key}`)].map((key) =>
      key.replace("data.", "data[]."),
    ),
  },
  "GET /v1/obie/payment_order_consents/{consent_id}": {
    ask: async (version) => {
      const payments = await obtainCcgToken("payments");
      const path = `/v1/obie/payment_order_consents/${await createPaymentConsent(payments)}`;
      return call("GET", path, { headers: { ...version, ccg_token: payments } });
    },
    fields: [...under("data", ...PAYMENT), ...INITIATION_KEYS.map((key) => `data.initiation.${key}`)],
  },
  "GET /v1/accounts/{account_id}/permissions": {
    ask: async (version) => {
      await obtainObieToken(ccg, await createAccountConsent(ccg), { psu_account_id: "versions" });
      return call("GET", "/v1/accounts/versions/permissions", { headers: version });
    },
    fields: ["data", ...PERMISSION.map((key) => `data[].${key}`)],
  },
  "DELETE /v1/accounts/{account_id}/permissions": {
    ask: (version) => call("DELETE", "/v1/accounts/versions/permissions", { headers: version }),
    fields: [],
  },
  "DELETE /v1/accounts/{account_id}/permissions/{permission_id}": {
    ask: async (version) => {
      const id = await createAccountConsent(ccg);
      await obtainObieToken(ccg, id, { psu_account_id: "versions" });
      return call("DELETE", `/v1/accounts/versions/permissions/${id}`, { headers: version });
    },
    fields: [],
  },
  "GET /v1/accounts/{account_id}/block": {
    ask: (version) => call("GET", "/v1/accounts/versions/block", { headers: version }),
    fields: under("data", "blocked_at", "scopes"),
  },
  "PUT /v1/accounts/{account_id}/block": {
    ask: (version) => call("PUT", "/v1/accounts/versions/block", { headers: version, body: { scopes: ["payments"] } }),
    fields: under("data", "blocked_at", "scopes"),
  },
  "DELETE /v1/accounts/{account_id}/block": {
    ask: (version) => call("DELETE", "/v1/accounts/versions/block", { headers: version }),
    fields: [],
  },
  "GET /v1/audit/head": {
    ask: (version) => call("GET", "/v1/audit/head", { headers: version }),
    fields: under("data", "hash", "jws", "kept_from", "seq", "time"),
  },
  "GET /v1/audit/head/comparison": {
    ask: async (version) => {
      await recordOf(await checkIris(version));
      const { body } = await call("GET", "/v1/audit/head", { headers: version });
      return call("GET", `/v1/audit/head/comparison?head=${body.data.jws}`, { headers: version });
    },
    fields: [
      ...under("data", "differs_at", "followed_to", "found", "gap", "head", "kept", "verdict"),
      ...["hash", "jws", "seq", "time"].map((key) => `data.head.${key}`),
      ...["hash", "seq", "time"].map((key) => `data.kept.${key}`),
    ],
  },
  "GET /v1/psp/watches": {
    ask: async (version) => {
      await call("PUT", "/v1/psp/watches/PSDXX-TEST-000001", { body: {} });
      return call("GET", "/v1/psp/watches", { headers: version });
    },
    fields: ["data", "data[].psp_id", "data[].watched_since"],
  },
  "PUT /v1/psp/watches/{authorisation_number}": {
    ask: (version) => call("PUT", "/v1/psp/watches/PSDXX-TEST-000001", { headers: version, body: {} }),
    fields: under("data", "psp_id", "watched_since"),
  },
  "DELETE /v1/psp/watches/{authorisation_number}": {
    ask: (version) => call("DELETE", "/v1/psp/watches/PSDXX-TEST-000001", { headers: version }),
    fields: [],
  },
  "GET /v1/events": {
    ask: (version) => call("GET", "/v1/events", { headers: version }),
    fields: ["data", "next_after"],
  },
  "GET /v1/audit/records": {
    ask: async (version) => {
      await recordOf(await checkIris(version));
      return call("GET", "/v1/audit/records?psp_id=PSDXX-TEST-000009&limit=1", { headers: version });
    },
    fields: ["data", "gaps", "heads", "next_cursor", ...RECORD.map((key) => `data[].${key}`)],
  },
  "GET /v1/audit/records/{evidence_id}": {
    ask: async (version) => {
      const { id } = await recordOf(await checkIris(version));
      return call("GET", `/v1/audit/records/${id}`, { headers: version });
    },
    fields: [...under("data", "evidence", "heads", ...RECORD), "data.evidence[].kind", "data.evidence[].sha256"],
  },
  "GET /v1/audit/records/{evidence_id}/documents/{sha256}": {
    ask: async (version) => {
      const { id, checks } = await recordOf(await checkIris(version));
      return call("GET", `/v1/audit/records/${id}/documents/${checks[0]?.basis}`, { headers: version });
    },
    // the document itself, which no version changes
    fields: ["anchors", "chain", "form", "home", "hosts", "hosts.XY", "registerMaxAges", "revocation"].concat(
      ["nca", "credit-institutions", "eba"].map((source) => `registerMaxAges.${source}`),
      ["answers", "certificate"].map((key) => `revocation[].${key}`),
      ["issuer", "sha256", "source", "url"].map((key) => `revocation[].answers[].${key}`),
    ),
  },
  "GET /v1/access": {
    ask: (version) =>
      call("GET", "/v1/access?scope=accounts", {
        headers: { ...version, access_token: lost.obieToken, eidas: eidasHeader("scenario-10") },
      }),
    fields: [],
  },
  "POST /v1/introspect": {
    ask: (version) => call("POST", "/v1/introspect", { headers: version, body: { token: lost.obieToken } }),
    fields: [
      ...["account_id", "active", "client_id", "consent_id", "exp", "iat", "permissions", "psp_id", "scope"],
      ...["token_type", "transaction_from_date_time", "transaction_to_date_time"],
      ...under("psp", "legal_name", "standing"),
      ...under("psp.decision", "allowed", "reasons"),
      ...["code", "message", "whose"].map((key) => `psp.decision.reasons[].${key}`),
    ],
  },
  "POST /v1/psp/checks": {
    ask: (version) => {
      const check = { id: "mine", eIDAS: eidasHeader("scenario-9"), jurisdictions: ["XY"] };
      return call("POST", "/v1/psp/checks", { headers: version, body: { checks: [check] } });
    },
    fields: [
      ...under("data", "id", "results").map((key) => key.replace("data.", "data[].")),
      ...["jurisdiction", "result", ...CHECK.map((key) => `result.${key}`)].map((key) => `data[].results[].${key}`),
    ],
    added: [...DECISION, ...EVIDENCE].map((key) => `data[].results[].result.${key}`),
  },
  "POST /v1/psp/signatures": {
    ask: (version) => {
      const request = { method: "GET", target: "/", headers: {}, jurisdiction: "XY", eIDAS: eidasHeader("scenario-9") };
      return call("POST", "/v1/psp/signatures", { headers: version, body: request });
    },
    fields: [
      ...CHECK,
      ...under("signature", "covered", "created", "problems", "profile", "sha256", "verified"),
      ...["code", "message"].map((key) => `signature.problems[].${key}`),
    ],
    added: [...DECISION, ...EVIDENCE, ...under("signature", "binds", "issuer").slice(1)],
  },
  "GET /v1/psp/eidas": {
    ask: (version) =>
      call("GET", "/v1/psp/eidas?jurisdiction=xy", { headers: { ...version, eidas: eidasHeader("scenario-9") } }),
    fields: CHECK,
    added: [...DECISION, ...EVIDENCE],
  },
};

test("the table has every endpoint", () => {
  expect(Object.keys(TABLE).sort()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
});

describe.each(Object.entries(TABLE))("%s", (_, { ask, fields, added = [] }) => {
  test("version 1 has the interface's fields and no other", async () => {
    const answer = await ask({ version: "1" });
    expect([answer.status < 300, keysOf(answer.body)]).toEqual([true, fields.toSorted()]);
  });
  test(`latest adds ${added.length === 0 ? "nothing" : added.join(", ")}`, async () => {
    const answer = await ask({ version: "latest" });
    expect([answer.status < 300, keysOf(answer.body)]).toEqual([true, [...fields, ...added].sort()]);
  });
});
