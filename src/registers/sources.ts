/**
 * The sources of registers, one row each, in order of precedence: the names of a category that is in two of them are those of
 * the first, and what else they say of it is taken together (merge.ts). Each is imported, stored and refreshed separately. A
 * new one is a row here and its reader in import/; one that the service fetches has its step in refresh/, too.
 */
import type { Category } from "./psp-record.ts";

interface SourceRow {
  /** The register in words, after "those of". */
  readonly title: string;
  /** Whether its files may also have the project's own form (import/own-form.ts), one country in each. */
  readonly ownForm: boolean;
  /**
   * Whether it has the services of its PSPs, and their passports. One without them says nothing of them. One file may lack
   * them, and may be whole: see {@link Published}. What no source has of banks, nobody publishes.
   */
  readonly services: "published" | "not published";
  readonly passports: "published" | "not published";
  /** Whether the service fetches it, all countries at once; the operator imports the others. */
  readonly fetched: boolean;
  /**
   * Whether it names who is withdrawn. Else these are no longer in it: a PSP that a fetch lacks stays as it was, until a second
   * one agrees.
   */
  readonly namesWithdrawn: boolean;
  /** Whether its agents are stored apart from its PSPs: there are fifty to one institution, and they are rarely read. */
  readonly agentsApart: boolean;
  /** The setting of wrangler.toml for the age in hours from which it is stale, and what it is without the setting. */
  readonly maxAge: { readonly setting: string; readonly hours: number };
}

/** What a source, or one file of it, does not publish. */
export const LACKING = ["services", "passports"] as const;
export type Lacking = (typeof LACKING)[number];

/** What a file publishes, where that differs from its source's row. */
export interface Published {
  readonly lacks?: readonly Lacking[];
  /** The categories of which it has every PSP of its country. */
  readonly whole?: readonly Category[];
}

const MONTH_HOURS = 31 * 24;

export const SOURCES = {
  nca: {
    title: "the authority's own register",
    ...{ ownForm: true, fetched: false, namesWithdrawn: true, agentsApart: false },
    ...{ services: "published", passports: "published" },
    maxAge: { setting: "REGISTER_MAX_AGE_HOURS_NCA", hours: MONTH_HOURS },
  },
  // the EBA's, fetched daily. A country's file in the own form takes its place until the next fetch
  "credit-institutions": {
    title: "the EBA's register of credit institutions",
    ...{ ownForm: true, fetched: true, namesWithdrawn: false, agentsApart: false },
    ...{ services: "not published", passports: "not published" },
    maxAge: { setting: "REGISTER_MAX_AGE_HOURS_CREDIT_INSTITUTIONS", hours: 48 },
  },
  // published daily
  eba: {
    title: "the EBA's register",
    ...{ ownForm: false, fetched: true, namesWithdrawn: true, agentsApart: true },
    ...{ services: "published", passports: "published" },
    maxAge: { setting: "REGISTER_MAX_AGE_HOURS_EBA", hours: 48 },
  },
} as const satisfies Readonly<Record<string, SourceRow>>;

export type RegisterSource = keyof typeof SOURCES;

export const REGISTER_SOURCES = Object.keys(SOURCES) as RegisterSource[];

type FetchedSource = {
  [Source in RegisterSource]: (typeof SOURCES)[Source]["fetched"] extends true ? Source : never;
}[RegisterSource];

/** What the service fetches. */
export const FETCHED_REGISTERS = REGISTER_SOURCES.filter((source): source is FetchedSource => SOURCES[source].fetched);

/** For what knows the EBA's forms or addresses. */
export const EBA = "eba" as const satisfies RegisterSource;
export const BANKS = "credit-institutions" as const satisfies RegisterSource;
