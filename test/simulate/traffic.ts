/** The requests of all banks, in the order of their time. */
import { type Assumptions, MIX } from "./assumptions.ts";
import { nearest } from "./distance.ts";
import { BANK_CITIES, EDGE_LOCATIONS, type Place } from "./places.ts";
import { type Random, weighted, zipf } from "./random.ts";
import type { Operation } from "./rounds.ts";

export interface Request {
  readonly second: number;
  readonly bank: Place;
  readonly operation: Operation;
  readonly psp: number;
  /** Where it arrives. */
  readonly location: Place;
  /** Of a redemption: where its code was issued. */
  readonly issuedAt: Place;
}

const MIXED = Object.keys(MIX) as (keyof typeof MIX)[];
/** From the code to its redemption: the customer's browser goes to the PSP, and the PSP calls the bank. */
const REDEEMED_AFTER_SECONDS = 3;
const FOLLOWED = { code: "redemption", obieCode: "obieRedemption" } as const;

export function makeTraffic(assumptions: Assumptions, random: Random): Request[] {
  const drawOperation = weighted(Object.values(MIX));
  const drawPsp = weighted(zipf(assumptions.psps));
  return BANK_CITIES.flatMap((bank) => {
    const [first, second] = nearest(bank, EDGE_LOCATIONS);
    if (!first || !second) throw new Error("a bank needs two edge locations");
    const arrive = () => (random.chance(assumptions.detourShare) ? second : first);
    const requests: Request[] = [];
    for (let time = 0; requests.length < assumptions.requestsPerBank; ) {
      time += random.exponential(1 / assumptions.requestsPerSecond);
      const operation = MIXED[drawOperation(random)] ?? "check";
      const location = arrive();
      const request = { second: time, bank, operation, psp: drawPsp(random), location, issuedAt: location };
      requests.push(request);
      if (operation !== "code" && operation !== "obieCode") continue;
      const later = time + random.exponential(REDEEMED_AFTER_SECONDS);
      requests.push({ ...request, operation: FOLLOWED[operation], second: later, location: arrive() });
    }
    return requests;
  }).toSorted((a, b) => a.second - b.second);
}
