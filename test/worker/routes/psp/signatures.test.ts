/** POST /v1/psp/signatures in workerd: a PSP's seal, the PSP of the TLS connection, replays, and what is recorded. */
import { ALL_TRUE } from "../../../all-true.ts";
import "reflect-metadata";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { REMEMBERED_MS, rememberedUntil, takeRequestId } from "../../../../src/grants/request-ids.ts";
import type { Authority } from "../../../../src/sandbox/pki/authority.ts";
import { issueCrl } from "../../../../src/sandbox/pki/crl.ts";
import { type Answer, call } from "../../bank.ts";
import { Visitor } from "../../console/visitor.ts";
import { recordOf } from "../../evidence/ledger/records.ts";
import { loadSandbox, OTHER_FI } from "../../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp } from "../../trust/made-qtsp.ts";

const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const BODY = '{"amount":"1.00"}';

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]) };

let keys: CryptoKeyPair;
let rsa: CryptoKeyPair;
let seal: string;
let rsaSeal: string;
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
  rsa = (await crypto.subtle.generateKey({ ...RSA, modulusLength: 2048 }, true, ["sign", "verify"])) as CryptoKeyPair;
  rsaSeal = eidasOf(await issuePsp(qtsp, { ...psp, type: "seal" }, rsa));
  web = eidasOf(await issuePsp(qtsp, psp, keys));
  otherWeb = eidasOf(await issuePsp(qtsp, { ...psp, authNumber: "PSDXX-TEST-000002" }));
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const base64 = (bytes: ArrayBuffer) => Buffer.from(bytes).toString("base64");

/** A request that the PSP signs by RFC 9421. */
async function sign(requestId: string = crypto.randomUUID(), method = "POST", created = Math.floor(Date.now() / 1000)) {
  const digest = `sha-256=:${base64(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(BODY)))}:`;
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

/** As some banks have it since 1.3.4 of the Berlin Group: digest and id alone. */
async function signUndated(requestId: string = crypto.randomUUID()) {
  const digest = `SHA-256=${base64(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(BODY)))}`;
  const lines = new TextEncoder().encode(`digest: ${digest}\nx-request-id: ${requestId}`);
  const signature = base64(await crypto.subtle.sign(RSA, rsa.privateKey, lines));
  const Signature = `keyId="k",algorithm="rsa-sha256",headers="digest x-request-id",signature="${signature}"`;
  return {
    ...{ method: "POST", target: "/v1/payments", body: BODY, jurisdiction: "xx" },
    headers: { Digest: digest, "X-Request-ID": requestId, Signature, "TPP-Signature-Certificate": rsaSeal },
  };
}

/** A detached JWS of UK Open Banking over the body. */
async function signJws(body: string, iss: string, method = "POST") {
  const claim = (name: string) => `http://openbanking.org.uk/${name}`;
  const [iat, issuer, tan] = ["iat", "iss", "tan"].map(claim) as [string, string, string];
  const header = {
    alg: "ES256",
    crit: [iat, issuer, tan],
    [iat]: Math.floor(Date.now() / 1000),
    [issuer]: iss,
    [tan]: "x",
  };
  const [encoded, payload] = [JSON.stringify(header), body].map((text) => Buffer.from(text).toString("base64url"));
  const signature = await crypto.subtle.sign(P256, keys.privateKey, new TextEncoder().encode(`${encoded}.${payload}`));
  return {
    ...{ method, target: "/v1/payments", body, jurisdiction: "xx", eIDAS: seal },
    headers: { "x-jws-signature": `${encoded}..${Buffer.from(signature).toString("base64url")}` },
  };
}

const ask = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  call("POST", "/v1/psp/signatures", { body, headers: { version: "latest", ...headers } });
const codesOf = ({ body }: Answer) => body.signature.problems.map(({ code }: { code: string }) => code);

test("a request that a PSP sealed is verified, with the check of its certificate", async () => {
  const answer = await ask(await sign());
  expect(answer.status).toBe(200);
  expect(answer.body.eIDAS.validity).toEqual(ALL_TRUE);
  expect(answer.body.decision.accounts).toEqual({ allowed: true, reasons: [] });
  expect(answer.body.signature).toEqual({
    ...{ profile: "rfc9421", covered: ["@method", "@path", "content-digest", "x-request-id"] },
    ...{ created: expect.any(String), verified: true, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), problems: [] },
    ...{ binds: ["method", "target", "body"], issuer: null },
  });
});

