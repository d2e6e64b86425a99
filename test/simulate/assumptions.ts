/** What the simulation assumes and nobody measured for this service. Printed with each result. */
import type { Operation } from "./rounds.ts";

export const ASSUMPTIONS = {
  seed: 1,
  requestsPerBank: 8_000,
  /** Of one bank, at even chances in time (Poisson). */
  requestsPerSecond: 5,
  /** The banks' PSPs, by Zipf's law: the n-th calls 1/n as often as the first. */
  psps: 300,
  qtsps: 20,
  /** At a location, for this Worker; a request meets any of them. */
  isolates: 3,
  /** Share of the requests that meet an isolate that has just been started. */
  freshShare: 0.1,
  /** Share of the requests that the network leads to the second nearest location. */
  detourShare: 0.02,
  /** Each way through the network takes this share of its light's time more, on average (exponential). */
  jitterShare: 0.05,
  /** Work of each network hop that is not light: switches, TLS records, the platform's own proxies. */
  hopMs: 0.5,
  /** A read of KV that the location's cache answers, on average (exponential). */
  kvCachedMs: 1.5,
  /** What a central store adds to the way to it. */
  kvStoreMs: 4,
  /** KV's default, which the service leaves as it is. */
  kvCacheSeconds: 60,
  /** For so long the location's cache would hold a caller, counted from its read in D1: as long as an isolate remembers it. */
  callerSeconds: 60,
  /** A statement in D1 or a call of a Durable Object beside its way, on average (exponential). */
  statementMs: 1,
  /** A Durable Object that is called for the first time. */
  newObjectMs: 3,
  /** A write is durable when so many of the nearest other hubs have confirmed it. */
  confirmations: 3,
  /** The regional server's database: in the same city, its replica for writes in another building. */
  regionReadMs: 1,
  regionWriteMs: 2,
} as const;

export type Assumptions = { readonly [Name in keyof typeof ASSUMPTIONS]: number };

/** Where KV's central stores are: the nearer one is asked. */
export const KV_CENTRAL = ["Amsterdam", "Ashburn"];
export const D1_HOMES = { "D1 in Western Europe": "Amsterdam", "D1 in Eastern Europe": "Warsaw" } as const;
export type D1Home = keyof typeof D1_HOMES;
export const REGION_SERVER = "Frankfurt";

/** How often each operation is asked, beside the others: the mix of `npm run load`. A redemption follows each code. */
export const MIX: Record<Exclude<Operation, "redemption" | "obieRedemption">, number> = {
  check: 35,
  checkAbroad: 35,
  code: 5,
  ccgToken: 1,
  consent: 3,
  consentInformation: 2,
  obieCode: 5,
  tokenInformation: 10,
  tokenList: 1,
  introspection: 3,
};
