/** Lists or registers as a table: age, next update, counts, the last change, and below a source what went wrong. */

import type { Child } from "hono/jsx";
import { relativeTime } from "../../platform/clock.ts";
import { countryName, isUserAssigned } from "../../platform/country.ts";
import type { LastChange } from "../../platform/import-change.ts";
import type { Instant } from "../../platform/instant.ts";
import { describeFailures, type SourceStatus } from "../../refresh/reasons.ts";
import { isFetched } from "../../refresh/schedule.ts";
import { sourceKey } from "../../refresh/status.ts";
import { type RegisterSource, SOURCES } from "../../registers/sources.ts";
import { longCountryName } from "../check/jurisdictions.ts";
import { Age, Mark, RowTable, writeDates } from "../elements.tsx";
import { type CountrySources, isLoaded, standingOf, standingOfCountry } from "./standing.ts";

interface TableProps<Source extends SourceStatus> {
  readonly name: string;
  readonly kind: "list" | "register";
  readonly sources: readonly Source[];
  readonly changes: ReadonlyMap<string, LastChange>;
  /** Of lists: what cannot be used of them, one sentence each. */
  readonly skipped?: ReadonlyMap<string, readonly string[]>;
  readonly remarks?: ReadonlyMap<string, readonly string[]>;
  readonly counted: readonly (readonly [head: string, count: (source: Source) => number | null])[];
  readonly now: Instant;
}

const TIMES = ["Published", "Next update", "Checked", "Next check", "Last change"];

export function SourceTable<Source extends SourceStatus>(props: TableProps<Source>) {
  const { name, sources, counted } = props;
  if (sources.length === 0)
    return (
      <p>
        <Mark state="no">None is loaded</Mark>
      </p>
    );
  const numbers = counted.map(([head]) => head);
  return (
    <RowTable label={name} heads={["For", "State", ...numbers, ...TIMES]} numbers={numbers}>
      {sources.map((source, i) => (
        <Row source={source} {...props} first={sources.findIndex(sameCountry(source)) === i} />
      ))}
    </RowTable>
  );
}

const sameCountry =
  ({ jurisdiction }: SourceStatus) =>
  (other: SourceStatus): boolean =>
    other.jurisdiction === jurisdiction;

/** `first`: of its country, which the grid leads to. */
function Row<Source extends SourceStatus>(props: TableProps<Source> & { source: Source; first: boolean }) {
  const { source, kind, changes, skipped, remarks, counted, now, first } = props;
  const { state, word } = standingOf(source);
  const { refresh, jurisdiction } = source;
  const when = (time: string | null | undefined) => (time ? <Age time={time} now={now} /> : "–");
  const change = changes.get(sourceKey(source));
  return (
    <>
      <tr id={first && jurisdiction !== null ? `${kind}-${jurisdiction}` : undefined}>
        <th scope="row">
          {jurisdiction === null ? "All countries" : nameOf(jurisdiction)}{" "}
          <span class="muted">{titleOf(source.source)}</span>
        </th>
        <td class="wrap">{state === "yes" ? word : <Mark state={state}>{word}</Mark>}</td>
        {counted.map(([, count]) => (
          <td class="number">{count(source)?.toLocaleString("en") ?? "–"}</td>
        ))}
        <td>
          {when(source.published)}
          {source.dated === "fetch" && <span class="muted"> (fetch)</span>}
        </td>
        <td>{when(source.nextUpdate)}</td>
        <td>{when(refresh?.checkedAt ?? source.fetchedAt)}</td>
        <td>{isFetched(source.source) ? when(refresh?.nextCheck) : "by hand"}</td>
        <td>{change ? <Change change={change} now={now} /> : "not recorded"}</td>
      </tr>
      {refresh?.lastError && (
        <Fault columns={7 + counted.length}>
          {describeFailures(refresh.failures)} <Age time={refresh.lastError.at} now={now} />:{" "}
          {writeDates(refresh.lastError.message)}
        </Fault>
      )}
      {refresh?.refusedImport && (
        <Fault columns={7 + counted.length}>
          An import by hand was refused <Age time={refresh.refusedImport.at} now={now} />:{" "}
          {writeDates(refresh.refusedImport.message)}
        </Fault>
      )}
      {remarks?.get(sourceKey(source))?.map((sentence) => (
        <Fault columns={7 + counted.length}>Note: {sentence}</Fault>
      ))}
      {skipped?.get(sourceKey(source))?.map((sentence) => (
        <Fault columns={7 + counted.length}>Not used: {sentence}</Fault>
      ))}
    </>
  );
}

/** Of a list its source: a country may have several. */
const titleOf = (source: string): string => SOURCES[source as RegisterSource]?.title ?? source;

const nameOf = (jurisdiction: string): string =>
  jurisdiction === "EU" ? "European Union" : longCountryName(jurisdiction);

const Fault = ({ columns, children }: { columns: number; children?: Child }) => (
  <tr>
    <td colspan={columns}>
      <p class="notice warn">
        <span>{children}</span>
      </p>
    </td>
  </tr>
);

const Change = ({ change: { added, changed, removed, at }, now }: { change: LastChange; now: Instant }) => (
  <>
    {[
      [added, "added"],
      [changed, "changed"],
      [removed, "removed"],
    ]
      .filter(([number]) => number !== 0)
      .map(([number, what]) => `${number?.toLocaleString("en")} ${what}`)
      .join(", ")}
    , <Age time={at} now={now} />
  </>
);

/** The code stands beside it. */
const nameBesideCode = (code: string): string => (isUserAssigned(code) ? "Test country" : countryName(code));

export const CountryGrid = ({ countries, now }: { countries: readonly CountrySources[]; now: Instant }) => (
  <>
    <Tiles countries={countries.filter(isLoaded)} now={now} />
    {!countries.every(isLoaded) && (
      <p>
        <Mark state="unknown">Not loaded</Mark>:{" "}
        {countries
          .filter((one) => !isLoaded(one))
          .map(({ country }) => `${nameBesideCode(country)} ${country}`)
          .join(", ")}
      </p>
    )}
  </>
);

const Tiles = ({ countries, now }: { countries: readonly CountrySources[]; now: Instant }) => (
  <ul class="tiles">
    {countries.map((one) => {
      const { state, word } = standingOfCountry(one);
      const { country, lists, registers } = one;
      return (
        <li class={`tile ${state}`}>
          <h3>
            {nameBesideCode(country)} <span class="muted">{country}</span>
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
  readonly now: Instant;
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