test("the page of its record shows the verdict on the signature, and why not", async () => {
  const visitor = new Visitor();
  await visitor.signIn();
  const pageOf = async (answer: Answer) => {
    const { id } = await recordOf(answer);
    return (await visitor.get(`/console/evidence/${id}`)).text;
  };
  const right = await pageOf(await ask(await sign()));
  for (const words of [
    "signed a request, and was told yes.",
    "RFC 9421, an Internet standard",
    "what kind of request it is, its address, its body",
  ])
    expect(right).toContain(words);
  expect(right).toMatch(/The signature of the request <span class="state yes">/);
  const wrong = await pageOf(await ask({ ...(await sign()), body: "{}" }));
  expect(wrong).toContain("and was told no: The digest is not that of the body.");
  expect(wrong).toMatch(/The signature of the request <span class="state no">/);
  expect(await pageOf(await ask({ ...(await sign()), eIDAS: null }))).toContain(
    "Neither the request nor the caller has the certificate that signed.",
  );
  const found = await visitor.get("/console/evidence?outcome=digest_differs&act=psp.checked");
  expect(found.text).toContain("The digest is not that of the body");
});

test("what was changed, a QWAC, a certificate of nobody, none at all", async () => {
  const changed = await ask({ ...(await sign()), method: "PUT" });
  expect(changed.body.signature).toMatchObject({ verified: false, binds: [] });
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

test("an id is taken once for eleven minutes, and of each PSP alone; without an instant until the certificate ends", async () => {
  const now = Date.now();
  const id = { fiId: 1, pspId: "PSDXX-TEST-1", id: "x" };
  const until = rememberedUntil(now, now + 9 * REMEMBERED_MS, now);
  expect(until).toBe(now + REMEMBERED_MS);
  expect(rememberedUntil(null, now + 9 * REMEMBERED_MS, now)).toBe(now + 10 * REMEMBERED_MS);
  expect(await takeRequestId(env, id, until)).toBe(true);
  expect(await takeRequestId(env, id, until)).toBe(false);
  expect(await takeRequestId(env, { ...id, pspId: "PSDXX-TEST-2" }, until)).toBe(true);
});

test("a request of the Berlin Group without a date is verified, once where a replay is refused, and not where a date is asked", async () => {
  const request = { ...(await signUndated()), replay: "refuse" };
  const answer = await ask(request);
  expect(answer.body.signature).toMatchObject({
    profile: "berlin-group",
    created: null,
    binds: ["body"],
    problems: [],
  });
  expect(codesOf(await ask(request))).toEqual(["replayed"]);
  expect(codesOf(await ask({ ...(await signUndated()), require_date: true }))).toEqual([
    "covered_too_little",
    "date_missing",
  ]);
});

test("a signature over nothing is verified for no request", async () => {
  for (const method of ["GET", "DELETE"]) {
    const { body } = await ask(await signJws("", "PSDXX-TEST-000001", method));
    expect(body.signature).toMatchObject({ verified: false, binds: [], problems: [{ code: "covered_too_little" }] });
  }
});

test.each([
  ["PSDXX-TEST-000001", [], "same"],
  ["PSDXX-TEST-000002", ["issuer_differs"], "differs"],
  ["0015800001041REAAY/a-software-id", [], "not_comparable"],
])(
  "the iss %s of UK Open Banking is compared with the seal, or said to be of another form",
  async (iss, codes, issuer) => {
    const answer = await ask(await signJws(BODY, iss));
    expect({ codes: codesOf(answer), issuer: answer.body.signature.issuer }).toEqual({ codes, issuer });
    expect(answer.body.signature.binds).toEqual(codes.length === 0 ? ["body"] : []);
  },
);

test("an instant that no date has is outside, and no error of the service", async () => {
  const answer = await ask(await sign(crypto.randomUUID(), "POST", 8_640_000_000_001));
  expect([answer.status, answer.body.signature.created, codesOf(answer)]).toEqual([200, null, ["date_outside"]]);
});

test("the longest header of the Berlin Group is taken", async () => {
  const { headers, ...request } = await sign();
  const longer = { ...headers, "TPP-Explicit-Authorisation-Preferred": "false" };
  expect(codesOf(await ask({ ...request, headers: longer }))).toEqual([]);
});
