/**
 * What somebody without credentials makes the service do before the 401: counted, in an isolate that knows nobody yet.
 * The tests stand in their order.
 */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import type { Authority } from "../../../src/sandbox/pki/authority.ts";
import { type Answer, call, codeRequest } from "../bank.ts";
import { countRoundTrips } from "../bindings.ts";
import { eidasHeader, loadSandbox, OTHER_FI, SANDBOX_FI } from "../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp } from "../trust/made-qtsp.ts";

/** A PSP's certificate and seven issuers, the last of which is on a list. Each names a CRL that cannot be fetched. */
let chain: string;

beforeAll(async () => {
  await loadSandbox();
  const authorities: Authority[] = [];
  for (let i = 7; i > 0; i--) {
    const names = { organisation: "Deep Ltd", commonName: `Deep ${i}`, pathLength: 100 };
    const crlUrl = `http://deep.invalid/${i}.crl`;
    authorities.unshift(await makeQtsp({ ...names, crlUrl }, authorities[0] ?? null));
  }
  const [issuer] = authorities;
  const anchor = authorities.at(-1);
  if (!issuer || !anchor) throw new Error("no authorities");
  const leaf = await issuePsp(issuer, { organisation: "Deep Payments Ltd", commonName: "deep.example" });
  chain = eidasOf(leaf, ...authorities.map(({ certificate }) => certificate));
  await listQtsp(anchor, "deep");
});

/** The longest answer that an endpoint could be made to think of, by a caller that nobody knows. */
const guess = (i: number, bindings: Cloudflare.Env): Promise<Answer> => {
  const headers = { Authorization: `Basic ${btoa(`guess-${i}:secret`)}`, eidas: chain };
  return i % 2 === 0
    ? call("GET", "/v1/psp/eidas?jurisdiction=xy", { headers, env: bindings })
    : call("POST", "/v1/oauth2/authorization_codes", { headers, body: codeRequest(), env: bindings });
};

/** Calls of each store while `ask` runs, and how many it waited for one after another. */
async function count<Result>(ask: (bindings: Cloudflare.Env) => Promise<Result>) {
  const { env: counted, trips } = countRoundTrips(env);
  const result = await ask(counted);
  const callsOf = (store: string) => trips.calls.filter((name) => name === store).length;
  return { result, kv: callsOf("KV"), d1: callsOf("DB"), rounds: trips.rounds };
}

const flood = (from: number) =>
  count((bindings) => Promise.all(Array.from({ length: 100 }, (_, i) => guess(from + i, bindings))));

/** Of one certificate: its issuer's name, three CRLs and an OCSP answer at most, and two registers. */
const MAX_READS_FOR_ONE_CERTIFICATE = 7;

test("in an isolate that knows nobody a hundred at once cause eight readings", async () => {
  const { result, kv, d1 } = await flood(0);
  expect(new Set(result.map(({ status }) => status))).toEqual(new Set([401]));
  expect(kv).toBeGreaterThan(0);
  expect(kv).toBeLessThanOrEqual(8 * MAX_READS_FOR_ONE_CERTIFICATE);
  expect(d1).toBe(100);
});

test("from then on an unknown caller causes no read of KV: the 401 costs one look into D1", async () => {
  const { result, kv, d1 } = await flood(100);
  expect(new Set(result.map(({ status }) => status))).toEqual(new Set([401]));
  expect({ kv, d1 }).toEqual({ kv: 0, d1: 100 });
});

test("an absurdly long Authorization header is not even looked up", async () => {
  const headers = { Authorization: `Basic ${btoa("x".repeat(40_000))}`, eidas: chain };
  const { result, kv, d1 } = await count((bindings) =>
    call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers, env: bindings }),
  );
  expect([result.status, kv, d1]).toEqual([401, 0, 0]);
});

test("meanwhile a bank that the isolate does not know waits for two rounds", async () => {
  const headers = { ...OTHER_FI, eidas: eidasHeader("scenario-9") };
  const { result, rounds } = await count((bindings) =>
    call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers, env: bindings }),
  );
  expect([result.status, rounds]).toEqual([200, 2]);
});

test("and one that it knows for one, also when its credentials must be looked up again", async () => {
  await call("GET", "/v1/oauth2/account/a/tokens");
  await flood(200);
  const headers = {
    Authorization: SANDBOX_FI.Authorization.replace("Basic", "basic"),
    eidas: eidasHeader("scenario-10"),
  };
  const { result, rounds, d1 } = await count((bindings) =>
    call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers, env: bindings }),
  );
  expect([result.status, rounds, d1]).toEqual([200, 1, 1]);
});

test("nothing is fetched from a QTSP before the caller is known, and nothing for one who stays unknown", async () => {
  const events: string[] = [];
  const fetching = vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
    events.push(`fetch ${new URL(url instanceof Request ? url.url : url).host}`);
    throw new TypeError("unreachable");
  });
  // D1 answers long after everything that could be read meanwhile was read
  const slow = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, property) {
        if (property === "bind") return (...values: unknown[]) => slow(target.bind(...values));
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          await scheduler.wait(100);
          events.push("D1");
          return Reflect.apply(value, target, args);
        };
      },
    });
  const bindings = {
    ...env,
    DB: new Proxy(env.DB, {
      get: (db, name) => (name === "prepare" ? (sql: string) => slow(db.prepare(sql)) : Reflect.get(db, name, db)),
    }),
  };
  expect((await guess(1_000, bindings)).status).toBe(401);
  expect(events).toEqual(["D1"]);
  const headers = { Authorization: SANDBOX_FI.Authorization.replace("Basic", "BASIC"), eidas: chain };
  const answer = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers, env: bindings });
  expect(answer.body.eIDAS.validity).toMatchObject({ validSignature: true, notRevoked: false });
  expect(events.slice(0, 3)).toEqual(["D1", "D1", "fetch deep.invalid"]);
  fetching.mockRestore();
  // written behind the answer, by the slow D1: else into what the next file of tests finds
  const noted = env.DB.prepare("SELECT 1 FROM shown_certificates WHERE source = 'deep'");
  await vi.waitUntil(async () => (await noted.first()) !== null, { timeout: 60_000 });
});
