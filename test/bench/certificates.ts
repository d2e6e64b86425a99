/** Many PSP certificates of one bench QTSP, with the CRL that clears them: each new to the service, none revoked. */
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { toBase64 } from "../../src/platform/encoding.ts";
import type { TrustList } from "../../src/trust/anchors.ts";

const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const CRL_URL = "http://bench.invalid/crl/qtsp.crl";
const CRL_NUMBER = "2.5.29.20";
const ONE = new Uint8Array([2, 1, 1]);
const NOT_BEFORE = new Date("2020-01-01T00:00:00Z");
const NOT_AFTER = new Date("2070-01-01T00:00:00Z");

export interface BenchCertificates {
  readonly issuer: string;
  readonly leaves: readonly string[];
  readonly crl: { url: string; base64: string; issuer: string };
  readonly trust: TrustList;
}

const base64 = (data: ArrayBuffer) => toBase64(new Uint8Array(data));

/** QCStatements of `donor` (a sandbox certificate) in every leaf, so that they are read as PSD2 certificates. */
export async function makeCertificates(count: number, donorPem: string): Promise<BenchCertificates> {
  const keys = (await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"])) as CryptoKeyPair;
  const name = "C=XX, O=Bench QTSP Ltd, CN=Bench QTSP";
  const issuer = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    notBefore: NOT_BEFORE,
    notAfter: NOT_AFTER,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const donor = new x509.X509Certificate(donorPem);
  const qcStatements = donor.getExtension("1.3.6.1.5.5.7.1.3");
  if (!qcStatements) throw new Error("the donor has no QCStatements");
  // one key for all: what is measured is the issuer's signature on each, not the leaf's own key
  const leafKeys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const extensions = [
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    await x509.SubjectKeyIdentifierExtension.create(leafKeys.publicKey),
    await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
    new x509.CRLDistributionPointsExtension([CRL_URL]),
    qcStatements,
  ];
  const leaves: string[] = [];
  for (let i = 0; i < count; i++) {
    const leaf = await x509.X509CertificateGenerator.create({
      serialNumber: (i + 1).toString(16).padStart(8, "0"),
      subject: donor.subject,
      issuer: name,
      notBefore: NOT_BEFORE,
      notAfter: NOT_AFTER,
      publicKey: leafKeys.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions,
    });
    leaves.push(base64(leaf.rawData));
  }
  const crl = await x509.X509CrlGenerator.create({
    issuer: name,
    thisUpdate: NOT_BEFORE,
    nextUpdate: NOT_AFTER,
    signingKey: keys.privateKey,
    signingAlgorithm: ALGORITHM,
    entries: [],
    extensions: [
      await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
      new x509.Extension(CRL_NUMBER, false, ONE),
    ],
  });
  const certificate = base64(issuer.rawData);
  const period = { status: "granted", from: NOT_BEFORE.toISOString(), uses: null };
  const anchor = {
    certificate,
    source: "bench",
    jurisdiction: "XX",
    qtspName: "Bench QTSP",
    serviceName: "Bench QTSP",
    periods: [period],
  };
  const trust = {
    source: "bench",
    jurisdiction: "XX",
    sequenceNumber: 1,
    issuedAt: NOT_BEFORE.toISOString(),
    nextUpdate: NOT_AFTER.toISOString(),
    services: 1,
    anchors: [anchor],
  };
  return {
    issuer: certificate,
    leaves,
    crl: { url: CRL_URL, base64: base64(crl.rawData), issuer: certificate },
    trust,
  };
}
