/** QTSPs that a test makes: their certificates, the trusted list with them, and the PSP certificates that they issue. */
import "reflect-metadata";
import { env } from "cloudflare:workers";
import type { X509Certificate } from "@peculiar/x509";
import { type Authority, type AuthorityRequest, createAuthority } from "../../../src/sandbox/pki/authority.ts";
import { issuePspCertificate, type PspCertificateRequest } from "../../../src/sandbox/pki/psp-certificate.ts";
import type { StatusPeriod } from "../../../src/trust/anchors.ts";
import { importTrustList } from "../../../src/trust/trust-import.ts";

/** The validity of all certificates made here. */
export const PERIOD = { notBefore: new Date("2020-01-01T00:00:00Z"), notAfter: new Date("2070-01-01T00:00:00Z") };
const FROM = PERIOD.notBefore.toISOString();

/** A certificate authority of country XX with a P-256 key; self-signed without an `issuer`. */
export const makeQtsp = (
  names: Pick<AuthorityRequest, "organisation" | "commonName" | "crlUrl" | "certificateUrl"> & {
    readonly pathLength?: number;
  },
  issuer: Authority | null = null,
): Promise<Authority> => createAuthority({ country: "XX", key: "p-256", pathLength: 0, ...PERIOD, ...names }, issuer);

/** A certificate of a PSP of country XX, for websites and account information unless `fields` say otherwise. */
export const issuePsp = (
  qtsp: Authority,
  fields: Pick<PspCertificateRequest, "organisation" | "commonName"> & Partial<PspCertificateRequest>,
  keys?: { readonly publicKey: CryptoKey },
): Promise<X509Certificate> =>
  issuePspCertificate(
    {
      country: "XX",
      authNumber: "PSDXX-TEST-000001",
      type: "web",
      roles: ["PSP_AI"],
      ncaName: "Test Authority of XX",
      ncaId: "XX-TEST",
      key: "p-256",
      ...PERIOD,
      ...fields,
    },
    qtsp,
    keys,
  );

/** Imports a trusted list of `source` that has only this QTSP, granted since the start of {@link PERIOD}. */
export async function listQtsp(
  qtsp: Authority,
  source: string,
  { jurisdiction = "XX", ...status }: Partial<StatusPeriod> & { readonly jurisdiction?: string } = {},
): Promise<void> {
  const names = { qtspName: qtsp.certificate.subject, serviceName: qtsp.certificate.subject };
  const period = { status: "granted", from: FROM, uses: null, ...status };
  const anchor = { ...names, certificate: eidasOf(qtsp.certificate), source, jurisdiction, periods: [period] };
  const list = { source, jurisdiction, sequenceNumber: 1, issuedAt: FROM, nextUpdate: null, services: 1 };
  await importTrustList(env.KV, { ...list, anchors: [anchor] }, Date.now());
}

/** Imports a list of lists that names every published one, in its period for as long as {@link PERIOD}: without one none counts. */
export async function loadListOfLists(now = Date.now()): Promise<void> {
  const head = { source: "eIDAS", jurisdiction: "EU", sequenceNumber: 1, issuedAt: FROM, services: 0 };
  await importTrustList(env.KV, { ...head, nextUpdate: PERIOD.notAfter.toISOString(), anchors: [] }, now);
}

/** The header `eidas` with these certificates: base64 of their DER, one after another. */
export const eidasOf = (...chain: readonly X509Certificate[]): string =>
  Buffer.concat(chain.map((certificate) => new Uint8Array(certificate.rawData))).toString("base64");
