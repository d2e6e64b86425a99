/** POST /v1/psp/signatures in workerd: a PSP's seal, the PSP of the TLS connection, replays, and what is recorded. */
import "reflect-metadata";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { REMEMBERED_MS, takeRequestId } from "../../../../src/grants/request-ids.ts";
import type { Authority } from "../../../../src/sandbox/pki/authority.ts";
import { issueCrl } from "../../../../src/sandbox/pki/crl.ts";
import { type Answer, call } from "../../bank.ts";
import { loadSandbox, OTHER_FI } from "../../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp } from "../../trust/made-qtsp.ts";

const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const BODY = '{"amount":"1.00"}';

let keys: CryptoKeyPair;
let seal: string;
let web: string;
let otherWeb: string;

beforeAll(async () => {
  await loadSandbox();
  const crlUrl = "http://seals.test/0.crl";
  const qtsp: Authority = await makeQtsp({ organisation: "Seals", commonName: "Seals CA", crlUrl });
  const now = Date.now();
  const crl = await issueCrl(
    {
      ...{ revoked: [], revokedAt: new Date(now - 60_000), thisUpdate: new Date(now - 60_000) },
      nextUpdate: new Date(now + 86_400_000),
    },
    qtsp,
  );
  vi.stubGlobal("fetch", async (url: string) => {
    if (url === crlUrl) return new Response(crl.rawData);
    throw new TypeError("no such host");
  });
  await listQtsp(qtsp, "seals");
  keys = (await crypto.subtle.generateKey(P256, true, ["sign", "verify"])) as CryptoKeyPair;
  const psp = { organisation: "Amber Payments Ltd", commonName: "psp.test" };
  seal = eidasOf(await issuePsp(qtsp, { ...psp, type: "seal" }, keys));
  web = eidasOf(await issuePsp(qtsp, psp, keys));
  otherWeb = eidasOf(await issuePsp(qtsp, { ...psp, authNumber: "PSDXX-TEST-000002" }));
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const base64 = (bytes: ArrayBuffer) => Buffer.from(bytes).toString("base64");

/** A request that the PSP signs by RFC 9421. */
async function sign(requestId: string = crypto.randomUUID(), method = "POST") {
  const digest = `sha-256=:${base64(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(BODY)))}:`;
  const created = Math.floor(Date.now() / 1000);
  const input = `("@method" "@path" "content-digest" "x-request-id");created=${created};alg="ecdsa-p256-sha256"`;
  const lines = [
    `"@method": ${method}`,
    `"@path": /v1/payments`,
    `"content-digest": ${digest}`,
    `"x-request-id": ${requestId}`,
    `"@signature-params": ${input}`,
  ];
  const signature = await crypto.subtle.sign(P256, keys.privateKey, new TextEncoder().encode(lines.join("\n")));
  return {
    ...{ method, target: "/v1/payments", body: BODY, jurisdiction: "xx", eIDAS: seal },
    headers: {
      ...{ "Content-Digest": digest, "X-Request-ID": requestId },
      ...{ "Signature-Input": `psp=${input}`, Signature: `psp=:${base64(signature)}:` },
    },
  };
}

const ask = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  call("POST", "/v1/psp/signatures", { body, headers: { version: "latest", ...headers } });
const codesOf = ({ body }: Answer) => body.signature.problems.map(({ code }: { code: string }) => code);

test("a request that a PSP sealed is verified, with the check of its certificate", async () => {
  const answer = await ask(await sign());
  expect(answer.status).toBe(200);
  expect(answer.body.eIDAS.validity).toEqual({
    ...{ validQTSP: true, validSignature: true, notRevoked: true, notExpired: true },
  });
  expect(answer.body.decision.accounts).toEqual({ allowed: true, reasons: [] });
  expect(answer.body.signature).toEqual({
    ...{ profile: "rfc9421", covered: ["@method", "@path", "content-digest", "x-request-id"] },
    ...{ created: expect.any(String), verified: true, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), problems: [] },
  });
});

test("what was changed, a QWAC, a certificate of nobody, none at all", async () => {
  const changed = await ask({ ...(await sign()), method: "PUT" });
  expect(changed.body.signature.verified).toBe(false);
  expect(codesOf(changed)).toEqual(["signature_wrong"]);
  expect(codesOf(await ask({ ...(await sign()), body: "{}" }))).toEqual(["digest_differs"]);
  expect(codesOf(await ask({ ...(await sign()), eIDAS: web }))).toEqual(["certificate_no_seal"]);
  const none = await ask({ ...(await sign()), eIDAS: null });
  expect(Object.keys(none.body)).toEqual(["signature"]);
  expect(codesOf(none)).toEqual(["certificate_missing"]);
  expect(codesOf(await ask({ method: "GET", target: "/", headers: {}, jurisdiction: "xx" }))).toEqual([
    "signature_missing",
  ]);
});

test("the PSP of the TLS connection has to be the one that signed", async () => {
  expect(codesOf(await ask(await sign(), { eidas: web }))).toEqual([]);
  expect(codesOf(await ask(await sign(), { eidas: otherWeb }))).toEqual(["psp_differs"]);
});

test("a replay is refused if that is asked, also of two at once, and for each institution alone", async () => {
  const request = { ...(await sign()), replay: "refuse" };
  // a forgery takes no id
  expect(codesOf(await ask({ ...request, method: "PUT" }))).toEqual(["signature_wrong"]);
  const both = await Promise.all([ask(request), ask(request)]);
  expect(both.map(codesOf).toSorted((a, b) => a.length - b.length)).toEqual([[], ["replayed"]]);
  expect(codesOf(await ask(request))).toEqual(["replayed"]);
  // the same id in another request, too; not where it is not asked
  const { "X-Request-ID": id } = request.headers;
  expect(codesOf(await ask({ ...(await sign(id)), replay: "refuse" }))).toEqual(["replayed"]);
  expect(codesOf(await ask({ ...request, replay: undefined }))).toEqual([]);
  expect(codesOf(await ask(request, OTHER_FI))).toEqual([]);
});

test("an id is taken once for eleven minutes, and of each PSP alone", async () => {
  const now = Date.now();
  const id = { fiId: 1, pspId: "PSDXX-TEST-1", id: "x" };
  expect(await takeRequestId(env, id, now)).toBe(true);
  expect(await takeRequestId(env, id, now + REMEMBERED_MS - 1)).toBe(false);
  expect(await takeRequestId(env, { ...id, pspId: "PSDXX-TEST-2" }, now)).toBe(true);
});

test("the longest header of the Berlin Group is taken", async () => {
  const { headers, ...request } = await sign();
  const longer = { ...headers, "TPP-Explicit-Authorisation-Preferred": "false" };
  expect(codesOf(await ask({ ...request, headers: longer }))).toEqual([]);
});
