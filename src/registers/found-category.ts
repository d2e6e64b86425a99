/** A category of a PSP as a check takes it: of all registers of the country together (merge.ts). */
import type { AuthorisationStatus, CategoryRecord, PaymentServices, PspRecord } from "./psp-record.ts";
import type { RegisterSource } from "./sources.ts";

export interface FoundCategory {
  /** The first that has the category; its names count. */
  readonly source: RegisterSource;
  readonly psp: PspRecord;
  /** What counts, of all sources together: at the instant of the merge if there are several. */
  readonly record: CategoryRecord;
  /** Set if none of the sources that have the category publishes passports: what the record has of them is not all. */
  readonly passports?: "not published";
  /** What each source says, if they contradict each other. */
  readonly statements?: readonly Statement[];
}

/** What one source says of a category; absent: what it does not publish. */
export interface Statement {
  readonly source: RegisterSource;
  /** Null: not documented. "Not listed": it lacks the PSP, and is whole. */
  readonly status?: AuthorisationStatus | null | "Not listed";
  readonly services?: PaymentServices;
  /** Other country -> services there, in whichever way. */
  readonly passports?: Readonly<Record<string, PaymentServices>>;
}
