import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signAnswer } from "../../../../src/evidence/signatures/answer-signature.ts";
import { parseSavedExchange, type SavedExchange } from "../../../../src/evidence/signatures/saved-exchange.ts";
import { type PublicSigningKey, publishKeys } from "../../../../src/evidence/signatures/signing-keys.ts";
import { verifyExchange } from "../../../../src/evidence/signatures/verify-exchange.ts";
import { FORMS_OF_1_6 } from "../../../../src/routes/v1_6/endpoints.ts";
import { findTool } from "../../../tools.ts";
import { verifiesByOpenssl } from "./openssl-verification.ts";
import { BODY, bytes, makeExchange, makeSigner, REQUEST, SIGNED_AT } from "./signed-exchange.ts";

/** Years later. */
const NOW = Date.parse("2031-01-01T00:00:00Z");

async function judge(keys: readonly PublicSigningKey[], file: Uint8Array | string, head?: Uint8Array | string) {
  const as = (text: Uint8Array | string) => (typeof text === "string" ? bytes(text) : text);
  const parsed = parseSavedExchange(as(file), head === undefined ? undefined : as(head));
  return parsed.ok ? await verifyExchange(parsed, keys, NOW) : parsed;
}

const made = await makeExchange();
const proven = {
  ok: true,
  kid: "20260601T000000Z",
  target: "/v1/psp/eidas?jurisdiction=FI",
  signedAt: SIGNED_AT,
  evidenceId: "0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ",
  nonce: null,
};
const json = (
  change: (saved: {
    request: typeof REQUEST;
    response: { body: string; headers: object; status: number };
  }) => void = () => {},
) => {
  const saved = { request: structuredClone(REQUEST), response: { status: 200, headers: made.headers, body: BODY } };
  change(saved);
  return JSON.stringify(saved);
};

describe("a saved exchange is proven", () => {
  test.each([
    ["request and answer in one file", () => [made.head + made.answer] as const],
    ["two files", () => [made.answer, made.head] as const],
    ["lines without carriage returns", () => [(made.head + made.answer).replaceAll("\r\n", "\n")] as const],
    [
      "what curl -v marks",
      () =>
        [
          made.answer,
          `* Connected to gate.bank.example\n${made.head.replaceAll("\r\n", "\r\n> ").replace(/^/, "> ")}\r\n< HTTP/2 200\n`,
        ] as const,
    ],
    ["JSON", () => [json()] as const],
    [
      "what curl prints through a proxy, and of an interim answer",
      () =>
        [
          `HTTP/1.1 200 Connection established\r\nVia: proxy\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${made.answer}`,
          `> CONNECT gate.bank.example:443 HTTP/1.1\r\n> Host: gate.bank.example:443\r\n> \r\n${made.head.replaceAll("\r\n", "\r\n> ").replace(/^/, "> ")}`,
        ] as const,
    ],
    [
      "beside a header that no signature can cover",
      () => [made.head.replace("Host:", "User-Agent: B\u00e4nk\r\nHost:") + made.answer] as const,
    ],
  ])("%s", async (_, files) => {
    const [file, head] = files();
    expect(await judge(made.keys, file, head)).toEqual(proven);
  });

  test.each([
    ["as it was sent", "/v1/psp/eidas?jurisdiction=FI&note='a'", "/v1/psp/eidas?jurisdiction=FI&note='a'"],
    ["normalised", "/v1/psp/eidas?jurisdiction=FI&note='a'", "/v1/psp/eidas?jurisdiction=FI&note=%27a%27"],
    ["as another path than a browser would ask for", "/v1/../v1/psp/eidas", "/v1/../v1/psp/eidas"],
  ])("whose target the service received %s, and says which was signed", async (_, sent, target) => {
    const { signer, named } = makeSigner();
    // the runtime gives a Worker the target as it is; Node's Request would normalise it
    const request = { method: "GET", url: `https://gate.bank.example${target}`, headers: new Headers() } as Request;
    const exchange = { request, status: 200, headers: new Headers(), content: bytes("{}") };
    const lines = Object.entries(signAnswer(exchange, signer, SIGNED_AT)).map(([name, value]) => `${name}: ${value}`);
    const file = [`GET ${sent} HTTP/1.1`, "Host: gate.bank.example", "", "HTTP/1.1 200 OK", ...lines, "", "{}"].join(
      "\n",
    );
    expect(await judge(publishKeys([named]), file)).toEqual({ ...proven, target, evidenceId: null });
  });

  test("with the nonce that the bank chose", async () => {
    const { head, answer, keys } = await makeExchange('bank=("@status");nonce="n-1"');
    expect(await judge(keys, head + answer)).toEqual({ ...proven, nonce: "n-1" });
  });

  test("by a key that was named by a clock five minutes ahead of the service's", async () => {
    const keys = made.keys.map((key) => ({ ...key, nbf: SIGNED_AT / 1000 + 300 }));
    expect(await judge(keys, made.head + made.answer)).toEqual(proven);
  });

  test("by a key that has retired since", async () => {
    const keys = publishKeys([
      ...made.keys.map(({ kid, x, nbf }) => ({ kid, x, madeAt: nbf })),
      makeSigner("20260611T000000Z", SIGNED_AT / 1000 + 43_200).named,
    ]);
    expect(await judge(keys, made.head + made.answer)).toEqual(proven);
  });
});

