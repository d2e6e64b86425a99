/**
 * The bare primitives, in a Worker of their own: each route does the one thing that cannot be spared, by the same code,
 * and nothing else: it looks for no caller, counts nothing, checks nothing and logs nothing. Its requests have the same
 * headers and body as the service's own.
 */
import { type Context, Hono } from "hono";
import { noteCoreCode } from "../../src/grants/core-flow.ts";
import { insertToken } from "../../src/grants/new-token.ts";
import { makeRecordId } from "../../src/grants/record-order.ts";
import { readTokenKeys } from "../../src/grants/token-keys.ts";
import { findToken, READ_TOKEN } from "../../src/grants/tokens.ts";
import { clock } from "../../src/platform/clock.ts";
import { fromBase64, toBase64Url } from "../../src/platform/encoding.ts";
import { makeSecret, seal } from "../../src/platform/secrets.ts";
import { parseCrl } from "../../src/revocation/crl.ts";
import { parseCertificate } from "../../src/x509/certificate.ts";
import { verifySignature } from "../../src/x509/signature.ts";
import { BareRecord } from "./bare-record.ts";

export { BareRecord };

export interface BareEnv extends Env {
  BARE_RECORD: DurableObjectNamespace<BareRecord>;
  DB_THOUSAND: D1Database;
  DB_TEN_MILLION: D1Database;
  /** Base64 DER: the issuer of the bench's certificates, and its CRL. */
  BENCH_ISSUER: string;
  BENCH_CRL: string;
}

const PSP = "PSDXX-TEST-000001";
const CONSENT_LESS = { kid: "bench", fiId: 1, pspId: PSP, scope: "accounts", consentId: null } as const;
const LIFETIME_SECONDS = 3600;
/** A certificate, the basis and the answer of its check. */
const KEPT_BYTES = 6 * 1024;
const INSERT_TOKEN = `
  INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`;
const LIST_TOKENS = `
  SELECT ${READ_TOKEN} FROM tokens WHERE fi_id = ?1 AND account_id = ?2 ORDER BY expires_at DESC LIMIT 1000`;
const INSERT_CONSENT = `
  INSERT INTO account_access_consents (id, fi_id, psp_id, status, created_at, status_updated_at, permissions)
  VALUES (?1, 1, '${PSP}', 'AwaitingAuthorisation', ?2, ?2, ?3)`;
const END_CONSENT = "UPDATE account_access_consents SET status = 'Revoked', ends_at = ?2 WHERE id = ?1";
/** Of what is inserted over the tables of a thousand and ten million, so that it can be taken out again. */
const INSERTED = "inserted";

const bare = new Hono<{ Bindings: BareEnv }>();
export default bare;

bare.get("/bare/json", (c) => c.json({ ok: true }));

/** Parses the certificate, its issuer and the CRL, and verifies the two signatures: the least that a check can do. */
async function isVerified(c: Context<{ Bindings: BareEnv }>): Promise<boolean> {
  const [leaf, issuer, list] = [c.req.header("eidas") ?? "", c.env.BENCH_ISSUER, c.env.BENCH_CRL].map(fromBase64);
  if (!leaf || !issuer || !list) return false;
  const { publicKey } = parseCertificate(issuer);
  const results = await Promise.all(
    [parseCertificate(leaf), parseCrl(list)].map(({ signatureAlgorithm: algorithm, tbs: data, signature }) =>
      verifySignature({ algorithm, publicKey, data, signature }),
    ),
  );
  return results.every((result) => result.ok);
}
bare.get("/bare/verify", async (c) => {
  const ok = await isVerified(c);
  return c.json({ ok }, ok ? 200 : 500);
});

/** The same, and after the answer an object of R2 as a new certificate's check writes it: asked for, then written. */
bare.get("/bare/kept", async (c) => {
  const ok = await isVerified(c);
  const key = `bare/${makeRecordId(clock.now())}`;
  const keep = async () => {
    if (!(await c.env.EVIDENCE.head(key))) await c.env.EVIDENCE.put(key, new Uint8Array(KEPT_BYTES));
  };
  c.executionCtx.waitUntil(keep());
  return c.json({ ok }, ok ? 200 : 500);
});

