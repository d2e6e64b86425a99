/** The routes that are measured: by group, in steps of a round, and which of them are compared with which bare ones. */
import { createHash } from "node:crypto";
import { writeAccessToken } from "../../src/grants/token-texts.ts";
import {
  ACCOUNT,
  type Call,
  CHECK,
  CONSENT,
  CONSENTS,
  codeRequest,
  FORM,
  type Group,
  get,
  JSON_TYPE,
  obtainCcgHeaders,
  obtainToken,
  post,
  REDIRECT_URI,
  type Route,
  type Setting,
  send,
  tokenRequest,
} from "./routes.ts";
import { seededAccount, seededId, TABLES, type TableName } from "./stores.ts";

/** Bare parse: the leaf, its issuer and the CRL, and the signatures of leaf and CRL. The check verifies a CRL once per isolate. */
function psp({ service, bare, identity, eidas, leaves }: Setting): Group {
  const [one, many] = [{ ...identity, eidas }, leaves.map((leaf) => ({ ...identity, eidas: leaf }))];
  const json = get("bare: a JSON route", bare, "/bare/json", one);
  const seen = get("seen certificate", service, CHECK, one);
  const latest = get("seen certificate, latest", service, CHECK, { ...one, version: "latest" });
  const verify = get("bare: parse, and the same two signatures", bare, "/bare/verify", ...many);
  const kept = get("bare: the same, and one object of R2", bare, "/bare/kept", ...many);
  const fresh = get("new certificate, revocation cached", service, CHECK, ...many);
  const signature = { "Accept-Signature": 'bank=("@status");nonce="n"' };
  const signed = get("seen certificate, signed", service, CHECK, { ...one, ...signature });
  return {
    title: "PSP check",
    steps: [
      [json, seen, latest, signed],
      [verify, kept, fresh],
    ],
    comparisons: [
      [seen, json, 2.2],
      [latest, json, 4],
      [fresh, verify, null],
      [fresh, kept, 1.3],
      [signed, seen, 1.25],
    ],
  };
}

/** Beside the primitives that they cannot do without, and a library by others (oauth-provider/), which keeps codes in KV. */
async function codes(setting: Setting): Promise<Group> {
  const { service, bare, identity, eidas } = setting;
  const headers = { ...identity, eidas, ...JSON_TYPE };
  const captures = '"code":"([^"]+)"';
  const make = (name: string, url: string, path: string): Route => ({
    ...send(name, url, path, headers, codeRequest(ACCOUNT)),
    captures,
  });
  const redeem = (name: string, url: string, path: string, from: Route): Route => ({
    ...{ name, url, method: "POST", status: 201 },
    calls: { from, make: (code) => ({ path, headers, body: JSON.stringify(tokenRequest(ACCOUNT, code)) }) },
  });
  const record = make("bare: one DO write", bare, "/bare/record");
  const issue = make("code issue", service, "/v1/oauth2/authorization_codes");
  const exchange = redeem("bare: one DO read and write, one D1 insert", bare, "/bare/exchange", record);
  const redemption = redeem("redemption with token insert", service, "/v1/oauth2/tokens", issue);
  const grant = { eIDAS: eidas, scope: "accounts" };
  const sealing = send("bare: one seal", bare, "/bare/seal", identity, grant);
  const ccgToken = send("CCG token", service, "/v1/obie/ccg_tokens", identity, grant);

  const url = setting.provider;
  const verifier = "a-verifier-of-pkce-that-is-long-enough-for-rfc-7636";
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const client = (await post(`${url}/client`, {}, {})) as { clientId: string; clientSecret: string };
  const Authorization = `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}`;
  const query = new URLSearchParams({ client: client.clientId, challenge });
  const others: Route = { ...send("(codes of workers-oauth-provider)", url, `/code?${query}`, {}, {}), captures };
  const form = { grant_type: "authorization_code", redirect_uri: REDIRECT_URI, code_verifier: verifier };
  const theirs: Route = {
    ...{ name: "exchange by workers-oauth-provider", url, method: "POST", status: 200 },
    calls: {
      from: others,
      make: (code) => ({
        ...{ path: "/token", headers: { Authorization, ...FORM } },
        body: `${new URLSearchParams({ ...form, code })}`,
      }),
    },
  };
  return {
    title: "Codes, tokens, CCG tokens",
    // a code lives for 60 seconds: nothing is between its issue and its redemption
    steps: [[others], [record, issue], [exchange, redemption, theirs], [sealing, ccgToken]],
    comparisons: [
      [issue, record, 1.5],
      [redemption, exchange, 1.2],
      [redemption, theirs, 0.83],
      [ccgToken, sealing, 1.6],
    ],
  };
}

const LISTED = 20;

