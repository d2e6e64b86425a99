/** The countries as a grid: of each the worst of its sources, and how old its list and its registers are. */

import { relativeTime } from "../../platform/clock.ts";
import { isUserAssigned, countryName as nameOf } from "../../platform/country.ts";
import type { SourceStatus } from "../../refresh/reasons.ts";
import { Mark } from "../elements.tsx";
import { type CountrySources, standingOf, standingOfCountry } from "./standing.ts";

/** The code stands beside it. */
const countryName = (code: string): string => (isUserAssigned(code) ? "Test country" : nameOf(code));

export const CountryGrid = ({ countries, now }: { countries: readonly CountrySources[]; now: number }) => (
  <ul class="tiles">
    {countries.map((one) => {
      const { state, word } = standingOfCountry(one);
      const { country, lists, registers } = one;
      return (
        <li class={`tile ${state}`}>
          <h3>
            {countryName(country)} <span class="muted">{country}</span>
          </h3>
          <p>
            <Mark state={state}>{word}</Mark>
          </p>
          {(lists.length > 0 || registers.length > 0) && (
            <p class="muted small">
              <Reading label="List" sources={lists} now={now} href={`#list-${country}`} />
              <br />
              <Reading label="Register" sources={registers} now={now} href={`#register-${country}`} />
            </p>
          )}
        </li>
      );
    })}
  </ul>
);

interface ReadingProps {
  readonly label: string;
  readonly sources: readonly SourceStatus[];
  readonly now: number;
  readonly href: string;
}

/** Of several sources of a kind the oldest publication. */
function Reading({ label, sources, now, href }: ReadingProps) {
  const [first] = sources;
  if (!first) return <>{label}: none</>;
  const dates = sources.flatMap(({ published }) => published ?? []).sort();
  const faulty = sources.find((source) => standingOf(source).state !== "yes");
  const age = dates[0] === undefined ? "not loaded" : relativeTime(dates[0], now);
  return (
    <>
      <a href={href}>{label}</a>: {age}
      {faulty && `, ${standingOf(faulty).word.toLowerCase()}`}
    </>
  );
}
