/** Answers signed by RFC 9421, verified by another library than the one that signs. */

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { app } from "../../../../src/app.ts";
import type { PublicSigningKey } from "../../../../src/evidence/signatures/signing-keys.ts";
import { ENDPOINTS } from "../../../../src/http/endpoints.ts";
import { OPERATION } from "../../../../src/routes/endpoints.ts";
import { FORMS_OF_1_6 } from "../../../../src/routes/v1_6/endpoints.ts";
import { identify } from "../../../raw-bank.ts";
import { SANDBOX_CREDENTIALS } from "../../../sandbox-fis.ts";
import { eidasHeader, loadSandbox } from "../../sandbox.ts";
import { type Received, verifyAnswer } from "./verify.ts";

beforeAll(loadSandbox);

// of RFC 8037 appendix A.1, made for nothing else
const PUBLIC_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
const PRIVATE_PART = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
const OLD_PUBLIC_KEY = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";
const NEWEST = `SIGNING_KEY_20260601T000000Z_${PUBLIC_KEY}`;

const bare = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("SIGNING_KEY_")));
const signing = {
  ...bare,
  [NEWEST]: PRIVATE_PART,
  [`SIGNING_KEY_20260101T000000Z_${OLD_PUBLIC_KEY}`]: "retired",
};
const always = { ...signing, SIGN_ANSWERS: "always" };

const identity = identify(SANDBOX_CREDENTIALS);
const CHECK = "http://service.test/v1/psp/eidas?jurisdiction=XX";
const ask = (url: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  new Request(url, { ...init, headers: { ...identity, eidas: eidasHeader("scenario-1"), ...headers } });

async function send(request: Request, bindings: object = signing): Promise<Received> {
  const answer = await app.fetch(request.clone(), bindings as Cloudflare.Env, createExecutionContext());
  return { status: answer.status, headers: answer.headers, content: new Uint8Array(await answer.arrayBuffer()) };
}

async function readKeys(bindings: object = signing): Promise<PublicSigningKey[]> {
  const { content } = await send(new Request("http://service.test/.well-known/jwks.json"), bindings);
  return JSON.parse(new TextDecoder().decode(content)).keys;
}

const PLAIN = { "Accept-Signature": 'sig1=("@status" "content-digest");created;keyid="any";tag="psp-gate"' };

describe.each([...ENDPOINTS, ...OPERATION])("$method $path", ({ method, path }) => {
  const url = `http://service.test${path.replaceAll(/\{\w+\}/g, "unknown")}`;
  const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" };

  test("is signed when the caller asks for it", async () => {
    const request = ask(url, { ...PLAIN, "Content-Type": "application/json" }, { method, ...body });
    const answer = await send(request);
    expect(answer.headers.get("Signature-Input")).toContain("sig1=(");
    expect(await verifyAnswer(request, answer, await readKeys())).toBe(true);
  });

  test("says that nothing on the way may compress it where it is signed, beside what it says otherwise", async () => {
    const directivesOf = async (headers: Record<string, string>) =>
      (await send(ask(url, { ...headers, "Content-Type": "application/json" }, { method, ...body }))).headers.get(
        "Cache-Control",
      );
    const unsigned = await directivesOf({});
    expect(unsigned ?? "").not.toContain("no-transform");
    expect(await directivesOf(PLAIN)).toBe(unsigned === null ? "no-transform" : `${unsigned}, no-transform`);
  });

  test("is signed always where the operator wants it, and never otherwise", async () => {
    const request = ask(url, { "Content-Type": "application/json" }, { method, ...body });
    expect((await send(request)).headers.has("Signature")).toBe(false);
    const answer = await send(request, always);
    // the keys are public, and their own document proves nothing by them
    if (path.startsWith("/.well-known/")) expect(answer.headers.has("Signature")).toBe(false);
    else expect(await verifyAnswer(request, answer, await readKeys())).toBe(true);
  });
});

describe.each(FORMS_OF_1_6)("$method $path of version 1.6", ({ method, path }) => {
  test("is signed as it was sent, with the certificate or CCG token under its name of then", async () => {
    const { version: _, ...caller } = identity;
    const sent = { "x-eidas": eidasHeader("scenario-1"), "x-ccg-token": "unknown", "Content-Type": "application/json" };
    const url = `http://service.test${path.replaceAll(/\{\w+\}/g, "unknown")}`;
    const asked = (headers: Record<string, string>) =>
      new Request(url, {
        headers: { ...caller, ...PLAIN, ...headers },
        ...{ method, body: method === "GET" ? null : "{}" },
      });
    const answer = await send(asked(sent), { ...signing, LEGACY_1_6: "true" });
    expect(answer.headers.has("Deprecation")).toBe(true);
    expect(answer.headers.get("Signature-Input")).toMatch(
      /"fi_reference_id";req "x-eidas";req "x-ccg-token";req\);created/,
    );
    const keys = await readKeys();
    expect(await verifyAnswer(asked(sent), answer, keys)).toBe(true);
    for (const name of ["x-eidas", "x-ccg-token"])
      expect(await verifyAnswer(asked({ ...sent, [name]: "other" }), answer, keys)).not.toBe(true);
  });
});

