/**
 * Whether a certificate is qualified for a use at one time: TS 119 615 clause 4.4.4, tables 2 (seals) and 3 (websites).
 * A PSP's is for one of these (RTS article 34).
 */
import type { CertificateUse, Criterion, Qualification } from "../trust/anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { type PathExtensions, readPathExtensions } from "../x509/extensions.ts";
import { type QcClaims, USE_OF_QC_TYPE } from "./qc-statements.ts";

export const PSP_USES = ["web-authentication", "seal"] as const satisfies readonly CertificateUse[];
export type PspUse = (typeof PSP_USES)[number];

export function claimedUses(qcTypes: readonly string[]): PspUse[] {
  const known: Readonly<Record<string, CertificateUse>> = USE_OF_QC_TYPE;
  return PSP_USES.filter((use) => qcTypes.some((oid) => known[oid] === use));
}

export type QualifiedUse =
  /** `typedByList`: the list states the use, so QcType is not considered. */
  | { readonly ok: true; readonly typedByList: boolean }
  | { readonly ok: false; readonly by: "certificate" | "list"; readonly message: string };

const TYPE_QUALIFIERS: Readonly<Record<string, CertificateUse>> = {
  QCForESig: "signature",
  QCForESeal: "seal",
  QCForWSA: "web-authentication",
};
/** TS 119 612 section 5.5.9.2.3. The qualifiers about the device that holds the key have no effect for a PSP. */
const KNOWN_QUALIFIERS: ReadonlySet<string> = new Set([
  ...Object.keys(TYPE_QUALIFIERS),
  ...["NotQualified", "QCStatement", "QCForLegalPerson"],
  ...["QCWithSSCD", "QCNoSSCD", "QCSSCDStatusAsInCert"],
  ...["QCWithQSCD", "QCNoQSCD", "QCQSCDStatusAsInCert", "QCQSCDManagedOnBehalf"],
]);

export interface UseQuestion {
  readonly certificate: Certificate;
  readonly claims: QcClaims;
  readonly use: CertificateUse;
  readonly qualifications: readonly Qualification[];
}

export function judgeUse({ certificate, claims, use, qualifications }: UseQuestion): QualifiedUse {
  const applied = findApplied(certificate, qualifications);
  if (typeof applied === "string") return { ok: false, by: "list", message: applied };
  const problem = findListProblem(applied, use);
  if (problem) return { ok: false, by: "list", message: problem };
  const claim = applied.has("QCStatement") ? null : findClaimProblem(claims);
  if (claim) return { ok: false, by: "certificate", message: claim };
  const typedByList = [...applied].some((qualifier) => TYPE_QUALIFIERS[qualifier] === use);
  const type = typedByList ? null : findTypeProblem(claims, use);
  return type ? { ok: false, by: "certificate", message: type } : { ok: true, typedByList };
}

/** TS 119 612 section 5.5.9: a critical extension must be understood, another may be ignored. */
function findApplied(certificate: Certificate, qualifications: readonly Qualification[]): Set<string> | string {
  const applied = new Set<string>();
  for (const { qualifiers, criteria, critical } of qualifications) {
    const met = meets(certificate, criteria);
    if (met === null && critical)
      return `the trusted list qualifies certificates by criteria that are not supported: ${findUnknown(criteria) ?? "their extensions"}`;
    if (!met) continue;
    const unknown = qualifiers.find((qualifier) => !KNOWN_QUALIFIERS.has(qualifier));
    if (unknown !== undefined && critical)
      return `the trusted list has an unknown qualifier for the certificate: ${unknown}`;
    for (const qualifier of qualifiers) applied.add(qualifier);
  }
  return applied;
}

function findUnknown(criterion: Criterion): string | null {
  if ("unknown" in criterion) return criterion.unknown;
  const {
    all = [],
    atLeastOne = [],
    none = [],
  } = criterion as Partial<Record<"all" | "atLeastOne" | "none", Criterion[]>>;
  for (const part of [...all, ...atLeastOne, ...none]) {
    const unknown = findUnknown(part);
    if (unknown !== null) return unknown;
  }
  return null;
}

