/** Each profile: what is published, what it demands, and that a change of any covered byte is found. */

import { execFileSync } from "node:child_process";
import { constants, createPublicKey, verify as verifyByNode } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Description, readDescription } from "../../../../src/psp-check/signed-request/described-request.ts";
import { chooseCertificate, judgeSignature } from "../../../../src/psp-check/signed-request/judge-signature.ts";
import type { SIGNATURE_PROBLEMS } from "../../../../src/psp-check/signed-request/problems.ts";
import { readSignature } from "../../../../src/psp-check/signed-request/read-signature.ts";
import { parseCertificate } from "../../../../src/x509/certificate.ts";
import { ALL_TRUE } from "../../../all-true.ts";
import { findTool } from "../../../tools.ts";
import { CAVAGE, NEXT_GEN_PSD2, RFC_9421 } from "./published.ts";
import {
  BODY,
  CREATED,
  certificateOf,
  checked,
  DATE,
  digestOf,
  IAT,
  ISS,
  JADES_HEADERS,
  jades,
  jadesLines,
  judge,
  makeSigner,
  NOW,
  REQUEST_ID,
  type Signer,
  signCavage,
  signJws,
  signRfc9421,
  TAN,
  UK,
} from "./signing.ts";

const OPENSSL = findTool("openssl") ?? "";

let rsa: Signer;
let p256: Signer;
let p384: Signer;
let ed25519: Signer;
beforeAll(async () => {
  [rsa, p256, p384, ed25519] = await Promise.all([
    makeSigner("rsa"),
    makeSigner("p256"),
    makeSigner("p384"),
    makeSigner("ed25519"),
  ]);
});

describe("what is published", () => {
  test.each(Object.entries(CAVAGE.signatures))(
    "draft-cavage %s: the string that was signed",
    async (name, signature) => {
      const request = { ...CAVAGE.request, headers: { ...CAVAGE.request.headers, Signature: signature } };
      const at = Date.parse(CAVAGE.request.headers.Date);
      const { signed, codes } = await judge(request, await certificateOf(CAVAGE.key), at);
      if (name === "C.1") {
        // the draft's last version reads it as (created), those before it as date
        expect(signed).toBeNull();
        expect(codes).toContain("covered_too_little");
        return;
      }
      const [data = new Uint8Array()] = signed?.data ?? [];
      expect(verifyByNode("sha256", data, createPublicKey(CAVAGE.key), signed?.signature ?? data)).toBe(true);
      // its key of 1,024 bits is not accepted
      expect(codes).toContain("algorithm_refused");
      expect(codes).toContain("covered_too_little");
    },
  );

  test.each([
    ["B.2.3", []],
    ["B.2.6", ["covered_too_little"]],
    ["4.3", ["covered_too_little"]],
  ] as const)("RFC 9421 %s verifies", async (name, expected) => {
    const { key, request } = RFC_9421[name];
    const certificate = await certificateOf(key);
    const { codes, profile } = await judge(request, certificate, 1618884480_000);
    expect({ codes, profile }).toEqual({ codes: expected, profile: "rfc9421" });
    const altered = { ...request, headers: { ...request.headers, "Content-Type": "text/plain" } };
    expect((await judge(altered, certificate, 1618884480_000)).codes).toContain("signature_wrong");
    // of the proxy's, expires has passed too
    expect((await judge(request, certificate, 1618890000_000)).codes).toContain("date_outside");
  });

  test("an example of NextGenPSD2 that a bank published", async () => {
    const reading = await readSignature(readDescription(NEXT_GEN_PSD2), Date.parse(NEXT_GEN_PSD2.headers.date));
    expect(reading.profile).toBe("berlin-group");
    expect(reading.problems).toEqual([]);
    const chosen = chooseCertificate(reading, null);
    if (!chosen.ok) throw new Error("no certificate");
    expect(await judgeSignature(reading, chosen.chain.leaf, checked(), null)).toEqual([]);
  });
});