test("what the caller got is what was signed: any other status, content, request or id does not verify", async () => {
  const request = ask(CHECK, PLAIN);
  const answer = await send(request);
  const keys = await readKeys();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-evidence-id")).toMatch(/^[0-9a-z]{9}[\w-]{22}$/);
  expect(await verifyAnswer(request, answer, keys)).toBe(true);

  const changed = (name: string, value: string) => {
    const headers = new Headers(answer.headers);
    headers.set(name, value);
    return { ...answer, headers };
  };
  const content = answer.content.with(10, (answer.content[10] ?? 0) ^ 1);
  const others: [string, Request, Received][] = [
    ["status", request, { ...answer, status: 401 }],
    ["content", request, { ...answer, content }],
    ["evidence id", request, changed("x-evidence-id", "0".repeat(31))],
    ["content type", request, changed("Content-Type", "text/plain")],
    [
      "signed when",
      request,
      changed("Signature-Input", (answer.headers.get("Signature-Input") ?? "").replace(/created=1/, "created=2")),
    ],
    ["certificate", ask(CHECK, { ...PLAIN, eidas: eidasHeader("accounts-only") }), answer],
    ["jurisdiction", ask(CHECK.replace("XX", "DE"), PLAIN), answer],
    ["path", ask(CHECK.replace("eidas", "checks"), PLAIN), answer],
    ["version", ask(CHECK, { ...PLAIN, version: "latest" }), answer],
    ["institution", ask(CHECK, { ...PLAIN, fi_reference_id: "PSDXX-TEST-FI0002" }), answer],
  ];
  for (const [what, asked, received] of others)
    expect([what, await verifyAnswer(asked, received, keys)]).toEqual([what, expect.stringMatching(/./)]);
});

test("covers status, content type, content, evidence id and of the request what decides the answer, and no credential", async () => {
  const answer = await send(ask(CHECK, { "Accept-Signature": "whatever you have" }));
  expect(answer.headers.get("Signature-Input")).toMatch(
    /^psp-gate=\("@status" "content-type" "content-digest" "x-evidence-id" "@method";req "@path";req "@query";req "fi_reference_id";req "eidas";req "version";req\);created=\d+;keyid="20260601T000000Z";tag="psp-gate"$/,
  );
});

