/**
 * Chains made to cost: a hundred certificates, authorities that sign each other, a key of 16,384 bits. Each is answered
 * with what is wrong, and for no more signatures verified than it has certificates. The anchor is the test's own, since the sandbox's keys are forgotten.
 */
import "reflect-metadata";
import { env } from "cloudflare:workers";
import { PublicKey, type X509Certificate, X509CertificateGenerator } from "@peculiar/x509";
import { beforeAll, expect, test, vi } from "vitest";
import { type Authority, createAuthority } from "../../../../src/sandbox/pki/authority.ts";
import { issuePspCertificate } from "../../../../src/sandbox/pki/psp-certificate.ts";
import { importTrustList } from "../../../../src/trust/trust-import.ts";
import { type Answer, call, codeRequest, codesOf } from "../../bank.ts";
import { loadSandbox } from "../../sandbox.ts";

const NOT_BEFORE = new Date("2020-01-01T00:00:00Z");
const NOT_AFTER = new Date("2070-01-01T00:00:00Z");

const authority = (commonName: string, issuer: Authority | null, pathLength = 100) =>
  createAuthority(
    {
      country: "XX",
      organisation: "Hostile Ltd",
      commonName,
      key: "p-256",
      pathLength,
      notBefore: NOT_BEFORE,
      notAfter: NOT_AFTER,
      crlUrl: "http://sandbox.invalid/crl/hostile.crl",
    },
    issuer,
  );
const psp = (issuer: Authority) =>
  issuePspCertificate(
    {
      country: "XX",
      organisation: "Hostile Payments Ltd",
      commonName: "hostile.example",
      authNumber: "PSDXX-TEST-000001",
      type: "web",
      roles: ["PSP_AI"],
      ncaName: "Test Authority of XX",
      ncaId: "XX-TEST",
      key: "p-256",
      notBefore: NOT_BEFORE,
      notAfter: NOT_AFTER,
    },
    issuer,
  );
const header = (...chain: X509Certificate[]): string =>
  Buffer.concat(chain.map((certificate) => new Uint8Array(certificate.rawData))).toString("base64");

/** The same authority's name and key under another issuer's signature. */
async function crossSign(subject: Authority, issuer: Authority): Promise<X509Certificate> {
  return X509CertificateGenerator.create({
    subject: subject.certificate.subjectName,
    issuer: issuer.certificate.subjectName,
    notBefore: NOT_BEFORE,
    notAfter: NOT_AFTER,
    publicKey: subject.keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: issuer.keys.signingAlgorithm,
    extensions: subject.certificate.extensions,
  });
}

let anchor: Authority;
beforeAll(async () => {
  await loadSandbox();
  anchor = await authority("Hostile Anchor", null);
  const list = {
    source: "hostile",
    jurisdiction: "XX",
    sequenceNumber: 1,
    issuedAt: NOT_BEFORE.toISOString(),
    nextUpdate: null,
    services: 1,
    anchors: [
      {
        certificate: header(anchor.certificate),
        source: "hostile",
        jurisdiction: "XX",
        qtspName: "Hostile Ltd",
        serviceName: "Hostile Anchor",
        periods: [{ status: "granted", from: NOT_BEFORE.toISOString(), uses: null }],
      },
    ],
  };
  await importTrustList(env.KV, list, Date.now());
});

/**
 * The check's answer, how many signatures were verified for it, and the code with which the same certificate is refused
 * as a PSP's own.
 */
async function ask(eidas: string): Promise<{ check: Answer; verified: number; refusal: Answer }> {
  const verify = vi.spyOn(crypto.subtle, "verify");
  const check = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas } });
  const verified = verify.mock.calls.length;
  verify.mockRestore();
  const refusal = await call("POST", "/v1/oauth2/authorization_codes", { headers: { eidas }, body: codeRequest() });
  return { check, verified, refusal };
}

