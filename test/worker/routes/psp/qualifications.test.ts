/** What a trusted list says of single certificates, from its import to the answer; and anchors stored before it was kept. */
import "reflect-metadata";
import { env } from "cloudflare:workers";
import { ExtendedKeyUsageExtension, type X509Certificate, X509CertificateGenerator } from "@peculiar/x509";
import { beforeAll, expect, test } from "vitest";
import { type Authority, createAuthority } from "../../../../src/sandbox/pki/authority.ts";
import { makeKeys } from "../../../../src/sandbox/pki/keys.ts";
import { issuePspCertificate } from "../../../../src/sandbox/pki/psp-certificate.ts";
import type { Qualification } from "../../../../src/trust/anchors.ts";
import { importTrustList } from "../../../../src/trust/trust-import.ts";
import { call, codeRequest, codesOf } from "../../bank.ts";
import { loadSandbox } from "../../sandbox.ts";
import { loadListOfLists } from "../../trust/made-qtsp.ts";

const NOT_BEFORE = new Date("2020-01-01T00:00:00Z");
const NOT_AFTER = new Date("2070-01-01T00:00:00Z");
/** The policy of the made certificates: QCP-w-psd2. */
const POLICY = "0.4.0.19495.3.1";

beforeAll(loadSandbox);

const createQtsp = (commonName: string) =>
  createAuthority(
    {
      country: "XX",
      organisation: "Qualifying Ltd",
      commonName,
      key: "p-256",
      pathLength: 0,
      notBefore: NOT_BEFORE,
      notAfter: NOT_AFTER,
      crlUrl: "http://sandbox.invalid/crl/qualifying.crl",
    },
    null,
  );
const base64 = (certificate: X509Certificate) => Buffer.from(certificate.rawData).toString("base64");

async function list(qtsp: Authority, jurisdiction: string, qualifications?: Qualification[]): Promise<void> {
  const anchor = {
    certificate: base64(qtsp.certificate),
    source: "eIDAS",
    jurisdiction,
    qtspName: "Qualifying Ltd",
    serviceName: qtsp.certificate.subject,
    periods: [
      {
        status: "granted",
        from: NOT_BEFORE.toISOString(),
        uses: ["web-authentication" as const],
        ...(qualifications && { qualifications }),
      },
    ],
  };
  const head = { source: "eIDAS", jurisdiction, sequenceNumber: 1, issuedAt: NOT_BEFORE.toISOString() };
  await loadListOfLists();
  await importTrustList(env.KV, { ...head, nextUpdate: null, services: 1, anchors: [anchor] }, Date.now());
}

async function issue(qtsp: Authority): Promise<string> {
  const request = {
    country: "XX",
    organisation: "Amber Payments Ltd",
    commonName: "psd2.amber.invalid",
    authNumber: "PSDXX-TEST-000001",
    type: "web" as const,
    roles: ["PSP_AI" as const],
    ncaName: "Test Authority of XX",
    ncaId: "XX-TEST",
    key: "p-256" as const,
    notBefore: NOT_BEFORE,
    notAfter: NOT_AFTER,
  };
  return base64(await issuePspCertificate(request, qtsp));
}

async function ask(eidas: string) {
  const check = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas } });
  const code = await call("POST", "/v1/oauth2/authorization_codes", { headers: { eidas }, body: codeRequest() });
  const warnings: string[] = check.body.eIDAS.warning ?? [];
  return {
    validQTSP: check.body.eIDAS.validity.validQTSP,
    sentence: warnings.find((warning) => warning.startsWith("validQTSP")),
    code: codesOf(code)[0],
  };
}

test("a certificate that its list calls not qualified gets validQTSP false and 401", async () => {
  const qtsp = await createQtsp("Disowning CA");
  await list(qtsp, "XA", [
    { qualifiers: ["NotQualified"], criteria: { all: [{ policies: [POLICY] }] }, critical: true },
  ]);
  expect(await ask(await issue(qtsp))).toEqual({
    validQTSP: false,
    sentence:
      "validQTSP: the trusted list says that the certificate is not a qualified one (NotQualified), as of its issue",
    code: "qtsp_invalid",
  });
});

test("a certificate of the same issuer without QCStatements, as its OCSP responder has one, is no PSP's", async () => {
  const qtsp = await createQtsp("Responding CA");
  await list(qtsp, "XD");
  const { publicKey } = await makeKeys("p-256");
  const certificate = await X509CertificateGenerator.create({
    subject: "CN=OCSP responder, O=Qualifying Ltd, C=XX",
    issuer: qtsp.certificate.subjectName,
    notBefore: NOT_BEFORE,
    notAfter: NOT_AFTER,
    publicKey,
    signingKey: qtsp.keys.privateKey,
    signingAlgorithm: qtsp.keys.signingAlgorithm,
    extensions: [new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.9"])],
  });
  expect(await ask(base64(certificate))).toEqual({
    validQTSP: false,
    sentence: "validQTSP: the certificate has no QcCompliance, so it does not claim to be qualified",
    code: "qtsp_invalid",
  });
});

test("one that its list speaks of otherwise, or not at all, is judged by its own word", async () => {
  const other = await createQtsp("Qualifying CA");
  await list(other, "XB", [{ qualifiers: ["NotQualified"], criteria: { all: [{ policies: ["1.2.3"] }] } }]);
  // as every anchor was stored before qualifications were kept
  const silent = await createQtsp("Silent CA");
  await list(silent, "XC");
  for (const qtsp of [other, silent])
    expect(await ask(await issue(qtsp))).toMatchObject({ validQTSP: true, sentence: undefined });
});
