/** What a verified signature binds: of each profile, no other method, target or body passes as the same unless `binds` lacks it. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import {
  type Description,
  METHOD,
  readDescription,
  TARGET,
} from "../../../../src/psp-check/signed-request/described-request.ts";
import {
  CREATED,
  digestOf,
  IAT,
  ISS,
  jades,
  jadesLines,
  judge,
  makeSigner,
  REQUEST_ID,
  type Signer,
  signCavage,
  signJws,
  signRfc9421,
  TAN,
  UK,
} from "./signing.ts";

let p256: Signer;
let ed25519: Signer;
beforeAll(async () => {
  [p256, ed25519] = await Promise.all([makeSigner("p256"), makeSigner("ed25519")]);
});

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly body: string;
}

const sealed = (body: string) => ({ digest: `SHA-256=${digestOf(body)}`, "x-request-id": REQUEST_ID });
const BERLIN = ["digest", "x-request-id", "psu-id", "date"];
const STET = "https://psp.example/seal";
const overBody = { alg: "EdDSA", sigT: "2026-11-24T12:00:00Z" };
const cavage = (sent: Sent, names: readonly string[], more: object = {}) =>
  signCavage(ed25519, { ...sent, algorithm: "ed25519", names, ...more });
const overHeaders = (sent: Sent, header: object) => {
  const headers = sealed(sent.body);
  return signJws(ed25519, { ...header }, { ...sent, headers, payload: jadesLines({ ...sent, headers }) });
};
const rfc = (fields: readonly string[]) => (sent: Sent) =>
  signRfc9421(p256, "ecdsa-p256-sha256", {
    fields: [...fields, "content-digest", "x-request-id"],
    ...{ method: sent.method, url: `https://bank.example${sent.target}`, body: sent.body },
  });

const ALL = ["method", "target", "body"];
/** What each signs, and what that binds of a request with a body. */
const PROFILES: readonly (readonly [
  name: string,
  profile: string,
  binds: readonly string[],
  sign: (sent: Sent) => Description | Promise<Description>,
])[] = [
  ["Berlin Group", "berlin-group", ["body"], (sent) => cavage(sent, BERLIN)],
  [
    "Berlin Group without a date",
    "berlin-group",
    ["body"],
    (sent) => {
      const { headers, ...request } = cavage(sent, ["digest", "x-request-id", "psu-id"]);
      const { date: _, ...undated } = headers;
      return { ...request, headers: undated };
    },
  ],
  ["Berlin Group with its target", "berlin-group", ALL, (sent) => cavage(sent, ["(request-target)", ...BERLIN])],
  ["STET", "stet", ALL, (sent) => cavage(sent, ["(request-target)", ...BERLIN], { keyId: STET })],
  ["RFC 9421, @target-uri", "rfc9421", ALL, rfc(["@method", "@target-uri"])],
  ["RFC 9421, @path and @query", "rfc9421", ALL, rfc(["@method", "@path", "@query"])],
  ["RFC 9421, @path", "rfc9421", ALL, rfc(["@method", "@path"])],
  ["UK Open Banking", "uk-open-banking", ["body"], (sent) => signJws(ed25519, { ...UK, alg: "EdDSA" }, sent)],
  [
    "UK Open Banking, payload encoded",
    "uk-open-banking",
    ["body"],
    (sent) => signJws(ed25519, { ...UK, alg: "EdDSA", b64: undefined, crit: [IAT, ISS, TAN] }, sent),
  ],
  ["JAdES over the body", "jades", ["body"], (sent) => signJws(ed25519, overBody, sent)],
  ["JAdES over headers", "jades", ALL, (sent) => overHeaders(sent, jades(ed25519, { alg: "EdDSA" }))],
];

const certificateOf = (profile: string) => (profile === "rfc9421" ? p256 : ed25519).certificate;
const SENT: Sent = { method: "POST", target: "/v1/payments?x=1", body: '{"amount":"1.00"}' };

test.each(PROFILES)("%s: what it binds", async (_, profile, binds, sign) => {
  // no query is covered by @path alone
  const sent = binds === ALL ? { ...SENT, target: "/v1/payments" } : SENT;
  expect(await judge(await sign(sent), certificateOf(profile))).toMatchObject({ profile, codes: [], binds });
});