async function reads(setting: Setting): Promise<Group> {
  const { service, bare, identity, eidas } = setting;
  const headers = await obtainCcgHeaders(setting);
  const token = await obtainToken(setting, ACCOUNT);
  const account = `${ACCOUNT}-of-${LISTED}`;
  for (let i = 0; i < LISTED; i++) await obtainToken(setting, account);
  const read = get("bare: one D1 read", bare, `/bare/tokens/${token}`, headers);
  const information = get("token information", service, `/v1/obie/tokens/${token}`, headers);
  const introspection: Route = {
    ...{ name: "introspection", url: service, method: "POST", status: 200 },
    calls: [{ path: "/v1/introspect", headers: { ...identity, ...FORM }, body: `token=${token}` }],
  };
  const grant = { ...identity, eidas, access_token: token };
  const access = get("access, for a gateway", service, "/v1/access?scope=accounts", grant);
  const { data } = (await post(`${service}${CONSENTS}`, headers, CONSENT)) as { data: { consent_id: string } };
  const consent = get("consent read", service, `${CONSENTS}/${data.consent_id}`, headers);
  const rows = get(`bare: one D1 read of ${LISTED} rows`, bare, `/bare/accounts/${account}/tokens`, headers);
  const list = get(`token list of ${LISTED}`, service, `/v1/oauth2/account/${account}/tokens`, headers);
  return {
    title: "Reads",
    steps: [
      [information, introspection, access, read, consent],
      [rows, list],
    ],
    comparisons: [
      ...[information, introspection, access, consent].map((route) => [route, read, 1.15] as const),
      [list, rows, 1.3],
    ],
  };
}

/** A consent is deleted in the round that created it. Its tokens are ended in the same transaction. */
async function consents(setting: Setting): Promise<Group> {
  const { service, bare } = setting;
  const headers = await obtainCcgHeaders(setting);
  const create = (name: string, url: string, path: string): Route => ({
    ...send(name, url, path, headers, CONSENT),
    captures: '"consent_id":"([^"]+)"',
  });
  const end = (name: string, url: string, path: string, from: Route): Route => ({
    ...{ name, url, method: "DELETE", status: 204 },
    calls: { from, make: (id) => ({ path: `${path}/${id}`, headers }) },
  });
  const insert = create("bare: one D1 insert", bare, "/bare/consents");
  const created = create("consent create", service, CONSENTS);
  const update = end("bare: one D1 update", bare, "/bare/consents", insert);
  const deleted = end("consent delete", service, CONSENTS, created);
  return {
    title: "Account access consents",
    steps: [
      [insert, created],
      [update, deleted],
    ],
    comparisons: [
      [created, insert, 1.2],
      [deleted, update, 1.2],
    ],
  };
}

/** The same statements over a table of 1,000 tokens and over one of 10,000,000, of ten tokens an account. */
function tokens({ tables, identity, keys, fiId, bare }: Setting): Group {
  // a stride that is prime to the rows: the table's pages are asked for all over
  const allOver = (table: TableName, path: (index: number) => string): Call[] =>
    Array.from({ length: 5_000 }, (_, i) => ({ path: path((i * 7_919) % TABLES[table].rows), headers: identity }));
  const ask = (what: string, table: TableName, path: (index: number) => string): Route => ({
    ...{ name: `token ${what}, ${table}`, url: tables[table], method: "GET", status: 200 },
    calls: allOver(table, path),
  });
  const makers: readonly ((table: TableName) => Route)[] = [
    (table) => ask("list", table, (i) => `/v1/oauth2/account/${seededAccount(TABLES[table].rows, i)}/tokens`),
    (table) =>
      ask("information", table, (i) => `/v1/oauth2/tokens/${writeAccessToken(keys.newest, fiId, seededId(i))}`),
    // what was inserted in the turn before is taken out again: a table of a thousand stays one
    (table) => {
      const headers = { ...identity, "bench-table": table };
      const before = async () => void (await fetch(`${bare}/rows/restore`, { method: "POST", headers }));
      const calls = [{ path: "/rows", headers }];
      return { ...{ name: `token insert, ${table}`, url: bare, method: "POST", status: 201, calls }, before };
    },
  ];
  const pairs = makers.map((make) => [make("tenMillion"), make("thousand"), 1.5] as const);
  return { title: "1,000 tokens and 10,000,000", steps: pairs.map(([of, to]) => [to, of]), comparisons: pairs };
}

/**
 * The check of a seen certificate by one institution, with its record in the ledger and without. Its object works on the
 * thread of the checks, as R2 does, which locally is JavaScript and files in the same process; deployed, both are elsewhere.
 */
function ledger({ service, unrecorded, withoutR2, identity, eidas }: Setting): Group {
  const check = (name: string, url: string) => get(`seen certificate, ${name}`, url, CHECK, { ...identity, eidas });
  const recorded = check("recorded", service);
  const plain = check("LEDGER_RECORDS = off", unrecorded);
  const alone = check("recorded, without R2", withoutR2);
  return {
    title: "Ledger",
    // a segment is closed every two seconds or so: of shorter turns each has none of it, one or two
    secondsPerTurn: 8,
    // what closes a segment runs that often, so V8 takes most of a minute until it has compiled it for good
    warmingSeconds: 40,
    steps: [[plain, recorded, alone]],
    comparisons: [
      [recorded, plain, 1.1],
      [alone, plain, 1.1],
    ],
  };
}

export const GROUPS: Readonly<Record<string, (setting: Setting) => Group | Promise<Group>>> = {
  ...{ psp, codes, reads, consents, tokens, ledger },
};
