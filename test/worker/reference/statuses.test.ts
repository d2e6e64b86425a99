/**
 * Every operation and status of the document is met: one row for each, and no other. That the answer is as the document
 * says is checked of all answers (test/contract/checked.ts).
 */
import { env } from "cloudflare:workers";
import { operations } from "virtual:contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Answer } from "../bank.ts";
import * as bank from "../bank.ts";
import { emptyWatches, fillWatches } from "../events/full-watches.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { prepareGranted } from "../granted.ts";
import { type Change, ccgToken, send } from "../samples.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";

beforeAll(loadSandbox);
// GET /health keeps its answer for ten seconds
let now = Date.now();
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());
const later = () => {
  now += 11_000;
  vi.setSystemTime(now);
};

type Ask = (operation: string, version: string) => Promise<Answer>;
const withVersion = (change: Change, version: string): Change => ({
  ...change,
  headers: { version, ...change.headers },
});
const ACCOUNT = "account-4711";

const succeed: Ask = async (operation, version) => {
  if (operation.startsWith("PUT /v1/psp/watches/")) await emptyWatches();
  return (await prepareGranted(operation, { account: ACCOUNT }))({ headers: { version } });
};

/** A CCG token for the other scope; a code that is not known; a scope that there is not. */
const FORBIDDEN: Readonly<Record<string, () => Promise<Change>>> = {
  "POST /v1/oauth2/authorization_codes": async () => ({ body: bank.codeRequest({ scope: "all" }) }),
  "POST /v1/oauth2/tokens": async () => ({}),
  "POST /v1/obie/authorization_codes": async () => ({}),
  "POST /v1/obie/tokens": async () => ({}),
  "GET /v1/access": async () => ({
    query: "?scope=payments",
    headers: { access_token: await bank.obtainToken(ACCOUNT) },
  }),
  "PUT /v1/psp/watches/{authorisation_number}": async () => {
    await fillWatches();
    return { segment: "PSDXX-TEST-000002" };
  },
};
const wrongScope = async (operation: string): Promise<Change> => ({
  headers: { ccg_token: await ccgToken(operation.includes("payment") ? "accounts" : "payments") },
});

/** Looked up by no isolate yet, so that the database is asked. */
const UNKNOWN = { Authorization: SANDBOX_FI.Authorization.replace("Basic ", "bASic ") };
const throwing = (bindings: Cloudflare.Env): Cloudflare.Env =>
  new Proxy(bindings, {
    get: (target, name) => {
      if (name === "DB" || name === "REGISTER_MAX_AGE_HOURS_EBA") throw new Error("a fault of the service");
      return Reflect.get(target, name);
    },
  });
const fails = (change: Change): Ask => {
  return async (operation, version) => {
    later();
    vi.spyOn(console, "error").mockImplementation(() => {});
    return send(operation, withVersion(change, version));
  };
};

const BY_STATUS: Readonly<Record<string, Ask>> = {
  200: succeed,
  201: succeed,
  204: succeed,
  400: (operation) => send(operation, { headers: { version: undefined } }),
  401: (operation) => send(operation, { headers: { Authorization: undefined } }),
  403: async (operation, version) =>
    send(operation, withVersion(await (FORBIDDEN[operation] ?? (() => wrongScope(operation)))(), version)),
  404: (operation) =>
    operation.includes("{")
      ? send(operation, { segment: "%zz" })
      : send(operation, { headers: { version: undefined } }),
  405: (operation) => bank.call("PATCH", operation.replace(/^\w+ /, "").replaceAll(/\{\w+\}/g, "something")),
  429: (operation) =>
    send(operation, {
      headers: { "CF-Connecting-IP": "192.0.2.201" },
      env: { ...env, RATE_LIMIT_REQUESTS: 0 },
    }),
  500: fails({ headers: UNKNOWN, env: throwing(env) }),
  503: fails({ headers: UNKNOWN, env: { ...env, DB: failingDatabase(env.DB, () => true, "before") } }),
};

const ROWS = operations.flatMap(({ method, path, statuses }) =>
  Object.keys(statuses).map((status) => [`${method} ${path}`, Number(status)] as const),
);

describe.each(["1", "latest"])("version %s", (version) => {
  test.each(ROWS)("%s answers %i", async (operation, status) => {
    const ask = BY_STATUS[status];
    if (!ask) throw new Error(`no way to meet ${status}`);
    const answer = await ask(operation, version);
    expect(answer.status).toBe(status);
  });
});

test("the PSP check answers other certificates and countries as the document says", async () => {
  for (const certificate of Object.keys(env.TEST_CERTIFICATES))
    for (const jurisdiction of ["xx", "xy", "fi"])
      for (const version of ["1", "latest"]) {
        const headers = { eidas: eidasHeader(certificate), version };
        const answer = await bank.call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers });
        expect([certificate, jurisdiction, answer.status]).toEqual([certificate, jurisdiction, 200]);
      }
});