describe("signed by others", () => {
  test.each(["rsa-sha256", "rsa-sha512", "ecdsa-sha256", "ecdsa-sha384", "ed25519"])(
    "draft-cavage, %s",
    async (algorithm) => {
      const signer =
        { rsa, ecdsa: algorithm.endsWith("384") ? p384 : p256, ed25519 }[algorithm.split("-")[0] ?? ""] ?? rsa;
      expect(await judge(signCavage(signer, { algorithm }), signer.certificate)).toMatchObject({
        ...{ profile: "berlin-group", created: NOW, codes: [], covered: ["digest", "x-request-id", "psu-id", "date"] },
      });
    },
  );

  test.each([
    ["rsa-pss-sha512", () => rsa],
    ["rsa-v1_5-sha256", () => rsa],
    ["ecdsa-p256-sha256", () => p256],
    ["ecdsa-p384-sha384", () => p384],
    ["ed25519", () => ed25519],
  ] as const)("RFC 9421 by http-message-signatures, %s", async (alg, signer) => {
    const request = await signRfc9421(signer(), alg);
    expect(await judge(request, signer().certificate)).toMatchObject({ profile: "rfc9421", created: NOW, codes: [] });
  });

  test.each([
    ["RS256", () => rsa],
    ["RS512", () => rsa],
    ["PS256", () => rsa],
    ["PS512", () => rsa],
    ["ES256", () => p256],
    ["ES384", () => p384],
    ["EdDSA", () => ed25519],
  ] as const)("UK Open Banking, %s, payload encoded or not", async (alg, signer) => {
    const expected = { profile: "uk-open-banking", created: NOW, codes: [], covered: ["body"] };
    expect(await judge(signJws(signer(), { ...UK, alg }), signer().certificate)).toMatchObject(expected);
    // since 3.1.4 b64 is left out
    const { b64: _, ...encoded } = { ...UK, alg, crit: [IAT, ISS, TAN] };
    expect(await judge(signJws(signer(), encoded), signer().certificate)).toMatchObject(expected);
  });

  test.each(["", "\n"])("JAdES over headers, ending %j", async (end) => {
    const payload = `${jadesLines({ headers: JADES_HEADERS })}${end}`;
    const request = signJws(rsa, jades(rsa), { headers: JADES_HEADERS, payload });
    expect(await judge(request, rsa.certificate)).toMatchObject({ profile: "jades", created: NOW, codes: [] });
  });

  test("JAdES over the body", async () => {
    const { sigD: _, ...header } = jades(rsa, { crit: ["b64", "sigT"], "x5t#S256": undefined });
    expect(await judge(signJws(rsa, header), rsa.certificate)).toMatchObject({ profile: "jades", codes: [] });
  });

  test("STET, its certificate named by its SHA-256", async () => {
    const names = ["(request-target)", "date", "digest", "x-request-id", "psu-id"];
    const keyId = `https://psp.example/seal_${rsa.certificate.fingerprint}`;
    const expected = { profile: "stet", codes: [] };
    expect(await judge(signCavage(rsa, { names, keyId }), rsa.certificate)).toMatchObject(expected);
    const other = signCavage(rsa, { names, keyId: `https://psp.example/seal_${"0".repeat(64)}` });
    expect((await judge(other, rsa.certificate)).codes).toEqual(["certificate_differs"]);
    expect((await judge(signCavage(rsa, { keyId }), rsa.certificate)).codes).toEqual(["covered_too_little"]);
  });

  test.runIf(OPENSSL)("OpenSSL's command", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signed-request-"));
    try {
      const openssl = (...args: string[]) => execFileSync(OPENSSL, args, { cwd: folder, stdio: "pipe" });
      openssl(
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "key.pem",
        "-out",
        "psp.pem",
        "-subj",
        "/O=PSP",
      );
      writeFileSync(
        join(folder, "lines"),
        `digest: SHA-256=${digestOf(BODY)}\nx-request-id: ${REQUEST_ID}\ndate: ${DATE}`,
      );
      openssl("dgst", "-sha256", "-sign", "key.pem", "-out", "signature", "lines");
      const pem = readFileSync(join(folder, "psp.pem"), "utf8");
      const signature = readFileSync(join(folder, "signature")).toString("base64");
      const certificate = pem.replaceAll(/-----[^-]+-----|\s/g, "");
      const request = {
        ...{ method: "POST", target: "/v1/payments", body: BODY },
        headers: {
          ...{ Digest: `SHA-256=${digestOf(BODY)}`, "X-Request-ID": REQUEST_ID, Date: DATE },
          Signature: `keyId="SN=1,CA=O=PSP", algorithm="rsa-sha256", headers="Digest X-Request-ID Date", signature="${signature}"`,
          "TPP-Signature-Certificate": certificate,
        },
      };
      const { codes } = await judge(request, parseCertificate(Buffer.from(certificate, "base64")));
      expect(codes).toEqual(["certificate_differs"]);
      const right = {
        ...request,
        headers: { ...request.headers, Signature: request.headers.Signature.replace("SN=1,", "") },
      };
      expect((await judge(right, parseCertificate(Buffer.from(certificate, "base64")))).codes).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test.each([
  ["as long as the key allows", constants.RSA_PSS_SALTLEN_MAX_SIGN, 190],
  ["the default of RFC 8017", 20, 20],
  ["of another hash", 32, 32],
])("RSA-PSS with a salt %s is no signature, and the message says why", async (_, salt, bytes) => {
  const request = await signRfc9421(rsa, "rsa-pss-sha512", { salt });
  const { problems } = await judge(request, rsa.certificate);
  expect(problems).toEqual([{ code: "signature_wrong", message: expect.stringContaining(`salt of ${bytes} bytes`) }]);
  const changed = await judge({ ...request, method: "PUT" }, rsa.certificate);
  expect(changed.problems).toEqual([{ code: "signature_wrong", message: expect.not.stringContaining("salt") }]);
});

type Wrong = readonly [
  name: string,
  code: keyof typeof SIGNATURE_PROBLEMS,
  make: () => Description | Promise<Description>,
];
const altered = (more: Record<string, string | string[]>, wish = {}): Description => {
  const request = signCavage(rsa, wish);
  return { ...request, headers: { ...request.headers, ...more } };
};
const signature = (change: (value: string) => string, wish = {}): Description => {
  const request = signCavage(rsa, wish);
  return { ...request, headers: { ...request.headers, signature: change(request.headers["signature"] ?? "") } };
};
const late = (seconds: number) => ({ headers: { date: new Date(NOW + seconds * 1000).toUTCString() } });

const WRONG: readonly Wrong[] = [
  ["no signature", "signature_missing", () => ({ method: "GET", target: "/", headers: {} })],
  ["two kinds", "signature_ambiguous", () => altered({ "x-jws-signature": "a..b" })],
  ["Signature twice", "signature_ambiguous", () => altered({ signature: ["a", "b"] })],
  ["a covered header twice", "signature_ambiguous", () => altered({ "x-request-id": [REQUEST_ID, REQUEST_ID] })],
  ["the same, in two spellings", "signature_ambiguous", () => altered({ "X-Request-Id": REQUEST_ID })],
  ["a header covered twice", "signature_ambiguous", () => signCavage(rsa, { names: ["date", "date"] })],
  ["a parameter twice", "signature_unreadable", () => signature((value) => `${value},algorithm="rsa-sha512"`)],
  ["no parameters", "signature_unreadable", () => altered({ signature: "garbage" })],
  ["no base64", "signature_unreadable", () => signature((value) => value.replace(/signature=".*"/, 'signature="!!"'))],
  ["hs2019", "algorithm_refused", () => signature((value) => value.replace("rsa-sha256", "hs2019"))],
  ["rsa-sha1", "algorithm_refused", () => signature((value) => value.replace("rsa-sha256", "rsa-sha1"))],
  ["no algorithm", "algorithm_refused", () => signature((value) => value.replace(/algorithm="[^"]*",/, ""))],
  [
    "an algorithm of another key",
    "algorithm_refused",
    () => signature((value) => value.replace("rsa-sha256", "ecdsa-sha256")),
  ],
  ["another hash", "signature_wrong", () => signature((value) => value.replace("rsa-sha256", "rsa-sha512"))],
  ["no headers", "covered_too_little", () => signature((value) => value.replace(/headers="[^"]*",/, ""))],
  ["empty headers", "covered_too_little", () => signature((value) => value.replace(/headers="[^"]*"/, 'headers=""'))],
  ["no psu-id", "covered_too_little", () => signCavage(rsa, { names: ["digest", "x-request-id", "date"] })],
  ["no digest", "covered_too_little", () => signCavage(rsa, { names: ["x-request-id", "psu-id", "date"] })],
  ["no date", "date_missing", () => signCavage(rsa, { names: ["digest", "x-request-id", "psu-id"] })],
  ["a date of another form", "date_missing", () => signCavage(rsa, { headers: { date: "2026-11-24T12:00:00Z" } })],
  ["a date with another day", "date_missing", () => signCavage(rsa, { headers: { date: DATE.replace("Tue", "Wed") } })],
  ["301 seconds old", "date_outside", () => signCavage(rsa, late(-301))],
  ["301 seconds early", "date_outside", () => signCavage(rsa, late(301))],
  ["expired", "date_outside", () => signature((value) => `${value},expires=${CREATED}`)],
  ["(created)", "signature_unreadable", () => signature((value) => value.replace('headers="', 'headers="(created) '))],
  [
    "a header that is not there",
    "signature_unreadable",
    () => signature((value) => value.replace(" date", " date x-y")),
  ],
  ["another body", "digest_differs", () => ({ ...signCavage(rsa), body: `${BODY} ` })],
  ["MD5", "digest_unknown", () => signCavage(rsa, { headers: { digest: "MD5=1B2M2Y8AsgTpgAmY7PhCfg==" } })],
  [
    "a digest of 31 bytes",
    "digest_missing",
    () => signCavage(rsa, { headers: { digest: `SHA-256=${"A".repeat(42)}` } }),
  ],
  [
    "a digest of another algorithm by the bank",
    "digest_unknown",
    () => {
      const { body: _, ...request } = signCavage(rsa);
      return { ...request, body_digest: `sha-512=:${digestOf(BODY, "sha512")}:` };
    },
  ],
  ["another serial number", "certificate_differs", () => signCavage(rsa, { keyId: "SN=B2C4,CA=x" })],
  [
    "RFC 9421, two labels",
    "signature_ambiguous",
    async () => {
      const { headers, ...request } = await signRfc9421(p256, "ecdsa-p256-sha256");
      const name = (of: string) => Object.entries(headers).find(([each]) => each.toLowerCase() === of)?.[1] ?? "";
      const two = (of: string) => `${name(of)}, ${name(of).replace("psp=", "proxy=")}`;
      return {
        ...request,
        headers: { ...headers, Signature: two("signature"), "Signature-Input": two("signature-input") },
      };
    },
  ],
  [
    "RFC 9421, no target",
    "covered_too_little",
    () => signRfc9421(rsa, "rsa-pss-sha512", { fields: ["@method", "content-digest", "x-request-id"] }),
  ],
  [
    "RFC 9421, no query",
    "covered_too_little",
    () => signRfc9421(rsa, "rsa-pss-sha512", { fields: ["@method", "@path", "content-digest", "x-request-id"] }),
  ],
  [
    "RFC 9421, no digest",
    "covered_too_little",
    () => signRfc9421(rsa, "rsa-pss-sha512", { fields: ["@method", "@target-uri", "x-request-id"] }),
  ],
  [
    "RFC 9421, too old",
    "date_outside",
    () => signRfc9421(rsa, "rsa-pss-sha512", { params: { created: new Date(NOW - 301_000) } }),
  ],
  [
    "RFC 9421, another body",
    "digest_differs",
    async () => ({ ...(await signRfc9421(rsa, "rsa-pss-sha512")), body: "{}" }),
  ],
  [
    "JWS, alg none",
    "algorithm_refused",
    () => {
      const header = Buffer.from(JSON.stringify({ ...UK, alg: "none" })).toString("base64url");
      return { method: "POST", target: "/", body: BODY, headers: { "x-jws-signature": `${header}..AA` } };
    },
  ],
  [
    "JWS, HS256",
    "algorithm_refused",
    () => {
      const header = Buffer.from(JSON.stringify({ ...UK, alg: "HS256" })).toString("base64url");
      return { method: "POST", target: "/", body: BODY, headers: { "x-jws-signature": `${header}..AA` } };
    },
  ],
  [
    "JWS with its payload",
    "signature_unreadable",
    () => ({ method: "POST", target: "/", headers: { "x-jws-signature": "a.b.c" } }),
  ],
  [
    "JWS, crit with an unknown name",
    "signature_unreadable",
    () => signJws(rsa, { ...UK, exp: 1, crit: [...UK.crit, "exp"] }),
  ],
  ["JWS, b64 that is not critical", "signature_unreadable", () => signJws(rsa, { ...UK, crit: [IAT, ISS, TAN] })],
  ["JWS, tan that is not critical", "covered_too_little", () => signJws(rsa, { ...UK, crit: ["b64", IAT, ISS] })],
  ["JWS, no iat", "date_missing", () => signJws(rsa, { ...UK, [IAT]: undefined, crit: ["b64", ISS, TAN] })],
  ["JWS, too old", "date_outside", () => signJws(rsa, { ...UK, [IAT]: CREATED - 301 })],
  ["JWS, another body", "signature_wrong", () => ({ ...signJws(rsa, UK), body: `${BODY} ` })],
  [
    "JWS, its body's digest alone",
    "digest_unknown",
    () => {
      const { body: _, ...request } = signJws(rsa, UK);
      return { ...request, body_digest: `sha-256=:${digestOf(BODY)}:` };
    },
  ],
  ["JAdES, another thumbprint", "certificate_differs", () => signJws(rsa, { ...UK, "x5t#S256": "AAAA" })],
  [
    "JAdES, sigT of no zone",
    "date_missing",
    () => signJws(rsa, jades(rsa, { sigT: "2026-11-24T12:00:00" }), { headers: JADES_HEADERS }),
  ],
  [
    "JAdES, another mechanism",
    "signature_unreadable",
    () => signJws(rsa, jades(rsa, { sigD: { mId: "http://uri.etsi.org/19182/ObjectIdByURI", pars: ["x"] } })),
  ],
  [
    "JAdES without the digest",
    "covered_too_little",
    () =>
      signJws(rsa, jades(rsa, { sigD: { mId: "http://uri.etsi.org/19182/HttpHeaders", pars: ["(request-target)"] } }), {
        headers: JADES_HEADERS,
      }),
  ],
];

test.each(WRONG)("%s: %s", async (_, code, make) => {
  expect((await judge(await make(), rsa.certificate)).codes).toContain(code);
});

test.each([300, -300, 0])("%d seconds from now is in time", async (seconds) => {
  expect((await judge(signCavage(rsa, late(seconds)), rsa.certificate)).codes).toEqual([]);
});

test("keys and curves that are not accepted", async () => {
  const [short, p521] = await Promise.all([makeSigner("short"), makeSigner("p521")]);
  expect((await judge(signCavage(short), short.certificate)).codes).toEqual(["algorithm_refused"]);
  const odd = signCavage(p521, { algorithm: "ecdsa-sha256" });
  expect((await judge(odd, p521.certificate)).codes).toEqual(["algorithm_refused"]);
  const crossed = signCavage(p384, { algorithm: "ecdsa-sha256" });
  expect((await judge(crossed, p384.certificate)).codes).toEqual(["algorithm_refused"]);
});

test("which certificate counts", async () => {
  const reading = await readSignature(readDescription(signCavage(rsa)), NOW);
  const codes = (given: string | null, of = reading) => {
    const chosen = chooseCertificate(of, given);
    return chosen.ok ? chosen.chain.leaf.fingerprint : chosen.problems.map(({ code }) => code);
  };
  expect(codes(null)).toBe(rsa.certificate.fingerprint);
  expect(codes(rsa.base64)).toBe(rsa.certificate.fingerprint);
  expect(codes(p256.base64)).toEqual(["certificate_differs"]);
  expect(codes("!")).toEqual(["certificate_unreadable"]);
  expect(codes(null, { ...reading, certificate: null })).toEqual(["certificate_missing"]);
  const sealed = await readSignature(readDescription(signJws(rsa, jades(rsa))), NOW);
  expect(codes(null, sealed)).toBe(rsa.certificate.fingerprint);
});

test("the certificate's verdicts, its use, and TLS of another PSP", async () => {
  const reading = await readSignature(readDescription(signCavage(rsa)), NOW);
  const codes = async (check: object, tls: object | null = null) =>
    (await judgeSignature(reading, rsa.certificate, checked(check), tls && checked(tls))).map(({ code }) => code);
  expect(await codes({})).toEqual([]);
  expect(await codes({ uses: ["web-authentication"] })).toEqual(["certificate_no_seal"]);
  const revoked = { ...ALL_TRUE, notRevoked: false };
  expect(await codes({ validity: revoked })).toEqual(["certificate_not_valid"]);
  expect(await codes({}, { uses: ["web-authentication"] })).toEqual([]);
  expect(await codes({}, { psp: { pspId: "PSDXX-TEST-2" } })).toEqual(["psp_differs"]);
  expect(await codes({ psp: { pspId: null } }, { psp: { pspId: null } })).toEqual(["psp_differs"]);
  expect(await codes({}, { validity: revoked })).toEqual(["tls_certificate_not_valid"]);
});

/** Another printable character at a place of the text. */
const changed = (text: string, at: number, by: number): string => {
  const place = at % text.length;
  const code = ((text.charCodeAt(place) - 0x21 + by) % 0x5e) + 0x21;
  return `${text.slice(0, place)}${String.fromCharCode(code)}${text.slice(place + 1)}`;
};

test("a change of each byte of a covered part is found", async () => {
  const names = ["(request-target)", "digest", "x-request-id", "psu-id", "date"];
  const [berlin, rfc, uk] = [signCavage(rsa, { names }), await signRfc9421(rsa, "rsa-pss-sha512"), signJws(rsa, UK)];
  const headers = JADES_HEADERS;
  const seal = signJws(rsa, jades(rsa), { headers, payload: jadesLines({ headers }) });
  const parts: readonly (readonly [Description, "target" | "body" | string])[] = [
    ...["target", "body", "digest", "x-request-id", "psu-id", "date"].map((part) => [berlin, part] as const),
    ...["target", "body", "content-digest", "x-request-id"].map((part) => [rfc, part] as const),
    [uk, "body"],
    ...["body", "digest", "x-request-id", "target"].map((part) => [seal, part] as const),
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...parts),
      fc.nat(),
      fc.integer({ min: 1, max: 0x5d }),
      async ([request, part], at, by) => {
        const alter = (text: unknown) =>
          changed(String(text), part === "target" ? 1 + (at % (String(text).length - 1)) : at, by);
        const other =
          part === "target" || part === "body"
            ? { ...request, [part]: alter(request[part]) }
            : { ...request, headers: { ...request.headers, [part]: alter(request.headers[part]) } };
        expect((await judge(other, rsa.certificate)).codes).not.toEqual([]);
      },
    ),
    { seed: 26, numRuns: 400 },
  );
  for (const request of [berlin, rfc, uk, seal]) expect((await judge(request, rsa.certificate)).codes).toEqual([]);
});

test("nothing that a stranger writes throws", async () => {
  const header = fc.constantFrom("signature", "signature-input", "x-jws-signature", "digest", "content-digest", "date");
  const odd = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.constantFrom('a=("@method")', "a=:AA==:", "e30..AA"),
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(header, odd), fc.string(), async (headers, body) => {
      const { codes } = await judge({ method: "POST", target: "/", headers, body }, rsa.certificate);
      expect(codes).not.toEqual([]);
    }),
    { seed: 26, numRuns: 500 },
  );
});

test("Berlin Group without a date: verified, its time unknown, unless the bank asks for one", async () => {
  // as Triodos has it, and since 1.3.4 the guidelines
  const { headers, ...request } = signCavage(rsa, { names: ["digest", "x-request-id"] });
  const { date, "psu-id": _, ...undated } = headers;
  expect(await judge({ ...request, headers: undated }, rsa.certificate)).toMatchObject({ codes: [], created: null });
  const asked = { ...request, headers: undated, require_date: true };
  expect((await judge(asked, rsa.certificate)).codes).toEqual(["covered_too_little", "date_missing"]);
  // one that is sent counts: it has to be covered, and in time
  const sent = { ...request, headers: { ...undated, date: date ?? "" } };
  expect((await judge(sent, rsa.certificate)).codes).toEqual(["covered_too_little", "date_missing"]);
  expect((await judge({ ...signCavage(rsa), require_date: true }, rsa.certificate)).codes).toEqual([]);
  // of STET it is demanded
  const names = ["(request-target)", "digest", "x-request-id"];
  const stet = signCavage(rsa, { names, keyId: "https://psp.example/seal" });
  const { date: __, "psu-id": ___, ...none } = stet.headers;
  expect((await judge({ ...stet, headers: none }, rsa.certificate)).codes).toContain("date_missing");
});

const FAR = 8_640_000_000_001;
test.each<Wrong>([
  [
    "RFC 9421",
    "date_outside",
    () => signRfc9421(rsa, "rsa-pss-sha512", { params: { created: { getTime: () => FAR * 1000 } } }),
  ],
  [
    "RFC 9421, before the year 0",
    "date_outside",
    () => signRfc9421(rsa, "rsa-pss-sha512", { params: { created: { getTime: () => -FAR * 1000 } } }),
  ],
  ["UK Open Banking", "date_outside", () => signJws(rsa, { ...UK, [IAT]: FAR })],
  ["JAdES, iat", "date_outside", () => signJws(rsa, { alg: "RS256", iat: FAR })],
  ["JAdES, sigT", "date_outside", () => signJws(rsa, { alg: "RS256", sigT: "9999-12-31T23:59:59-23:00" })],
  ["Berlin Group", "date_outside", () => signCavage(rsa, { headers: { date: new Date(FAR * 999).toUTCString() } })],
])("an instant that no date has is outside, and no error: %s", async (_, code, make) => {
  expect(await judge(await make(), rsa.certificate)).toMatchObject({ created: null, codes: [code] });
});
