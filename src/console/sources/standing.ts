/** How a source stands, and a country by its sources: a state with its word. Pure. */
import type { SourceStatus } from "../../refresh/source-status.ts";
import type { State } from "../mark.tsx";

export interface Standing {
  readonly state: State;
  readonly word: string;
}

export function standingOf({ loaded, stale, refresh }: SourceStatus): Standing {
  if (!loaded) return { state: "no", word: "Not loaded" };
  if (stale) return { state: "no", word: "Stale" };
  return refresh !== null && refresh.failures > 0
    ? { state: "warn", word: "Loaded, refresh fails" }
    : { state: "yes", word: "Loaded" };
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
