/**
 * A bare Hono Worker with zod: what a start and a first request cost at least. Its check makes the same calls to the stores
 * as a PSP check in a fresh isolate, in one round: the FI in D1, anchors, a CRL and three registers in KV, and in the
 * background, once the answer is on its way, the report to the Durable Object of the IP; but not what the ledger, evidence and events do behind the
 * answer, which the processor time of the service has and its time has not. Its redemption does that, then reads and writes a Durable Object,
 * then a batch of three statements.
 */
import { Hono } from "hono";
import { validator } from "hono/validator";
import * as z from "zod";
import type { BareRecord } from "./bare-record.ts";

export { BareRecord } from "./bare-record.ts";

interface StartEnv extends Env {
  BARE_RECORD: DurableObjectNamespace<BareRecord>;
}

const text = z.string().min(1).max(512);
const request = z.object({ account_id: text, client_request_query_parameters: z.object({ code: text }) });
const INSERT = `
  INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at)
  VALUES (?1, 'bench', 1, 'PSDXX-TEST-000001', ?2, 'accounts', ?3, ?4)`;
const END = "UPDATE core_permissions SET last_token_at = ?2 WHERE fi_id = 1 AND account_id = ?1";
const LIFETIME_MS = 3_600_000;

const worker = new Hono<{ Bindings: StartEnv }>();
export default worker;

const REGISTER_KEYS = [
  ...["nca", "credit-institutions", "eba"].flatMap((source) => [
    `register/manifest/XX/${source}`,
    `register/XX/${source}/psp/PSDXXTEST000001`,
  ]),
  "register/manifest/XX/agents",
];

async function read({ DB, KV, BARE_RECORD }: StartEnv, fiReferenceId: string, address: string) {
  const [fi, anchors, crl, registers] = await Promise.all([
    DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1")
      .bind(fiReferenceId)
      .first<number>("id"),
    KV.get(["trust/anchors/bare"]),
    KV.get("revocation/crls/bare"),
    KV.get(REGISTER_KEYS),
  ]);
  // the answer goes first
  const reported = scheduler.wait(0).then(() => BARE_RECORD.getByName(address).update({ requests: 1 }));
  return { answer: { fi, anchors: [...anchors], crl, registers: [...registers] }, reported };
}

worker.get("/bare/check", async (c) => {
  const { fi_reference_id = "", "cf-connecting-ip": address = "" } = c.req.header();
  const { answer, reported } = await read(c.env, fi_reference_id, address);
  c.executionCtx.waitUntil(reported);
  return c.json(answer);
});

worker.post("/bare/record", async (c) => {
  const id = c.env.BARE_RECORD.newUniqueId();
  await c.env.BARE_RECORD.get(id).write({ accountId: "bench" });
  return c.json({ code: `${id}` }, 201);
});

worker.post(
  "/bare/exchange",
  validator("json", (body) => request.parse(body)),
  async (c) => {
    const { account_id, client_request_query_parameters } = c.req.valid("json");
    const { fi_reference_id = "", "cf-connecting-ip": address = "" } = c.req.header();
    const { reported } = await read(c.env, fi_reference_id, address);
    c.executionCtx.waitUntil(reported);
    const [id, now] = [crypto.randomUUID(), Date.now()];
    const { BARE_RECORD, DB } = c.env;
    await BARE_RECORD.get(BARE_RECORD.idFromString(client_request_query_parameters.code)).update({ tokenId: id });
    await DB.batch([
      DB.prepare(INSERT).bind(id, account_id, now, now + LIFETIME_MS),
      DB.prepare(END).bind(account_id, now),
      DB.prepare(END).bind(id, now),
    ]);
    return c.json({ id }, 201);
  },
);
