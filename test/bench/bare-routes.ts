/**
 * The bare primitives: each route does the one thing that cannot be spared, by the same code, and nothing else. Its
 * requests have the same headers and body as the service's own, and it writes the same log line, which in local
 * development costs more than anything else here: so only the work differs. One route goes without that line, to show it.
 */
import { Hono } from "hono";
import { clock } from "../../src/clock.ts";
import type { Variables } from "../../src/context.ts";
import { fromBase64, toBase64Url } from "../../src/encoding.ts";
import { insertToken } from "../../src/grants/new-token.ts";
import { makeRecordId } from "../../src/grants/record-id.ts";
import { readTokenKeys } from "../../src/grants/token-keys.ts";
import { findToken } from "../../src/grants/tokens.ts";
import { requestLog } from "../../src/middleware/request-log.ts";
import { parseCrl } from "../../src/revocation/crl.ts";
import { makeSecret, seal } from "../../src/secrets.ts";
import { parseCertificate } from "../../src/x509/certificate.ts";
import { verifySignature } from "../../src/x509/signature.ts";
import type { BareRecord } from "./bare-record.ts";

export interface BenchEnv extends Env {
  BARE_RECORD: DurableObjectNamespace<BareRecord>;
  DB_THOUSAND: D1Database;
  DB_MILLION: D1Database;
  /** Base64 DER: the issuer of the bench's certificates, and its CRL. */
  BENCH_ISSUER: string;
  BENCH_CRL: string;
}

const CONSENT_LESS = { kid: "bench", fiId: 1, pspId: "PSDXX-TEST-000001", scope: "accounts", consentId: null } as const;
const LIFETIME_SECONDS = 3600;
const INSERT = `
  INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`;
/** Of what is inserted over the tables of a thousand and a million, so that it can be taken out again. */
const INSERTED = "inserted";

export const bare = new Hono<{ Bindings: BenchEnv; Variables: Variables }>();

bare.get("/bare/unlogged", (c) => c.json({ ok: true }));
bare.use(requestLog);
bare.get("/bare/json", (c) => c.json({ ok: true }));

/** Parses the certificate, its issuer and the CRL, and verifies the two signatures: the least that a check can do. */
bare.get("/bare/verify", async (c) => {
  const [leaf, issuer, list] = [c.req.header("eidas") ?? "", c.env.BENCH_ISSUER, c.env.BENCH_CRL].map(fromBase64);
  if (!leaf || !issuer || !list) return c.json({ ok: false }, 400);
  const { publicKey } = parseCertificate(issuer);
  const results = await Promise.all(
    [parseCertificate(leaf), parseCrl(list)].map(({ signatureAlgorithm: algorithm, tbs: data, signature }) =>
      verifySignature({ algorithm, publicKey, data, signature }),
    ),
  );
  return c.json({ ok: results.every((result) => result.ok) }, results.every((result) => result.ok) ? 200 : 500);
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
  await c.env.DB.prepare(INSERT).bind(id, kid, fiId, pspId, body.account_id, scope, clock.now(), expiresAt).run();
  return c.json({ expiresAt }, 201);
});

/** One sealing of what a CCG token holds. */
bare.post("/bare/seal", async (c) => {
  const { scope } = await c.req.json<{ eIDAS: string; scope: string }>();
  const { kid, ccgTokens } = readTokenKeys(c.env).newest;
  const grant = { fiId: 1, pspId: CONSENT_LESS.pspId, scope, services: [7, 8], exp: 1 };
  return c.json({ access_token: `${kid}.${toBase64Url(seal(ccgTokens, JSON.stringify(grant), kid))}` }, 201);
});

/** One read of a token's row. */
bare.get("/bare/tokens/:token", async (c) => {
  const [, id = ""] = c.req.param("token").split(".");
  const token = await findToken(c.env.DB, 1, id);
  return c.json({ token }, token ? 200 : 404);
});

/** The same for a token in a form. */
bare.post("/bare/introspect", async (c) => {
  const [, id = ""] = (new URLSearchParams(await c.req.text()).get("token") ?? "").split(".");
  const token = await findToken(c.env.DB, 1, id);
  return c.json({ token }, token ? 200 : 404);
});

/** One insert, over whichever table. */
bare.post("/rows", async (c) => {
  const [id, issuedAt] = [makeRecordId(clock.now()), clock.now()];
  const token = { ...CONSENT_LESS, id, accountId: INSERTED, issuedAt, codeIssuedAt: issuedAt };
  return c.json({ expiresAt: await insertToken(c.env.DB, token, LIFETIME_SECONDS) }, 201);
});

/** Takes out what was inserted: a table of a thousand stays one. */
bare.post("/rows/restore", async (c) => {
  await c.env.DB.prepare("DELETE FROM tokens WHERE fi_id = 1 AND account_id = ?1").bind(INSERTED).run();
  return c.body(null, 204);
});
