/** The qcStatements extension (RFC 3739 section 3.2.6), QcType (ETSI EN 319 412-5 clause 4.2.3). Nothing is thrown. */
import { children, type Der, DerError, expect, readDer, Tag } from "../x509/der.ts";
import { readOid } from "../x509/der-values.ts";
import { type Warning, warning, withPlace } from "./warnings.ts";

export const QC_STATEMENTS_EXTENSION = "1.3.6.1.5.5.7.1.3";
export const QC_COMPLIANCE = "0.4.0.1862.1.1";
const QC_TYPE = "0.4.0.1862.1.6";
/** EN 319 412-5 clause 4.2.4: the countries under whose law the certificate is qualified, if not under EU law. */
export const QC_LEGISLATION = "0.4.0.1862.1.7";

/** The standards define about a dozen. If there are more than this, none is read: it bounds the work. */
const MAX_STATEMENTS = 64;

/** The use that each QcType stands for, as a `CertificateUse` of the trusted lists. */
export const USE_OF_QC_TYPE = {
  "0.4.0.1862.1.6.1": "signature",
  "0.4.0.1862.1.6.2": "seal",
  "0.4.0.1862.1.6.3": "web-authentication",
} as const;

export interface QcClaims {
  readonly qcCompliance: boolean;
  /** Whether QcCClegislation is present: the certificate is then qualified under a law other than the EU's. */
  readonly qcLegislation: boolean;
  readonly qcTypes: readonly string[];
}

export interface QcStatement {
  readonly oid: string;
  readonly info: Der | null;
}

/** Of those with one object identifier the first counts, and of QcType each. A bare QCStatement without the outer SEQUENCE OF is read as a list of one, with a warning. */
export function readQcStatements(value: Uint8Array) {
  const warnings: Warning[] = [];
  const malformed = (sentence: string) => warnings.push(warning("qc_statements_malformed", sentence));
  const statements: QcStatement[] = [];
  const keep = (statement: QcStatement) => {
    const { oid } = statement;
    if (statements.some((other) => other.oid === oid)) {
      const sentence = `QCStatements: ${oid} appears twice; ${oid === QC_TYPE ? "each" : "the first"} counts`;
      warnings.push(warning("qc_statement_repeated", sentence));
    }
    statements.push(statement);
  };
  const attempt = (read: () => void) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof DerError)) throw error;
      malformed(error.message);
    }
  };
  attempt(() => {
    const list = expect(readDer(value, "QCStatements"), Tag.sequence, "QCStatements");
    const entries = children(list, "QCStatements");
    if (entries[0]?.tag === Tag.oid) {
      malformed("QCStatements: a bare QCStatement without the outer SEQUENCE OF");
      keep(readStatement(list, "QCStatements"));
      return;
    }
    if (entries.length > MAX_STATEMENTS) throw new DerError(`QCStatements: ${entries.length} statements`);
    for (const [i, entry] of entries.entries())
      attempt(() => keep(readStatement(entry, `QCStatements: statement ${i + 1}`)));
  });
  return { statements, warnings };
}

function readStatement(der: Der, what: string): QcStatement {
  const [oid, info, ...more] = children(expect(der, Tag.sequence, what), what);
  if (more.length > 0) throw new DerError(`${what}: ${more.length + 2} parts instead of two`);
  return { oid: readOid(oid, what), info: info ?? null };
}

interface QcTypes {
  readonly qcTypes: string[];
  readonly warnings: Warning[];
}

/** Of two statements each counts: two uses do not become one. None counts beside one that names none. */
export function readQcTypes(statements: readonly QcStatement[]): QcTypes {
  const read = statements.filter(({ oid }) => oid === QC_TYPE).map(readQcType);
  if (read.length === 0) {
    const sentence = "QCStatements: QcType: absent, so the certificate's purpose is not stated";
    return { qcTypes: [], warnings: [warning("qc_type_missing", sentence)] };
  }
  const unclear = read.some(({ qcTypes }) => qcTypes.length === 0);
  return {
    qcTypes: unclear ? [] : read.flatMap(({ qcTypes }) => qcTypes),
    warnings: read.flatMap(({ warnings }) => warnings),
  };
}

function readQcType({ info }: QcStatement): QcTypes {
  const what = "QCStatements: QcType";
  try {
    if (info?.tag === Tag.oid) {
      const sentence = `${what}: a bare OID without the SEQUENCE OF`;
      return { qcTypes: [readOid(info, what)], warnings: [warning("qc_statements_malformed", sentence)] };
    }
    const list = children(expect(info ?? undefined, Tag.sequence, what), what);
    const qcTypes = list.map((type) => readOid(type, what));
    return { qcTypes, warnings: withPlace(what, qcTypeRemarks(qcTypes)) };
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    return { qcTypes: [], warnings: [warning("qc_statements_malformed", error.message)] };
  }
}

function qcTypeRemarks(qcTypes: readonly string[]): Warning[] {
  if (qcTypes.length === 0) return [warning("qc_type_missing", "empty, so the certificate's purpose is not stated")];
  const uses: Readonly<Record<string, string>> = USE_OF_QC_TYPE;
  const remarks = qcTypes.filter((type) => !(type in uses)).map((type) => `${type} is unknown`);
  // EN 319 412-5 clause 4.2.3: exactly one of the three
  if (qcTypes.length > 1) remarks.push(`${qcTypes.length} types instead of one`);
  // TS 119 495 clause 4.3: certificates for seals and for website authentication
  else if (uses[qcTypes[0] ?? ""] === "signature") remarks.push("for signatures of a person, not for a PSP");
  return remarks.map((remark) => warning("qc_type_invalid", remark));
}