test("a JWS over an empty body covers nothing of the request", async () => {
  const empty = { method: "DELETE", target: "/v1/consents/1", body: "" };
  for (const header of [{ ...UK, alg: "EdDSA" }, { alg: "EdDSA", iat: CREATED }, overBody]) {
    const { codes } = await judge(signJws(ed25519, header, empty), ed25519.certificate);
    expect(codes).toEqual(["covered_too_little"]);
    // nor is it one of the request without a body, as it was described
    const { body: _, ...bodiless } = signJws(ed25519, header, empty);
    expect((await judge(bodiless, ed25519.certificate)).codes).toEqual(["covered_too_little"]);
  }
  // over headers it covers the target, and that there is no body
  const headers = { "x-request-id": REQUEST_ID };
  const lines = `(request-target): delete /v1/consents/1\nx-request-id: ${REQUEST_ID}`;
  const sigD = { mId: "http://uri.etsi.org/19182/HttpHeaders", pars: ["(request-target)", "x-request-id"] };
  const signed = signJws(ed25519, jades(ed25519, { alg: "EdDSA", sigD }), { ...empty, headers, payload: lines });
  expect(await judge(signed, ed25519.certificate)).toMatchObject({ codes: [], binds: ALL });
  expect((await judge({ ...signed, body: "{}" }, ed25519.certificate)).codes).toContain("covered_too_little");
});

test.each([
  ["an empty query", rfc(["@method", "@path", "@query"]), { target: "/v1/x?" }, "covered_too_little"],
  [
    "capitals of the method",
    (sent: Sent) => cavage(sent, ["(request-target)", ...BERLIN]),
    { method: "post" },
    "signature_ambiguous",
  ],
] as const)("%s is told from none", async (_, sign, change, code) => {
  const signed = await sign({ ...SENT, target: "/v1/x" });
  const { certificate } = signed.headers["signature-input"] || signed.headers["Signature-Input"] ? p256 : ed25519;
  const of = (target: string) => (signed.target.startsWith("https") ? `https://bank.example${target}` : target);
  const other = { ...signed, ...change, ...("target" in change && { target: of(change.target) }) };
  expect((await judge(signed, certificate)).codes).toEqual([]);
  expect((await judge(other, certificate)).codes).toEqual([code]);
});

const methods = fc.constantFrom("POST", "GET", "DELETE", "PUT", "post", "Get", "M-SEARCH");
const segment = fc.constantFrom(
  "v1",
  "..",
  ".",
  "%2e%2e",
  "..%2f",
  "",
  ";",
  "a;b",
  "accounts",
  "ACCOUNTS",
  "%41",
  "~",
  "\\",
);
const query = fc.constantFrom("", "?", "?x=1", "?x=1&y=2", "?x=%31", "??", "?/../");
const targets = fc
  .tuple(fc.array(segment, { maxLength: 4 }), query)
  .map(([segments, end]) => `/${segments.join("/")}${end}`)
  .filter((target) => TARGET.test(target));
const bodies = fc.oneof(
  fc.constantFrom("", "{}", "{} ", "\n", "\ufeff{}", '{"amount":"1.00"}'),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);
const requests = fc.record({ method: methods, target: targets, body: bodies });

/** Whether a bank's system would read something else. */
const differ = (a: Description, b: Description): string[] => {
  const [one, other] = [readDescription(a), readDescription(b)];
  return ["method", "target", "body"].filter((part) =>
    part === "target" ? one.path !== other.path : a[part as "method"] !== b[part as "method"],
  );
};

test.each(PROFILES)("%s: each change is found, or its part is not in binds", async (_, profile, __, sign) => {
  let [verified, changed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(requests, requests, fc.subarray(ALL, { minLength: 1 }), async (sent, others, parts) => {
      const signed = await sign(sent);
      const { codes, binds } = await judge(signed, certificateOf(profile));
      if (codes.length > 0) return;
      verified++;
      const origin = signed.target.startsWith("https://") ? "https://bank.example" : "";
      const taken = Object.fromEntries(
        parts.map((part) => [part, part === "target" ? origin + others.target : others[part as "method"]]),
      );
      const other = { ...signed, ...taken };
      const different = differ(signed, other);
      if (different.length === 0 || !METHOD.test(other.method)) return;
      const bound = different.filter((part) => binds.some((each) => each === part));
      changed += bound.length;
      if (bound.length > 0) expect((await judge(other, certificateOf(profile))).codes, bound.join()).not.toEqual([]);
    }),
    { seed: 27, numRuns: 250 },
  );
  // it is not that nothing was tried
  expect(Math.min(verified, changed)).toBeGreaterThan(10);
});