test("a hundred chained certificates are refused before the eleventh is read", async () => {
  const chain = [anchor];
  for (let i = 1; i < 100; i++) chain.unshift(await authority(`Hostile CA ${i}`, chain[0] ?? anchor));
  const leaf = await psp(chain[0] ?? anchor);
  for (const given of [chain.slice(0, 99), chain.slice(0, 40)]) {
    const { check, verified, refusal } = await ask(header(leaf, ...given.map(({ certificate }) => certificate)));
    expect(verified).toBe(0);
    expect([check.status, codesOf(check)]).toEqual([404, ["certificate_unreadable"]]);
    expect(check.body.errors[0].title).toMatch(/more than 10 certificates|at most 65536 are read/);
    expect([refusal.status, codesOf(refusal)]).toEqual([401, ["certificate_unreadable"]]);
  }
});

test("two authorities that sign each other lead to no anchor, and to no end", async () => {
  const one = await authority("Hostile One", null);
  const two = await authority("Hostile Two", one);
  const leaf = await psp(two);
  const cycle = [two.certificate, await crossSign(one, two), await crossSign(two, one)];
  const { check, verified, refusal } = await ask(header(leaf, ...cycle));
  // no more than there are certificates
  expect(verified).toBeLessThanOrEqual(4);
  expect(check.status).toBe(200);
  expect(check.body.eIDAS.validity).toMatchObject({ validQTSP: false, notRevoked: false, notExpired: true });
  expect([refusal.status, codesOf(refusal)]).toEqual([401, ["qtsp_invalid"]]);
});

test("a cycle that one of its authorities leaves for an anchor is walked out of", async () => {
  const one = await authority("Hostile Three", anchor);
  const two = await authority("Hostile Four", one);
  const chain = [await psp(two), await crossSign(one, two), two.certificate, one.certificate];
  const { check, verified } = await ask(header(...chain));
  expect(verified).toBeLessThanOrEqual(chain.length);
  expect([check.status, check.body.eIDAS.validity.validQTSP]).toEqual([200, true]);
  expect(check.body.eIDAS.validity.validSignature).toBe(true);
});

test("an authority with an RSA key of 16,384 bits is refused for its size, without the sum being done", async () => {
  const sum = Uint8Array.from({ length: 2_048 }, (_, i) => (i * 131 + 7) & 255);
  sum.set([0xc1], 0);
  sum.set([0x01], 2_047);
  const big = await authority("Hostile Giant", anchor);
  const signer = await crypto.subtle.generateKey(
    { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2_048, publicExponent: Uint8Array.of(1, 0, 1) },
    false,
    ["sign", "verify"],
  );
  if (!("privateKey" in signer)) throw new Error("no key pair");
  const giant = await X509CertificateGenerator.create({
    subject: big.certificate.subjectName,
    issuer: anchor.certificate.subjectName,
    notBefore: NOT_BEFORE,
    notAfter: NOT_AFTER,
    publicKey: new PublicKey(rsaKey(sum)),
    signingKey: anchor.keys.privateKey,
    signingAlgorithm: anchor.keys.signingAlgorithm,
    // without the identifier of a key that it does not hold: a name chains alone
    extensions: big.certificate.extensions.filter(({ type }) => type !== "2.5.29.14"),
  });
  const leaf = await psp({
    ...big,
    keys: { ...signer, signingAlgorithm: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } },
  });
  const { check, verified, refusal } = await ask(header(leaf, giant));
  expect(verified).toBe(0);
  expect(check.status).toBe(200);
  expect(check.body.eIDAS.validity.validSignature).toBe(false);
  expect(check.body.eIDAS.warning.join("\n")).toContain("16384");
  expect([refusal.status, refusal.body.errors.length]).toEqual([401, 1]);
});

const der = (tag: number, ...contents: Uint8Array[]): Uint8Array => {
  const body = Buffer.concat(contents);
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Uint8Array.of(tag, ...length), body]);
};

/** SubjectPublicKeyInfo (RFC 3279 section 2.3.1) with the exponent 65537. */
function rsaKey(modulus: Uint8Array): ArrayBuffer {
  const algorithm = der(0x30, Buffer.from("06092a864886f70d0101010500", "hex"));
  const key = der(0x30, der(0x02, Uint8Array.of(0), modulus), der(0x02, Uint8Array.of(1, 0, 1)));
  return new Uint8Array(der(0x30, algorithm, der(0x03, Uint8Array.of(0), key))).buffer;
}
