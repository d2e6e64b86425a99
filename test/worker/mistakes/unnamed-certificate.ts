/** A certificate without a PSP's authorisation number, and without other faults: its QTSP is listed and has a CRL. */
import { env } from "cloudflare:workers";
import { importCrl } from "../../../src/revocation/crl-import.ts";
import { issueCrl } from "../../../src/sandbox/pki/crl.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp, PERIOD } from "../trust/made-qtsp.ts";

const CRL_URL = "http://sandbox.invalid/crl/unnamed.crl";

/** As in the header `eidas`. Imports the trusted list and the CRL of the QTSP. */
export async function issueUnnamedCertificate(): Promise<string> {
  const qtsp = await makeQtsp({ organisation: "Unnamed QTSP", commonName: "Unnamed CA", crlUrl: CRL_URL });
  await listQtsp(qtsp, "unnamed");
  const { notBefore, notAfter } = PERIOD;
  const crl = await issueCrl({ revoked: [], revokedAt: notBefore, thisUpdate: notBefore, nextUpdate: notAfter }, qtsp);
  const issuer = parseCertificate(new Uint8Array(qtsp.certificate.rawData));
  await importCrl(env.KV, { url: CRL_URL, der: new Uint8Array(crl.rawData), issuer, now: Date.now() });
  const names = { organisation: "Nobody Ltd", commonName: "nobody.example" };
  return eidasOf(await issuePsp(qtsp, { ...names, authNumber: "VATXX-1234567" }));
}
