/** A PSP's register entry, as stored: one record for each PSP, country and source. */
import { ALL_PAYMENT_SERVICES, CATEGORIES_WITH_ALL_SERVICES, type Category, type PaymentServices } from "./category.ts";

/**
 * The sources of a country's register, in order of precedence: a category that is in two of them is taken from the
 * first. Each source is imported, stored and refreshed separately.
 */
export const REGISTER_SOURCES = ["nca", "credit-institutions", "eba"] as const;
export type RegisterSource = (typeof REGISTER_SOURCES)[number];

export const AUTHORISATION_STATUSES = ["Authorised", "Registered", "Unauthorised", "Withdrawn"] as const;
export type AuthorisationStatus = (typeof AUTHORISATION_STATUSES)[number];

export interface CategoryRecord {
  /** Null if the register does not document it. "Branch" is not one of the interface's categories. */
  readonly category: Category | "Branch" | null;
  readonly legalName: string;
  /**
   * The status in the register, or the days (YYYY-MM-DD, ascending) on which authorisation was alternately given and
   * withdrawn. In the latter case status.ts derives the status at a given time.
   */
  readonly status: AuthorisationStatus | null | readonly string[];
  /** In the register's own country. */
  readonly services: PaymentServices;
  /** Other country -> services there. */
  readonly passportOut: Readonly<Record<string, PaymentServices>>;
  /** The home country of a foreign PSP in a host register, if that register states it. */
  readonly passportIn?: string;
}

export interface PspRecord {
  /** As spelled in the register, or composed from the NCA and the reference there. */
  readonly authNumber: string;
  readonly agent: boolean;
  /** ISO 8601: of an entry that stays because the record in a later snapshot is malformed: when its own was published. */
  readonly asOf?: string;
  /** In the register's order. */
  readonly categories: readonly CategoryRecord[];
}

/** Payment services in the home country. */
export const servicesOf = ({ category, services }: CategoryRecord): PaymentServices =>
  CATEGORIES_WITH_ALL_SERVICES.has(category) ? ALL_PAYMENT_SERVICES : services;
