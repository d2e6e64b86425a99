/** The results as tables for people. */
import { D1_HOMES, type D1Home } from "./assumptions.ts";
import { percentile } from "./percentile.ts";
import { BANK_CITIES } from "./places.ts";
import { OPERATIONS, type Operation, STATES } from "./rounds.ts";
import { DESIGNS, type Design, type Sample } from "./run.ts";

type Row = Record<string, string | number>;

const HOMES = Object.keys(D1_HOMES) as D1Home[];
const both = (values: readonly number[]): string =>
  `${percentile(values, 0.5).toFixed(1)} / ${percentile(values, 0.99).toFixed(1)}`;

/** p50 / p99 in milliseconds of each design. */
function designs(samples: readonly Sample[], homes: readonly D1Home[]): Row {
  const row: Row = {};
  for (const design of Object.keys(DESIGNS) as Design[])
    for (const home of design === "region" ? homes.slice(0, 1) : homes) {
      const where = design === "region" || homes.length === 1 ? "" : `, ${home.replace("D1 in ", "")}`;
      row[`${DESIGNS[design]}${where}`] = both(samples.map(({ ms }) => ms[home][design]));
    }
  return row;
}

/** One operation, by bank. */
export const byBank = (samples: readonly Sample[], operation: Operation, home: D1Home): Record<string, Row> =>
  Object.fromEntries(
    BANK_CITIES.map(({ name }) => [
      name,
      designs(
        samples.filter((sample) => sample.operation === operation && sample.bank === name),
        [home],
      ),
    ]),
  );

/** Every operation, over all banks. */
export const byOperation = (samples: readonly Sample[]): Record<string, Row> =>
  Object.fromEntries(
    (Object.keys(OPERATIONS) as Operation[]).map((operation) => [
      OPERATIONS[operation],
      designs(
        samples.filter((sample) => sample.operation === operation),
        HOMES,
      ),
    ]),
  );

type Shares = Record<Sample["state"], number>;

/** How often requests met an isolate in each state. */
export function shares(samples: readonly Sample[], operation: Operation): Shares {
  const own = samples.filter((sample) => sample.operation === operation);
  const of = (state: string) => own.filter((sample) => sample.state === state).length / own.length;
  return Object.fromEntries(STATES.slice(0, 3).map((state) => [state, of(state)])) as Shares;
}
