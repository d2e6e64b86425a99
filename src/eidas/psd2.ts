/** Reads who a PSP is, which NCA authorised it and which roles it claims. Nothing of it is verified. */
import { canonicalCountry } from "../platform/country.ts";
import type { Instant } from "../platform/instant.ts";
import { quote } from "../platform/quotation.ts";
import { type Certificate, findExtension } from "../x509/certificate.ts";
import { AttributeType, findAttribute } from "../x509/name.ts";
import { type AuthorisationNumber, parseAuthorisationNumber } from "./authorisation-number.ts";
import type { WarningCode } from "./every-warning.ts";
import { describeOddCharacters } from "./odd-characters.ts";
import { competentAuthorityRemarks, PSD2_STATEMENT, type Psd2Statement, readPsd2Statement } from "./psd2-statement.ts";
import {
  QC_COMPLIANCE,
  QC_LEGISLATION,
  QC_STATEMENTS_EXTENSION,
  type QcClaims,
  readQcStatements,
  readQcTypes,
} from "./qc-statements.ts";
import { paymentServicesOf, type Role, roleName } from "./roles.ts";
import { type Warning, warning, withPlace } from "./warnings.ts";

/** RFC 6962 section 3.1: marks a precertificate. */
const CT_POISON_EXTENSION = "1.3.6.1.4.1.11129.2.4.3";

/** Limit for the warnings in an answer: a hostile certificate can cause thousands. */
const MAX_WARNINGS = 32;

export interface PspIdentity extends QcClaims {
  /** The subject's organizationName; null if absent. The commonName is not used instead: it often is a host name. */
  readonly pspSubjectName: string | null;
  /** As spelled in the certificate; null if organizationIdentifier contains none, or two different ones. */
  readonly authNumber: string | null;
  /** The normal form, which identifies the PSP: see authorisation-number.ts. Null if `authNumber` is null. */
  readonly pspId: string | null;
  /** From the authorisation number, not from the subject's countryName: ISO 3166-1 alpha-2 (GR, GB). */
  readonly homeCountry: string | null;
  readonly QTSPCommonName: string | null;
  readonly roles: readonly Role[];
  readonly paymentServices: readonly number[];
  readonly ncaName: string | null;
  readonly ncaId: string | null;
  /** This and the next: both inclusive. */
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  /** Deviations from ETSI TS 119 495, one sentence each, which names the field. */
  readonly warnings: readonly Warning[];
}

/** Reads any certificate. Does not throw: a missing field is null, an irregular one gives a warning. */
export function readPsp(certificate: Certificate): PspIdentity {
  const { number, warnings: numberWarnings } = findAuthorisationNumber(certificate);
  const statements = readStatements(certificate);
  const { psd2 } = statements;
  return {
    pspSubjectName: findAttribute(certificate.subject, AttributeType.organizationName) || null,
    authNumber: number?.text ?? null,
    pspId: number?.pspId ?? null,
    homeCountry: number?.country ?? null,
    QTSPCommonName: findAttribute(certificate.issuer, AttributeType.commonName) || null,
    roles: psd2.roles,
    paymentServices: paymentServicesOf(psd2.roles),
    ncaName: psd2.ncaName,
    ncaId: psd2.ncaId,
    qcCompliance: statements.qcCompliance,
    qcLegislation: statements.qcLegislation,
    qcTypes: statements.qcTypes,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    warnings: bounded([
      ...numberWarnings,
      ...subjectWarnings(certificate, number),
      ...statements.warnings,
      ...withPlace("QCStatements: PSD2 statement", competentAuthorityRemarks(psd2, number)),
      ...(findExtension(certificate, CT_POISON_EXTENSION)
        ? [warning("precertificate", "CT poison extension: this is a precertificate, made for a log and not for use")]
        : []),
    ]),
  };
}

type FoundNumber = Extract<AuthorisationNumber, { ok: true }>;