/** One write of a new Durable Object; answers text of a code's length. */
bare.post("/bare/record", async (c) => {
  const record = await c.req.json<object>();
  const id = c.env.BARE_RECORD.newUniqueId();
  await c.env.BARE_RECORD.get(id).write(record);
  return c.json({ code: `${id}.${makeSecret()}` }, 201);
});

/** One read and write of that object, then one insert. */
bare.post("/bare/exchange", async (c) => {
  const body = await c.req.json<{ account_id: string; client_request_query_parameters: { code: string } }>();
  const [hex = ""] = body.client_request_query_parameters.code.split(".");
  const id = makeRecordId(clock.now());
  await c.env.BARE_RECORD.get(c.env.BARE_RECORD.idFromString(hex)).update({ tokenId: id });
  const { kid, fiId, pspId, scope } = CONSENT_LESS;
  const expiresAt = clock.now() + LIFETIME_SECONDS * 1000;
  await c.env.DB.prepare(INSERT_TOKEN).bind(id, kid, fiId, pspId, body.account_id, scope, clock.now(), expiresAt).run();
  return c.json({ expiresAt }, 201);
});

/** One sealing of what a CCG token holds. */
bare.post("/bare/seal", async (c) => {
  const { scope } = await c.req.json<{ eIDAS: string; scope: string }>();
  const { kid, ccgTokens } = readTokenKeys(c.env).newest;
  const grant = { fiId: 1, pspId: PSP, scope, services: [7, 8], exp: 1 };
  return c.json({ access_token: `${kid}.${toBase64Url(seal(ccgTokens, JSON.stringify(grant), kid))}` }, 201);
});

/** One read of a token's row. */
bare.get("/bare/tokens/:token", async (c) => {
  const [, id = ""] = c.req.param("token").split(".");
  const token = await findToken(c.env.DB, 1, id);
  return c.json({ token }, token ? 200 : 404);
});

/** One read of an account's rows. */
bare.get("/bare/accounts/:account/tokens", async (c) => {
  const { results } = await c.env.DB.prepare(LIST_TOKENS).bind(1, c.req.param("account")).all();
  return c.json({ tokens: results }, results.length > 0 ? 200 : 404);
});

/** One insert of a consent's row, and one change of it. */
bare.post("/bare/consents", async (c) => {
  const { data } = await c.req.json<{ data: { permissions: string[] } }>();
  const id = makeRecordId(clock.now());
  await c.env.DB.prepare(INSERT_CONSENT).bind(id, clock.now(), JSON.stringify(data.permissions)).run();
  return c.json({ consent_id: id }, 201);
});
bare.delete("/bare/consents/:id", async (c) => {
  await c.env.DB.prepare(END_CONSENT).bind(c.req.param("id"), clock.now()).run();
  return c.body(null, 204);
});

/** One insert of a token by the service's own statements, over the table that the header names. */
const tableOf = ({ DB_THOUSAND, DB_TEN_MILLION }: BareEnv, name: string | undefined): D1Database =>
  name === "tenMillion" ? DB_TEN_MILLION : DB_THOUSAND;
bare.post("/rows", async (c) => {
  const [id, issuedAt] = [makeRecordId(clock.now()), clock.now()];
  const token = { ...CONSENT_LESS, id, accountId: INSERTED, issuedAt, agreedAfter: Number.MAX_SAFE_INTEGER };
  const db = tableOf(c.env, c.req.header("bench-table"));
  return c.json({ expiresAt: await insertToken(db, token, LIFETIME_SECONDS) }, 201);
});

/** Takes out what was inserted: a table of a thousand stays one. The account has a code that can be exchanged. */
bare.post("/rows/restore", async (c) => {
  const db = tableOf(c.env, c.req.header("bench-table"));
  await db.prepare("DELETE FROM tokens WHERE fi_id = 1 AND account_id = ?1").bind(INSERTED).run();
  await noteCoreCode(db, { ...CONSENT_LESS, accountId: INSERTED }, clock.now());
  return c.body(null, 204);
});
