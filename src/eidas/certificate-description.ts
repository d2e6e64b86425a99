/** The fields of a certificate that `npm run admin -- certificate show` prints. */
import type { Certificate } from "../x509/certificate.ts";
import { readPsp } from "./psd2.ts";
import { roleName } from "./roles.ts";

export interface CertificateDescription {
  /** SHA-256 of the DER, hex. */
  fingerprint: string;
  pspSubjectName: string | null;
  authNumber: string | null;
  homeCountry: string | null;
  QTSPCommonName: string | null;
  /** Role names of TS 119 495 in the certificate's order; an unknown role is given by its OID. */
  roles: string[];
  paymentServices: number[];
  ncaName: string | null;
  ncaId: string | null;
  /** Object identifiers; null if the certificate has no QcType. */
  qcTypes: string[] | null;
  /** ISO 8601 in UTC, whole seconds. */
  notBefore: string;
  notAfter: string;
  warnings: string[];
}

export function describeCertificate(certificate: Certificate): CertificateDescription {
  const psp = readPsp(certificate);
  return {
    fingerprint: certificate.fingerprint,
    pspSubjectName: psp.pspSubjectName,
    authNumber: psp.authNumber,
    homeCountry: psp.homeCountry,
    QTSPCommonName: psp.QTSPCommonName,
    roles: psp.roles.map(roleName),
    paymentServices: [...psp.paymentServices],
    ncaName: psp.ncaName,
    ncaId: psp.ncaId,
    qcTypes: psp.qcTypes.length > 0 ? [...psp.qcTypes] : null,
    notBefore: toIsoSeconds(psp.notBefore),
    notAfter: toIsoSeconds(psp.notAfter),
    warnings: psp.warnings.map(({ sentence }) => sentence),
  };
}

const toIsoSeconds = (time: number): string => new Date(time).toISOString().replace(".000Z", "Z");
