/** A PSP's register entry, as stored: one record for each PSP, country and source. */

export const AUTHORISATION_STATUSES = ["Authorised", "Registered", "Unauthorised", "Withdrawn"] as const;
export type AuthorisationStatus = (typeof AUTHORISATION_STATUSES)[number];

export interface CategoryRecord {
  /** Null if the register does not document it. "Branch", and what is no authorisation, are none of the interface's categories. */
  readonly category: Category | "Branch" | OutsidePsd2 | null;
  /** In Latin letters where the register has one. */
  readonly legalName: string;
  /** The register's other names, if it has any. */
  readonly otherNames?: readonly string[];
  /**
   * The status in the register, or the days (YYYY-MM-DD, ascending) on which authorisation was alternately given and
   * withdrawn. In the latter case status.ts derives the status at a given time.
   */
  readonly status: AuthorisationStatus | null | readonly string[];
  /** In the register's own country. */
  readonly services: PaymentServices;
  /** Other country -> services there by free provision of services. */
  readonly passportOut: Readonly<Record<string, PaymentServices>>;
  /** Other country -> services of an active branch there; absent if there is none. */
  readonly established?: Readonly<Record<string, PaymentServices>>;
  /** The home country of a foreign PSP in a host register, if that register states it. */
  readonly passportIn?: string;
}

/** What a number of an entity is, beside its reference in the register. */
export const NUMBER_KINDS = [
  "lei",
  "bafin_id",
  "cib",
  "siren",
  "tax_number",
  "company_number",
  "supervisor_number",
  "register_number",
] as const;
export type NumberKind = (typeof NUMBER_KINDS)[number];

export interface EntityNumber {
  readonly kind: NumberKind;
  readonly number: string;
}

/** Of an entry's copy under a number that is not the register's: number-links.ts. */
export interface EntryLink {
  /** Of certificates, in normal form. */
  readonly number: string;
  /** What the number is, and who said so when; null: what is said of it contradicts itself, and the copy has no category. */
  readonly by: LinkOrigin | null;
}

export interface LinkOrigin {
  readonly kind: NumberKind;
  readonly source: string;
  /** YYYY-MM-DD; null of a rule. */
  readonly asOf: string | null;
}

/** In place of a file's, of numbers that follow from each other. */
export const RULE_SOURCE = "rule";

export interface PspRecord {
  /** Of a copy only. */
  readonly link?: EntryLink;
  /** As spelled in the register, or composed from the NCA and the reference there. */
  readonly authNumber: string;
  /** The entity's other numbers in the register. By themselves they find nothing: a certificate has none of them, a link does. */
  readonly numbers?: readonly EntityNumber[];
  readonly agent: boolean;
  /** ISO 8601: of an entry that stays because its record in a later snapshot is malformed, or missing: when its own was published. */
  readonly asOf?: string;
  /** ISO 8601: of an entry that stays although a later fetch lacks it: when the first such fetch was. */
  readonly absentSince?: string;
  readonly categories: readonly CategoryRecord[];
}

/** The number that finds an entry: of a copy that of its link. */
export const findableNumber = ({ link, authNumber }: Pick<PspRecord, "link" | "authNumber">): string =>
  link?.number ?? authNumber;

/** Payment services in the home country. */
export const servicesOf = ({ category, services }: CategoryRecord): PaymentServices =>
  CATEGORIES_WITH_ALL_SERVICES.has(category) ? ALL_PAYMENT_SERVICES : services;

export const CATEGORIES = [
  "Payment Institution",
  "Exempt Payment Institution",
  "E-Money Institution",
  "Exempt E-Money Institution",
  "AISP",
  "Credit Institution",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** What the EBA's register has beside authorisations (PSD_EXC, PSD_ENL): they entitle to nothing here. */
export const OUTSIDE_PSD2 = ["Excluded from PSD2", "Entitled under national law"] as const;
export type OutsidePsd2 = (typeof OUTSIDE_PSD2)[number];

export const isOutsidePsd2 = (category: CategoryRecord["category"]): category is OutsidePsd2 =>
  OUTSIDE_PSD2.some((outside) => outside === category);

/** PSPs of these categories are registered instead of authorised (interface, "PSP check result"). */
export const REGISTERED_INSTEAD_OF_AUTHORISED: ReadonlySet<string> = new Set<Category>([
  "Exempt Payment Institution",
  "Exempt E-Money Institution",
  "AISP",
]);

/** Payment services 1 to 8, ascending. */
export type PaymentServices = readonly number[];
export const ALL_PAYMENT_SERVICES: PaymentServices = [1, 2, 3, 4, 5, 6, 7, 8];

/** A credit institution has all eight payment services in its home country, whatever its register states. */
const CATEGORIES_WITH_ALL_SERVICES: ReadonlySet<string | null> = new Set<Category>(["Credit Institution"]);
