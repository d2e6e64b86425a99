/** How a source stands, and a country by its sources: a state with its word. Pure. */
import { isUserAssigned } from "../../platform/country.ts";
import type { RefreshStatus, SourceStatus } from "../../refresh/reasons.ts";
import type { Status } from "../../refresh/status.ts";
import { type RegisterSource, SOURCES } from "../../registers/sources.ts";
import { LIST_OF_LISTS } from "../../trust/anchors.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import type { State } from "../elements.tsx";

export interface Standing {
  readonly state: State;
  readonly word: string;
}

export function standingOf({ loaded, stale, refresh }: SourceStatus): Standing {
  if (!loaded) return { state: "no", word: "Not loaded" };
  if (stale) return { state: "no", word: "Stale" };
  return refresh !== null && refresh.failures > 0 ? REFRESH_FAILS : { state: "yes", word: "Loaded" };
}

const REFRESH_FAILS: Standing = { state: "warn", word: "Loaded, refresh fails" };

/** A source as people call it. */
export function nameSource(kind: "list" | "register", source: string, jurisdiction: string | null): string {
  const country = jurisdiction === null ? "" : ` of ${longCountryName(jurisdiction)}`;
  if (kind === "register") return `${SOURCES[source as RegisterSource]?.title ?? source}${country}`;
  return jurisdiction === LIST_OF_LISTS ? "the list of the EU's trusted lists" : `the trusted list${country}`;
}

/** A source that is not as it should be, though no answer is based on anything old: a word with what its last refresh met. */
interface SourceFault extends Standing {
  readonly name: string;
  /** Null: of several. */
  readonly source: string | null;
  readonly refresh: RefreshStatus | null;
}

/** What no reason of `status` names: sources that are not loaded, or could not be read when they were last asked. */
export function listFaults({ trustedLists, registers, crls, reasons }: Status): SourceFault[] {
  const isNamed = ({ source, jurisdiction }: SourceStatus): boolean =>
    reasons.some((reason) => reason.source === source && reason.jurisdiction === jurisdiction);
  const faultsOf = (kind: "list" | "register", sources: readonly SourceStatus[]): SourceFault[] =>
    sources.flatMap((one) => {
      const { source, jurisdiction, refresh } = one;
      const standing = standingOf(one);
      const name = nameSource(kind, source, jurisdiction);
      return standing.state === "yes" || isNamed(one) ? [] : [{ ...standing, name, source, refresh }];
    });
  const crlFault = { ...REFRESH_FAILS, name: "the revocation lists", source: null, refresh: crls.refresh };
  return [
    ...faultsOf("list", trustedLists),
    ...faultsOf("register", registers),
    ...((crls.refresh?.failures ?? 0) > 0 ? [crlFault] : []),
  ];
}

export interface CountrySources {
  /** ISO 3166. */
  readonly country: string;
  readonly lists: readonly SourceStatus[];
  readonly registers: readonly SourceStatus[];
}

/** What a check of a PSP of this country would miss; the worst first. */
export function standingOfCountry({ lists, registers }: CountrySources): Standing {
  const sources = [...lists, ...registers];
  const standings = sources.map(standingOf);
  const [hasList, hasRegister] = [lists, registers].map((some) => some.some(({ loaded }) => loaded));
  if (standings.some(({ word }) => word === "Stale")) return { state: "no", word: "Stale" };
  if (!hasList && !hasRegister) return { state: "unknown", word: "Not loaded" };
  if (!hasList) return { state: "warn", word: "No trusted list" };
  if (!hasRegister) return { state: "warn", word: "No register" };
  return standings.find(({ state }) => state !== "yes") ?? { state: "yes", word: "Loaded" };
}

export const isLoaded = ({ lists, registers }: CountrySources): boolean => lists.length > 0 || registers.length > 0;

/** Number of those without a trusted list or a register. Test countries count for nobody, and none counts where they are alone. */
export function countIncomplete(countries: readonly CountrySources[]): number {
  const real = countries.filter(({ country }) => !isUserAssigned(country));
  const isWhole = ({ lists, registers }: CountrySources): boolean =>
    [lists, registers].every((sources) => sources.some(({ loaded }) => loaded));
  return real.some(isLoaded) ? real.filter((one) => !isWhole(one)).length : 0;
}

/**
 * The countries to show: those of PSD2 in the order given, after them every other one that has a source.
 * Sources of no single country, such as the list of lists, are left out.
 */
export function byCountry(
  psd2: readonly string[],
  lists: readonly SourceStatus[],
  registers: readonly SourceStatus[],
): CountrySources[] {
  const others = [...lists, ...registers].flatMap(({ jurisdiction }) =>
    jurisdiction === null || jurisdiction === "EU" || psd2.includes(jurisdiction) ? [] : [jurisdiction],
  );
  return [...psd2, ...[...new Set(others)].sort()].map((country) => ({
    country,
    lists: lists.filter(({ jurisdiction }) => jurisdiction === country),
    registers: registers.filter(({ jurisdiction }) => jurisdiction === country),
  }));
}
