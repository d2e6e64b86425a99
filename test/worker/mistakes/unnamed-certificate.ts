/** A certificate that is good in everything but that it names no PSP; its QTSP is of its own, listed, and has a CRL. */
import { env } from "cloudflare:workers";
import { createAuthority } from "../../../fixtures/pki/authority.ts";
import { issueCrl } from "../../../fixtures/pki/crl.ts";
import { issuePspCertificate } from "../../../fixtures/pki/psp-certificate.ts";
import { seedSandbox } from "../../../src/admin/sandbox.ts";

const COUNTRY = "XX";
const VALIDITY = { notBefore: new Date("2020-01-01T00:00:00Z"), notAfter: new Date("2070-01-01T00:00:00Z") };
const CRL_URL = "http://sandbox.invalid/crl/unnamed.crl";
const QTSP = { country: COUNTRY, organisation: "Unnamed QTSP", commonName: "Unnamed CA", key: "p-256" } as const;

/** As the header `eidas` carries it. Loads what is to be known of the QTSP. */
export async function issueUnnamedCertificate(): Promise<string> {
  const qtsp = await createAuthority({ ...QTSP, pathLength: 0, ...VALIDITY, crlUrl: CRL_URL }, null);
  const psp = await issuePspCertificate(
    {
      country: COUNTRY,
      organisation: "Nobody Ltd",
      commonName: "nobody.example",
      authNumber: "VATXX-1234567",
      key: "p-256",
      type: "web",
      roles: ["PSP_AI"],
      ncaName: "Test Authority of XX",
      ncaId: "XX-TEST",
      ...VALIDITY,
    },
    qtsp,
  );
  const { notBefore, notAfter } = VALIDITY;
  const crl = await issueCrl({ revoked: [], revokedAt: notBefore, thisUpdate: notBefore, nextUpdate: notAfter }, qtsp);
  const from = notBefore.toISOString();
  const anchor = {
    certificate: qtsp.certificate.toString("base64"),
    source: "unnamed",
    jurisdiction: COUNTRY,
    qtspName: QTSP.organisation,
    serviceName: QTSP.commonName,
    periods: [{ status: "granted", from, uses: null }],
  } as const;
  const list = {
    source: "unnamed",
    jurisdiction: COUNTRY,
    sequenceNumber: 1,
    issuedAt: from,
    nextUpdate: null,
    services: 1,
  };
  await seedSandbox(env, {
    trust: { ...list, anchors: [{ ...anchor, periods: [...anchor.periods] }] },
    registers: [],
    crls: [{ url: CRL_URL, base64: Buffer.from(crl.rawData).toString("base64"), issuer: anchor.certificate }],
  });
  return psp.toString("base64");
}
