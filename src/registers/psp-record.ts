/** What a register says of a PSP, as it is stored: one record per PSP, country and source. */
import type { AgentRoll } from "./agent-roll.ts";

/**
 * Where a country's register comes from, in order of precedence: a category that stands in two of them is taken from
 * the earlier. Each is imported, stored and refreshed apart from the others.
 */
export const REGISTER_SOURCES = ["nca", "credit-institutions", "eba"] as const;
export type RegisterSource = (typeof REGISTER_SOURCES)[number];

/** The interface's register category names. */
export const CATEGORIES = [
  "Payment Institution",
  "Exempt Payment Institution",
  "E-Money Institution",
  "Exempt E-Money Institution",
  "AISP",
  "Credit Institution",
] as const;
export type Category = (typeof CATEGORIES)[number];

export const AUTHORISATION_STATUSES = ["Authorised", "Registered", "Unauthorised", "Withdrawn"] as const;
export type AuthorisationStatus = (typeof AUTHORISATION_STATUSES)[number];

/** Payment services 1 to 8, ascending. */
export type PaymentServices = readonly number[];
export const ALL_PAYMENT_SERVICES: PaymentServices = [1, 2, 3, 4, 5, 6, 7, 8];

export interface CategoryRecord {
  /** Null when the register does not document it; a branch is no category of institution, but is called one here. */
  readonly category: Category | "Branch" | null;
  readonly legalName: string;
  /**
   * As the register says, or the days (YYYY-MM-DD, ascending) on which authorisation was given and withdrawn by turns:
   * the status then depends on when one asks.
   */
  readonly status: AuthorisationStatus | null | readonly string[];
  /** What the PSP may do in the register's own country. */
  readonly services: PaymentServices;
  /** Country -> what the PSP may do there. */
  readonly passportOut: Readonly<Record<string, PaymentServices>>;
  /** Home country of a foreign PSP in a host register, where that register tells. */
  readonly passportIn?: string;
}

export interface PspRecord {
  /** As the register spells it, or as it is composed from what the register says. */
  readonly authNumber: string;
  readonly agent: boolean;
  /** In the order of the register. */
  readonly categories: readonly CategoryRecord[];
}

/** What the PSP may do in its home country: a credit institution everything, whatever its register writes. */
export const servicesOf = ({ category, services }: CategoryRecord): PaymentServices =>
  category === "Credit Institution" ? ALL_PAYMENT_SERVICES : services;

/** One country's register by one source, read and valid, ready to be stored. */
export interface Register {
  readonly country: string;
  readonly source: RegisterSource;
  readonly ncaId: string;
  readonly ncaName: string;
  /** ISO instant. */
  readonly published: string;
  readonly psps: readonly PspRecord[];
  /** Agents, where there are too many for a record each: they have a name and nothing else. */
  readonly agents: AgentRoll;
  /** PSPs whose records are malformed: what is stored of them stays as it is. */
  readonly refused: readonly RefusedPsp[];
}

export interface RefusedPsp {
  readonly authNumber: string;
  readonly reason: string;
}