/** None is used if two different ones are authorisation numbers. */
function findAuthorisationNumber(certificate: Certificate): { number: FoundNumber | null; warnings: Warning[] } {
  const attributes = certificate.subject.rdns.flat().filter(({ oid }) => oid === AttributeType.organizationIdentifier);
  if (attributes.length === 0) {
    const sentence = "organizationIdentifier: absent, so there is no authorisation number";
    return { number: null, warnings: [warning("authorisation_number_missing", sentence)] };
  }
  const numbers: FoundNumber[] = [];
  const warnings: Warning[] = [];
  const warn = (code: WarningCode, sentence: string) =>
    warnings.push(warning(code, `organizationIdentifier${sentence}`));
  for (const { value } of attributes) {
    if (value === null) {
      warn("authorisation_number_invalid", ": not a character string");
      continue;
    }
    const number = parseAuthorisationNumber(value);
    const odd = describeOddCharacters(value) ?? [];
    if (number.ok) {
      numbers.push(number);
      for (const deviation of number.deviations.concat(odd))
        warn("authorisation_number_unusual", ` ${quote(number.text)}: ${deviation}`);
    } else {
      const why = [number.message].concat(odd).join("; ");
      warn("authorisation_number_invalid", ` ${quote(value)} is not a PSD2 authorisation number: ${why}`);
    }
  }
  const [number = null, ...others] = numbers;
  if (others.every((other) => other.pspId === number?.pspId)) return { number, warnings };
  warn("authorisation_number_ambiguous", ": several different ones, so none is used");
  return { number: null, warnings };
}

function subjectWarnings(certificate: Certificate, number: FoundNumber | null): Warning[] {
  const warnings: Warning[] = [];
  if (!findAttribute(certificate.subject, AttributeType.organizationName))
    warnings.push(warning("organisation_missing", "subject: no organizationName"));
  const country = findAttribute(certificate.subject, AttributeType.countryName);
  if (country === null) return warnings;
  if (!/^[A-Z]{2}$/.test(country))
    warnings.push(warning("country_invalid", `subject: countryName ${quote(country)} is not a two-letter code`));
  else if (number && canonicalCountry(country) !== number.country)
    warnings.push(
      warning(
        "country_contradicts",
        `subject: countryName ${country} contradicts the authorisation number (${number.country}); the number counts`,
      ),
    );
  return warnings;
}

function readStatements(certificate: Certificate): QcClaims & { psd2: Psd2Statement; warnings: Warning[] } {
  const extension = findExtension(certificate, QC_STATEMENTS_EXTENSION);
  if (!extension)
    return {
      psd2: NO_PSD2_STATEMENT,
      qcCompliance: false,
      qcLegislation: false,
      qcTypes: [],
      warnings: [warning("qc_statements_missing", "QCStatements: the extension is absent, so neither roles nor NCA")],
    };
  const { statements, warnings } = readQcStatements(extension.value);
  const find = (oid: string) => statements.find((statement) => statement.oid === oid);
  const psd2Statement = find(PSD2_STATEMENT);
  const psd2 = psd2Statement ? readPsd2Statement(psd2Statement.info) : NO_PSD2_STATEMENT;
  const { qcTypes, warnings: typeWarnings } = readQcTypes(statements);
  const qcCompliance = find(QC_COMPLIANCE) !== undefined;
  return {
    psd2,
    qcCompliance,
    qcLegislation: find(QC_LEGISLATION) !== undefined,
    qcTypes,
    warnings: [
      ...warnings,
      ...(qcCompliance
        ? []
        : [warning("qc_compliance_missing", "QCStatements: no QcCompliance, so it does not claim to be qualified")]),
      ...typeWarnings,
      ...(psd2Statement
        ? []
        : [warning("psd2_statement_missing", "QCStatements: no PSD2 statement, so neither roles nor NCA")]),
      ...psd2.warnings,
    ],
  };
}

const NO_PSD2_STATEMENT: Psd2Statement = { roles: [], ncaName: null, ncaId: null, warnings: [] };

function bounded(warnings: readonly Warning[]): Warning[] {
  if (warnings.length <= MAX_WARNINGS) return [...warnings];
  const omitted = `${warnings.length - MAX_WARNINGS + 1} more warnings`;
  return [...warnings.slice(0, MAX_WARNINGS - 1), warning("warnings_omitted", omitted)];
}

/** What `npm run admin -- certificate show` prints. */
export function describeCertificate(certificate: Certificate) {
  const { roles, paymentServices, qcTypes, notBefore, notAfter, warnings, ...psp } = readPsp(certificate);
  return {
    fingerprint: certificate.fingerprint,
    pspSubjectName: psp.pspSubjectName,
    authNumber: psp.authNumber,
    homeCountry: psp.homeCountry,
    QTSPCommonName: psp.QTSPCommonName,
    roles: roles.map(roleName),
    paymentServices,
    ncaName: psp.ncaName,
    ncaId: psp.ncaId,
    qcTypes: qcTypes.length > 0 ? qcTypes : null,
    notBefore: toIsoSeconds(notBefore),
    notAfter: toIsoSeconds(notAfter),
    warnings: warnings.map(({ sentence }) => sentence),
  };
}

const toIsoSeconds = (time: Instant): string => new Date(time).toISOString().replace(".000Z", "Z");
