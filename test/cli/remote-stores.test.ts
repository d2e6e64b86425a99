/** `--remote` against an API as Cloudflare has it: the stores are those of the deployed Worker, for wrangler.toml has no ids. */
import "./own-state.ts";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runAdmin } from "./admin-command.ts";

const BINDINGS = [
  { type: "kv_namespace", name: "KV", namespace_id: "id-of-kv" },
  { type: "d1", name: "DB", id: "id-of-db", database_id: "id-of-db" },
  { type: "durable_object_namespace", name: "LEDGER", class_name: "Ledger", namespace_id: "another" },
  { type: "secret_text", name: "TOKEN_KEY_20260101T000000Z" },
];
const WORKER = "/accounts/account/workers/scripts/psp-gate-staging";

/** What wrangler would run with the deployed stores: here it ends. */
const bound: unknown[] = [];
const server = createServer(async (request, response) => {
  const body = await text(request);
  const answers: Readonly<Record<string, unknown>> = {
    [`GET ${WORKER}/deployments`]: {
      deployments: [{ id: "deployment", versions: [{ version_id: "v", percentage: 100 }] }],
    },
    [`GET ${WORKER}/versions/v`]: { id: "v", resources: { bindings: BINDINGS } },
    "GET /accounts/account/workers/subdomain/edge-preview": { token: "token" },
    "GET /accounts/account/workers/subdomain": { subdomain: "team" },
  };
  const result = answers[`${request.method} ${request.url}`];
  if (request.url?.endsWith("/psp-gate-staging/edge-preview")) {
    const [metadata = "{}"] = /^\{"main_module".*\}\r?$/m.exec(body) ?? [];
    bound.push(...JSON.parse(metadata).bindings);
  }
  response.writeHead(result ? 200 : 400, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ success: result !== undefined, errors: [], messages: [], result: result ?? null }));
});

beforeAll(async () => void (await once(server.listen(0, "127.0.0.1"), "listening")));
afterAll(() => void server.close());

test("each command asks the deployed Worker which stores it has", async () => {
  const { port } = server.address() as AddressInfo;
  const api = {
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
    ...{ CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_ACCOUNT_ID: "account" },
  };
  const { stderr } = await runAdmin(api, "fi", "list", "--env", "staging");
  expect(stderr).not.toContain('must have an "id" field');
  const stores = bound.filter((binding) => ["kv_namespace", "d1"].includes(Reflect.get(Object(binding), "type")));
  expect(stores).toEqual([
    expect.objectContaining({ name: "KV", namespace_id: "id-of-kv" }),
    expect.objectContaining({ name: "DB", id: "id-of-db" }),
  ]);
});

test("who is not signed in to Cloudflare is told how, without wrangler's own advice", {
  timeout: 120_000,
}, async () => {
  const nobody = { CLOUDFLARE_API_TOKEN: "", XDG_CONFIG_HOME: "/nonexistent", HOME: "/nonexistent" };
  const { code, stderr } = await runAdmin(nobody, "fi", "list", "--remote");
  expect([code, stderr]).toEqual([
    ...[3, "error: not signed in to Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN\n"],
  ]);
});
