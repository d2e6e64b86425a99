/** Many PSP certificates of one bench QTSP, with the CRL that clears most of them: each is new to the service. */
import { toBase64 } from "../../src/platform/encoding.ts";
import { type Authority, createAuthority } from "../../src/sandbox/pki/authority.ts";
import { issueCrl } from "../../src/sandbox/pki/crl.ts";
import { issuePspCertificate } from "../../src/sandbox/pki/psp-certificate.ts";
import type { TrustList } from "../../src/trust/anchors.ts";

const [NOT_BEFORE, NOT_AFTER, EXPIRED] = ["2020", "2070", "2022"].map(
  (year) => new Date(`${year}-01-01T00:00:00Z`),
) as [Date, Date, Date];
const CRL_URL = "http://bench.invalid/crl/qtsp.crl";
/** Of scenario 1: authorised in XX. */
const PSP = { country: "XX", organisation: "Amber Payments Ltd", authNumber: "PSDXX-TEST-000001" } as const;
const NCA = { ncaName: "Test Authority of XX", ncaId: "XX-TEST" } as const;

export type Fault = "expired" | "revoked" | "unlisted" | null;
/** The fault of the certificate at this index, where faults are asked for. */
export const faultOf = (index: number): Fault =>
  (({ 5: "expired", 9: "revoked", 13: "unlisted" })[index % 17] as Fault | undefined) ?? null;

export interface BenchCertificates {
  readonly issuer: string;
  readonly leaves: readonly string[];
  readonly crl: { url: string; base64: string; issuer: string };
  readonly trust: TrustList;
}

const base64 = ({ rawData }: { rawData: ArrayBuffer }) => toBase64(new Uint8Array(rawData));
const makeQtsp = (commonName: string): Promise<Authority> =>
  createAuthority(
    {
      ...{ country: "XX", organisation: "Bench QTSP Ltd", commonName, key: "rsa-2048", pathLength: 0 },
      ...{ notBefore: NOT_BEFORE, notAfter: NOT_AFTER, crlUrl: CRL_URL },
    },
    null,
  );

/** `faulty`: some of them are as {@link faultOf} says. */
export async function makeCertificates(count: number, faulty = false): Promise<BenchCertificates> {
  const [qtsp, unlisted] = await Promise.all([makeQtsp("Bench QTSP"), makeQtsp("Bench Unlisted QTSP")]);
  const issued = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const fault = faulty ? faultOf(index) : null;
      const notAfter = fault === "expired" ? EXPIRED : NOT_AFTER;
      const own = {
        commonName: `psd2-${index}.bench.invalid`,
        key: "p-256",
        type: "web",
        notBefore: NOT_BEFORE,
      } as const;
      const request = { ...PSP, ...NCA, ...own, notAfter, roles: ["PSP_PI", "PSP_AI"] as const };
      return { fault, certificate: await issuePspCertificate(request, fault === "unlisted" ? unlisted : qtsp) };
    }),
  );
  const revoked = issued.filter(({ fault }) => fault === "revoked").map(({ certificate }) => certificate);
  const crl = await issueCrl({ revoked, revokedAt: EXPIRED, thisUpdate: NOT_BEFORE, nextUpdate: NOT_AFTER }, qtsp);
  const issuer = base64(qtsp.certificate);
  const list = { source: "bench", jurisdiction: "XX" };
  const period = { status: "granted", from: NOT_BEFORE.toISOString(), uses: null };
  const names = { qtspName: "Bench QTSP", serviceName: "Bench QTSP" };
  const dates = { issuedAt: NOT_BEFORE.toISOString(), nextUpdate: NOT_AFTER.toISOString() };
  const anchor = { certificate: issuer, ...list, ...names, periods: [period] };
  return {
    issuer,
    leaves: issued.map(({ certificate }) => base64(certificate)),
    crl: { url: CRL_URL, base64: base64(crl), issuer },
    trust: { ...list, ...dates, sequenceNumber: 1, services: 1, anchors: [anchor] },
  };
}
