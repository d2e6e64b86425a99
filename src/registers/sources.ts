/**
 * The sources of registers, one row each, in order of precedence: a category that is in two of them is taken from the first.
 * Each is imported, stored and refreshed separately. A new one is a row here and its reader in import/; one that the service
 * fetches has its step in refresh/, too.
 */

interface SourceRow {
  /** The register in words, after "those of". */
  readonly title: string;
  /** What one file has: a country, or all that the source knows. */
  readonly covers: "country" | "all";
  /** Which reader reads its files: the project's own form (import/own-form.ts), or the EBA's golden copy (import/eba-file.ts). */
  readonly form: "own" | "golden copy";
  /** Whether its entries say to which other countries a PSP is passported; of a bank no authority publishes it. */
  readonly passports: "published" | "not published";
  /** Whether the service fetches it; the operator imports the others. */
  readonly fetched: boolean;
  /** Whether a record that cannot be read stays as it was in the file before; else a file is taken whole or not at all. */
  readonly keepsUnreadable: boolean;
  /** Whether its agents are stored apart from its PSPs: there are fifty to one institution, and they are rarely read. */
  readonly agentsApart: boolean;
  /** The setting of wrangler.toml for the age in hours from which it is stale, and what it is without the setting. */
  readonly maxAge: { readonly setting: string; readonly hours: number };
}

const MONTH_HOURS = 31 * 24;

export const SOURCES = {
  nca: {
    title: "the authority's own register",
    ...{
      covers: "country",
      form: "own",
      passports: "published",
      fetched: false,
      keepsUnreadable: false,
      agentsApart: false,
    },
    maxAge: { setting: "REGISTER_MAX_AGE_HOURS_NCA", hours: MONTH_HOURS },
  },
  "credit-institutions": {
    title: "the register of credit institutions",
    ...{
      covers: "country",
      form: "own",
      passports: "not published",
      fetched: false,
      keepsUnreadable: false,
      agentsApart: false,
    },
    maxAge: { setting: "REGISTER_MAX_AGE_HOURS_CREDIT_INSTITUTIONS", hours: MONTH_HOURS },
  },
  // published daily
  eba: {
    title: "the EBA's register",
    ...{
      covers: "all",
      form: "golden copy",
      passports: "published",
      fetched: true,
      keepsUnreadable: true,
      agentsApart: true,
    },
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