test.each([
  [
    "the label, the nonce and more components",
    'mine=("@authority";req "transaction_reference";req);nonce="n-1"',
    /^mine=\(.*"version";req "@authority";req "transaction_reference";req\).*nonce="n-1"/,
  ],
  ["no component twice", 'mine=("@status" "@path";req)', /^mine=\("@status" "content-type"(?!.*"@status").*\)/],
  [
    "a component that cannot be covered is left out",
    'mine=("@query-param";name="a" "x-nothing")',
    /^mine=\("@status".*"version";req\);created/,
  ],
  [
    "the first that can be satisfied",
    'a=("@status");alg="hmac-sha256", b=("@status");tag="other", c=("@status")',
    /^c=\(/,
  ],
  ["another key than the newest is not used", 'mine=("@status");keyid="20260101T000000Z"', /keyid="20260601T000000Z"/],
  ["a nonce that is too long is left out", `mine=("@status");nonce="${"n".repeat(129)}"`, /^mine=(?!.*nonce)/],
  ["no list of components", "mine=1", /^psp-gate=\(/],
])("Accept-Signature: %s", async (_, header, expected) => {
  const request = ask(CHECK, { "Accept-Signature": header, transaction_reference: "t-1" });
  const answer = await send(request);
  expect(answer.headers.get("Signature-Input")).toMatch(expected);
  expect(await verifyAnswer(request, answer, await readKeys())).toBe(true);
});

test("the digest of the request's content is covered if it is that", async () => {
  const body = JSON.stringify({ checks: [{ eIDAS: eidasHeader("scenario-1"), jurisdictions: ["XX"] }] });
  const digestOf = (text: string) => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`;
  const asked = async (header: Record<string, string>) => {
    const headers = { "Content-Type": "application/json", "Accept-Signature": 'a=("content-digest";req)', ...header };
    const request = ask("http://service.test/v1/psp/checks", headers, { method: "POST", body });
    const answer = await send(request);
    expect([answer.status, await verifyAnswer(request, answer, await readKeys())]).toEqual([200, true]);
    return answer.headers.get("Signature-Input")?.includes('"content-digest";req');
  };
  expect(await asked({ "Content-Digest": digestOf(body) })).toBe(true);
  expect(await asked({ "Content-Digest": digestOf(`${body} `) })).toBe(false);
  expect(await asked({ "Content-Digest": `${digestOf(body)}, sha-512=:AA==:` })).toBe(false);
});

test("the answer to a body that broke off is signed", async () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("closed")) });
  const headers = { "Content-Type": "application/json", "Content-Length": "9", ...PLAIN };
  const request = ask("http://service.test/v1/psp/checks", headers, { method: "POST", body });
  const answer = await app.fetch(request, signing as unknown as Cloudflare.Env, createExecutionContext());
  expect([answer.status, answer.headers.has("Signature")]).toEqual([400, true]);
});

test("a header that no signature can cover is not covered", async () => {
  const request = ask(CHECK, { ...PLAIN, eidas: "caf\u00e9" });
  const answer = await send(request);
  expect(answer.status).toBe(404);
  expect(answer.headers.get("Signature-Input")).not.toContain('"eidas"');
  expect(await verifyAnswer(request, answer, await readKeys())).toBe(true);
});

test("the keys: the newest signs, a retired one stays to be verified by, with the time of its end", async () => {
  expect(await readKeys()).toEqual([
    expect.objectContaining({
      kid: "20260101T000000Z",
      x: "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg",
      nbf: 1_767_225_600,
      exp: 1_780_272_000 + 300,
    }),
    {
      ...{ kty: "OKP", crv: "Ed25519", use: "sig", alg: "Ed25519", kid: "20260601T000000Z", nbf: 1_780_272_000 },
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    },
  ]);
});

test("without a key nothing is signed, and the list of keys is empty", async () => {
  const answer = await send(ask(CHECK, PLAIN), bare);
  expect([answer.status, answer.headers.has("Signature")]).toEqual([200, false]);
  expect(await readKeys(bare)).toEqual([]);
});

test("a newest key without its private part signs nothing", async () => {
  const answer = await send(ask(CHECK, PLAIN), { ...bare, [NEWEST]: "retired" });
  expect(answer.headers.has("Signature")).toBe(false);
});

test.each([
  ["a value", { [NEWEST]: "abc" }],
  ["a name", { SIGNING_KEY_newest: PRIVATE_PART }],
])("a key with %s that is none is an error of the configuration: 500, not an unsigned answer", async (_, secrets) => {
  const answer = await send(ask(CHECK, PLAIN), { ...bare, ...secrets });
  expect([answer.status, answer.headers.has("Signature")]).toEqual([500, false]);
});