describe("a saved exchange is not proven", () => {
  const [key] = made.keys;
  test.each([
    ["an unsigned answer", made.answer.replace(/^Signature: .*\r\n/m, ""), made.keys, "it is not signed"],
    ["other content", made.answer.replace("true", "false"), made.keys, "the content is not what was signed"],
    ["no digest", made.answer.replace(/^Content-Digest: .*\r\n/m, ""), made.keys, "the header says nothing"],
    ["another status", made.answer.replace("HTTP/2 200", "HTTP/2 401"), made.keys, "one of them was changed"],
    ["no evidence id", made.answer.replace(/^x-evidence-id: .*\r\n/m, ""), made.keys, "Missing field x-evidence-id"],
    ["an unknown key", made.answer, [], "the key 20260601T000000Z is not among the given keys"],
    ["another key of that id", made.answer, publishKeys([makeSigner().named]), "one of them was changed"],
    [
      "before the key was made",
      made.answer,
      [{ ...key, nbf: SIGNED_AT / 1000 + 301 }],
      "did not sign at 2026-06-10T12:00:00.000Z",
    ],
    [
      "after the key retired",
      made.answer,
      [{ ...key, exp: SIGNED_AT / 1000 - 1 }],
      "did not sign at 2026-06-10T12:00:00.000Z",
    ],
    [
      "a signature for something else",
      made.answer.replace('tag="psp-gate"', 'tag="other"'),
      made.keys,
      "one of them was changed",
    ],
    ["no readable signature", made.answer.replace(/^Signature: .*/m, "Signature: x"), made.keys, "cannot be checked"],
  ])("%s", async (_, answer, keys, reason) => {
    expect(await judge(keys as PublicSigningKey[], made.head + answer)).toEqual({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });

  test("a time of signature that is still to come", async () => {
    const parsed = parseSavedExchange(bytes(made.head + made.answer));
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(await verifyExchange(parsed, made.keys, SIGNED_AT - 300_000)).toEqual(proven);
    expect(await verifyExchange(parsed, made.keys, SIGNED_AT - 300_001)).toEqual({
      ok: false,
      reason: "it was signed at 2026-06-10T12:00:00.000Z, which is still to come",
    });
  });

  test.each([
    ["method", "GET /v1", "DELETE /v1"],
    ["path", "/v1/psp/eidas", "/v1/psp/other"],
    ["query", "jurisdiction=FI", "jurisdiction=SE"],
    ["institution", "PSDFI-FINFSA-0001", "PSDFI-FINFSA-0002"],
    ["certificate", "MIIEcert", "MIIEother"],
    ["version", "version: latest", "version: 1"],
  ])("another %s than was asked about", async (_, from, to) => {
    expect(made.head).toContain(from);
    expect(await judge(made.keys, made.head.replace(from, to) + made.answer)).toMatchObject({ ok: false });
  });

  test("a header that decides and was not signed: the answer was to a request without it", async () => {
    const head = made.head.replace("Host:", "ccg_token: forged\r\nHost:");
    expect(await judge(made.keys, head + made.answer)).toEqual({
      ok: false,
      reason: expect.stringContaining("does not cover what it must"),
    });
  });

  test("a header that decides beside a line of it that no signature can cover", async () => {
    const head = made.head.replace("Host:", "version: \u00e9\r\nHost:");
    expect(await judge(made.keys, head + made.answer)).toMatchObject({ ok: false });
  });

  describe("in the form of version 1.6", () => {
    const { signer, named } = makeSigner();
    type Headers16 = Record<string, string>;
    const judgeSent = (asked: Headers16, sent: Headers16, url: string, status = 200) => {
      const request = new Request(url, { headers: asked });
      const exchange = { request, status, headers: new Headers(), content: bytes("{}") };
      const headers = signAnswer(exchange, signer, SIGNED_AT);
      const saved = { request: { method: "GET", url, headers: sent }, response: { status, headers, body: "{}" } };
      return judge(publishKeys([named]), JSON.stringify(saved));
    };
    const [fi, eidas] = [{ fi_reference_id: "PSDFI-FINFSA-0001" }, { "x-eidas": "MIIE" }];
    const urls = FORMS_OF_1_6.map(({ path }) => `https://gate.bank.example${path.replace("{token}", "unknown")}`);

    test.each(urls)("a header of then that was not signed, or is another one: %s", async (url) => {
      expect(await judgeSent({ ...fi, ...eidas }, { ...fi, ...eidas }, url)).toMatchObject({ ok: true });
      expect(await judgeSent({ ...fi, ...eidas }, { ...fi, "x-eidas": "MIIF" }, url)).toMatchObject({ ok: false });
      expect(await judgeSent(fi, { ...fi, ...eidas }, url)).toEqual({
        ok: false,
        reason: expect.stringContaining("does not cover what it must"),
      });
    });

    test("elsewhere nobody reads such a header", async () => {
      expect(await judgeSent(fi, { ...fi, ...eidas }, REQUEST.url)).toMatchObject({ ok: true });
    });
  });

  test.each([
    ["nothing", "", "there is no request"],
    ["no answer", made.head, "there is no answer"],
    ["broken JSON", "{", "expected is JSON"],
    ["JSON without a request", "{}", "request has no method and absolute url"],
    [
      "JSON with a relative url",
      json((saved) => Object.assign(saved.request, { url: "/v1/psp/eidas" })),
      "absolute url",
    ],
    [
      "JSON with a body that was parsed",
      json((saved) => Object.assign(saved.response, { body: {} })),
      "a body that is no text",
    ],
    ["JSON without a status", json((saved) => Object.assign(saved.response, { status: "200" })), "no status"],
    // `new URL` begins the path at the backslash, RFC 9421 after it
    [
      "a Host with a path",
      made.head.replace("example\r", "example\\\r") + made.answer,
      "not where a request can be sent",
    ],
    ["an empty Host", made.head.replace(/Host: .*?\r/, "Host:\r") + made.answer, "not where a request can be sent"],
    [
      "JSON with a url whose path is elsewhere to others",
      json((saved) => Object.assign(saved.request, { url: "https://gate.bank\\example/v1/psp/eidas" })),
      "absolute url",
    ],
  ])("a file that cannot be read: %s", async (_, file, reason) => {
    expect(await judge(made.keys, file)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});

/** All that an exchange says of what was asked and answered; lines that decide nothing are left out. */
function whatCounts({ request, answer }: SavedExchange) {
  const { pathname, search } = new URL(request.url);
  const of = (fields: SavedExchange["request"]["headers"], ...names: string[]) =>
    names.map((name) =>
      fields
        .filter((each) => each.name === name)
        .map(({ value }) => value)
        .join(", "),
    );
  return [
    ...[request.method, pathname, search, ...of(request.headers, "fi_reference_id", "eidas", "ccg_token", "version")],
    ...[answer.status, Buffer.from(answer.content).toString("hex")],
    ...of(answer.headers, "content-type", "content-digest", "x-evidence-id"),
  ];
}

test.each(["headers", [1], { version: null }, { version: ["1"] }, { version: { toString: 0 } }])(
  "headers of JSON that are %j are refused",
  (headers) => {
    const saved = (request: unknown, answer: unknown) => ({
      request: { method: "GET", url: REQUEST.url, headers: request },
      response: { status: 200, headers: answer },
    });
    expect(parseSavedExchange(bytes(JSON.stringify(saved({ version: "1" }, undefined))))).toMatchObject({ ok: true });
    for (const file of [saved(headers, {}), saved({}, headers)])
      expect(parseSavedExchange(bytes(JSON.stringify(file)))).toMatchObject({
        reason: expect.stringContaining("headers are no texts by name"),
      });
  },
);

test("whatever single byte of the file is changed, it is found, or says nothing of what was asked and answered", async () => {
  const file = bytes(made.head + made.answer);
  const original = parseSavedExchange(file);
  if (!original.ok) throw new Error(original.reason);
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (place, change) => {
      const altered = file.with(place, (file[place] ?? 0) ^ change);
      const parsed = parseSavedExchange(altered);
      const verdict = parsed.ok ? await verifyExchange(parsed, made.keys, NOW) : parsed;
      if (!verdict.ok) found++;
      else if (parsed.ok) expect(whatCounts(parsed)).toEqual(whatCounts(original));
    }),
    { numRuns: 1_500 },
  );
  expect(found).toBeGreaterThan(500);
});

const openssl = findTool("openssl");
test.runIf(openssl)("OpenSSL verifies the signature over the signature base, written by hand", () => {
  const base = [
    '"@status": 200',
    '"content-type": application/json',
    `"content-digest": ${made.headers["Content-Digest"]}`,
    `"x-evidence-id": ${made.headers["x-evidence-id"]}`,
    '"@method";req: GET',
    '"@path";req: /v1/psp/eidas',
    '"@query";req: ?jurisdiction=FI',
    ...Object.entries(REQUEST.headers).map(([name, value]) => `"${name}";req: ${value}`),
    `"@signature-params": ${made.headers["Signature-Input"]?.replace("bank=", "")}`,
  ].join("\n");
  const signature = Buffer.from(made.headers["Signature"]?.replace(/^bank=:|:$/g, "") ?? "", "base64");
  const verifies = (signed: string) => verifiesByOpenssl(openssl ?? "", made.publicKey, signed, signature);
  expect([verifies(base), verifies(`${base} `)]).toEqual([true, false]);
});

describe("an answer that was compressed on its way", () => {
  const code: Readonly<Record<string, (content: Uint8Array) => Uint8Array>> = {
    gzip: gzipSync,
    "x-gzip": gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
    identity: (content) => content,
    "gzip, br": (content) => brotliCompressSync(gzipSync(content)),
  };
  const [head = ""] = made.answer.split("\r\n\r\n");
  const saved = (coding: string, content: Uint8Array) =>
    Buffer.concat([bytes(`${made.head}${head}\r\nContent-Encoding: ${coding}\r\n\r\n`), content]);

  test.each(Object.keys(code))("by %s is proven as it was received", async (coding) => {
    expect(await judge(made.keys, saved(coding, code[coding]?.(bytes(BODY)) ?? bytes("")))).toEqual(proven);
  });

  test("is proven, too, where what saved it decoded it and left the header, as curl --compressed does", async () => {
    expect(await judge(made.keys, saved("gzip", bytes(BODY)))).toEqual(proven);
  });

  test.each([
    [
      "of another content",
      "gzip",
      gzipSync(bytes(BODY.replace("true", "null"))),
      /decoded by its Content-Encoding sha-256=/,
    ],
    ["that is none", "br", bytes("no brotli"), /it is not in its Content-Encoding br/],
    ["of a coding that nobody knows", "constructor", bytes("?"), /its Content-Encoding constructor is not known here/],
    ["of gigabytes", "gzip", gzipSync(Buffer.alloc(65 * 1024 ** 2)), /it is not in its Content-Encoding gzip/],
  ])("%s is not", async (_, coding, content, reason) => {
    expect(await judge(made.keys, saved(coding, content))).toMatchObject({
      ok: false,
      reason: expect.stringMatching(reason),
    });
  });
});
