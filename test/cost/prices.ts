/**
 * The platform's published prices on the Workers Paid plan, as read on the day below from the sources of its documentation
 * (github.com/cloudflare/cloudflare-docs, which is what developers.cloudflare.com shows). Dollars, without tax.
 */

export const PRICES_READ_ON = "2026-11-22";
export const PLAN_DOLLARS_PER_MONTH = 5;

const DOCS = "https://developers.cloudflare.com";
const MILLION = 1_000_000;
const BILLION = 1_000 * MILLION;

interface Price {
  readonly unit: string;
  /** Dollars for so many units. */
  readonly dollars: number;
  readonly per: number;
  /** Units in the plan, each month. */
  readonly included: number;
  readonly source: string;
}

export const PRICES = {
  requests: price("Worker requests", 0.3, MILLION, 10 * MILLION, "/workers/platform/pricing/#workers"),
  cpuMs: price("ms of processor time", 0.02, MILLION, 30 * MILLION, "/workers/platform/pricing/#workers"),
  d1RowsRead: price("rows read in D1", 0.001, MILLION, 25 * BILLION, "/d1/platform/pricing/"),
  d1RowsWritten: price("rows written in D1", 1, MILLION, 50 * MILLION, "/d1/platform/pricing/"),
  kvKeysRead: price("keys read from KV", 0.5, MILLION, 10 * MILLION, "/kv/platform/pricing/"),
  kvKeysWritten: price("keys written to KV", 5, MILLION, MILLION, "/kv/platform/pricing/"),
  doRequests: price("Durable Object requests", 0.15, MILLION, MILLION, "/durable-objects/platform/pricing/"),
  doGbSeconds: price("GB-s of Durable Objects", 12.5, MILLION, 400_000, "/durable-objects/platform/pricing/"),
  doRowsRead: price("rows read in Durable Objects", 0.001, MILLION, 25 * BILLION, "/durable-objects/platform/pricing/"),
  doRowsWritten: price(
    "rows written in Durable Objects",
    1,
    MILLION,
    50 * MILLION,
    "/durable-objects/platform/pricing/",
  ),
  r2ClassA: price("writing calls of R2", 4.5, MILLION, MILLION, "/r2/pricing/"),
  r2ClassB: price("reading calls of R2", 0.36, MILLION, 10 * MILLION, "/r2/pricing/"),
  r2GbMonths: price("GB-months in R2", 0.015, 1, 10, "/r2/pricing/"),
  /** From 2026-12-01; until then $0.60 per million log events beyond 20 million. Seven days are kept. */
  logGb: price("GB of logs", 0.25, 1, 50, "/observability/pricing/"),
} as const;

export type Meter = keyof typeof PRICES;
export type Usage = Record<Meter, number>;

function price(unit: string, dollars: number, per: number, included: number, path: string): Price {
  return { unit, dollars, per, included, source: `${DOCS}${path}` };
}

/** Beyond what the plan includes. */
export const dollars = (meter: Meter, units: number): number => (units / PRICES[meter].per) * PRICES[meter].dollars;

export const METERS = Object.keys(PRICES) as Meter[];
export const totalDollars = (usage: Usage): number =>
  METERS.reduce((sum, meter) => sum + dollars(meter, usage[meter]), 0);