/** PRO-4.4.4-20 and -28, and the column for NotQualified in the tables. */
function findListProblem(applied: ReadonlySet<string>, use: CertificateUse): string | null {
  const types = [...applied].filter((qualifier) => Object.hasOwn(TYPE_QUALIFIERS, qualifier));
  if (types.length > 1) return `the trusted list contradicts itself on the certificate: ${types.join(" and ")}`;
  if (applied.has("NotQualified"))
    return applied.has("QCStatement")
      ? "the trusted list contradicts itself on the certificate: NotQualified and QCStatement"
      : "the trusted list says that the certificate is not a qualified one (NotQualified)";
  const [type] = types;
  const named = type === undefined ? undefined : TYPE_QUALIFIERS[type];
  return named === undefined || named === use
    ? null
    : `the trusted list says that the certificate is for ${named} (${type})`;
}

function findClaimProblem({ qcCompliance, qcLegislation }: QcClaims): string | null {
  if (!qcCompliance) return "the certificate has no QcCompliance, so it does not claim to be qualified";
  // EN 319 412-5 clause 4.2.4: absent if the certificate is qualified under EU law
  return qcLegislation ? "the certificate is qualified under a law other than EU law (QcCClegislation)" : null;
}

/** A certificate without QcType is for signatures: table 1, row 1. */
function findTypeProblem({ qcTypes }: QcClaims, use: CertificateUse): string | null {
  if (use === "signature")
    return qcTypes.every((oid) => oid === SIGNATURE) ? null : "the certificate's QcType is not for signatures only";
  if (qcTypes.length === 0) return "the certificate has no QcType, so its purpose is not stated";
  const claimed = claimedUses(qcTypes);
  if (claimed.length === 0) return "the certificate's QcType is neither for website authentication nor for seals";
  return claimed.includes(use) ? null : `the certificate's QcType is not for ${use}`;
}

const SIGNATURE = "0.4.0.1862.1.6.1";

/** Null if the result depends on an unknown criterion. */
export function meets(certificate: Certificate, criterion: Criterion): boolean | null {
  if ("all" in criterion) return every(criterion.all.map((each) => meets(certificate, each)));
  if ("atLeastOne" in criterion) return some(criterion.atLeastOne.map((each) => meets(certificate, each)));
  if ("none" in criterion) return not(some(criterion.none.map((each) => meets(certificate, each))));
  if ("subject" in criterion) {
    const held = certificate.subject.rdns.flat().filter(({ value }) => value !== "");
    const attributes = new Set(held.map(({ oid }) => oid));
    return criterion.subject.every((oid) => attributes.has(oid));
  }
  const reading = readPathExtensions(certificate);
  return reading.ok ? meetsByExtensions(reading.extensions, criterion) : null;
}

/** An absent extension has no bits set and contains no identifiers. */
function meetsByExtensions(
  { keyUsage, policies, extendedKeyUsage }: PathExtensions,
  criterion: Criterion,
): boolean | null {
  if ("keyUsage" in criterion) {
    const { set, clear } = criterion.keyUsage;
    return ((keyUsage ?? 0) & (set | clear)) === set;
  }
  if ("policies" in criterion) return criterion.policies.every((oid) => policies?.has(oid) === true);
  if ("purposes" in criterion) return criterion.purposes.every((oid) => extendedKeyUsage?.includes(oid) === true);
  return null;
}

// three-valued logic: null (unknown) unless the known values decide the result
const every = (values: readonly (boolean | null)[]): boolean | null =>
  values.includes(false) ? false : values.includes(null) ? null : true;
const some = (values: readonly (boolean | null)[]): boolean | null =>
  values.includes(true) ? true : values.includes(null) ? null : false;
const not = (value: boolean | null): boolean | null => (value === null ? null : !value);
