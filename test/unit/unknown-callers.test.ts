/**
 * How many certificates are parsed for somebody without credentials, counted; what is read of the stores is counted in
 * test/worker/http/unknown-callers.test.ts. Here they are empty.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scheduler } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { app } from "../../src/app.ts";
import { parseCertificate } from "../../src/x509/certificate.ts";

vi.mock("../../src/x509/certificate.ts", { spy: true });
// of the Worker's runtime
Object.assign(globalThis, { scheduler });
vi.spyOn(console, "log").mockImplementation(() => {});

const nobody = { bind: () => nobody, first: async () => null };
const env = {
  RATE_LIMIT_REQUESTS: 15_000,
  BASE_URL: "",
  TOKEN_KEY_20990101T000000Z: Buffer.alloc(32).toString("base64url"),
  RATE_WINDOW: { getByName: () => ({ add: async (counts: object) => counts }) },
  DB: { prepare: () => nobody },
  KV: { get: async (keys: string | string[]) => (Array.isArray(keys) ? new Map() : null) },
} as unknown as Env;
const ctx = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;

const [leaf = "", issuer = ""] =
  readFileSync(join(import.meta.dirname, "../../fixtures/certificates/chain-valid.pem"), "utf8").match(
    /-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g,
  ) ?? [];
/** A certificate and seven more. */
const chain = encodeURIComponent([leaf, ...Array.from({ length: 7 }, () => issuer)].join("\n"));

const ask = (client: number, method: string, path: string) => {
  const headers = {
    ...{ Authorization: `Basic ${btoa(`guess-${client}:secret`)}`, fi_reference_id: "PSDXX-TEST-FI0001" },
    ...{ version: "1", eidas: chain, ccg_token: "a.b", "Content-Type": "application/json" },
  };
  return app.fetch(new Request(`http://service.test${path}`, { method, headers }), env, ctx);
};
const PATHS: [method: string, path: string][] = [
  ["GET", "/v1/psp/eidas?jurisdiction=xy"],
  ["POST", "/v1/oauth2/authorization_codes"],
  ["POST", "/v1/oauth2/tokens"],
  ["GET", "/v1/oauth2/tokens/x"],
  ["POST", "/v1/obie/ccg_tokens"],
  ["POST", "/v1/obie/tokens"],
];

test("a hundred unknown callers at once, with eight certificates each, make it parse eight; those after them none", async () => {
  const flood = async (from: number) => {
    const asked = Array.from({ length: 100 }, (_, i) => ask(from + i, ...(PATHS[i % PATHS.length] ?? ["GET", "/"])));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([401]));
  };
  await flood(0);
  expect(vi.mocked(parseCertificate).mock.calls.length).toBeGreaterThan(0);
  expect(vi.mocked(parseCertificate).mock.calls.length).toBeLessThanOrEqual(8);
  vi.mocked(parseCertificate).mockClear();
  await flood(100);
  expect(parseCertificate).not.toHaveBeenCalled();
});
