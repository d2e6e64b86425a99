/**
 * An institution's traffic, counted from its records: they are the only book. What is counted and not yet stored is
 * counted again from the open segment after the object was evicted.
 */
import { nameDay } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { named } from "../../platform/statements.ts";
import {
  type CheckedCertificate,
  isActOfPerson,
  isAllowedNothing,
  type LedgerRecord,
  NOTHING_ALLOWED,
  outcomeByDecision,
} from "./record.ts";

export const TRAFFIC_TABLES = `
  CREATE TABLE IF NOT EXISTS traffic (
    span     TEXT    NOT NULL CHECK (span IN ('hour', 'day')),
    start    INTEGER NOT NULL,
    endpoint TEXT    NOT NULL,
    outcome  TEXT    NOT NULL,
    requests INTEGER NOT NULL,
    ms       TEXT    NOT NULL, -- JSON: requests by bucket
    PRIMARY KEY (span, start, endpoint, outcome)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS refusals (
    day      TEXT    NOT NULL,
    psp      TEXT    NOT NULL, -- empty: a certificate said it that nobody vouches for
    outcome  TEXT    NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (day, psp, outcome)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS counted (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL -- the tables above hold all records up to this one
  ) STRICT`;

const STATEMENTS = {
  counted: "SELECT seq FROM counted",
  setCounted: "INSERT INTO counted (one, seq) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq",
  find: "SELECT requests, ms FROM traffic WHERE span = :span AND start = :start AND endpoint = :endpoint AND outcome = :outcome",
  put: `
    INSERT INTO traffic (span, start, endpoint, outcome, requests, ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT DO UPDATE SET requests = excluded.requests, ms = excluded.ms`,
  between:
    "SELECT span, start, endpoint, outcome, requests, ms FROM traffic WHERE span = ?1 AND start >= ?2 AND start < ?3",
  delete: "DELETE FROM traffic WHERE span = ?1 AND start < ?2",
  refuse: `
    INSERT INTO refusals (day, psp, outcome, requests) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`,
  refusals: "SELECT day, psp, outcome, requests FROM refusals WHERE day >= ?1 AND day <= ?2",
  refusalsOf: `
    SELECT refusal.day, refusal.psp, refusal.outcome, refusal.requests
    FROM json_each(:days) AS day CROSS JOIN json_each(:psps) AS psp CROSS JOIN refusals AS refusal
    WHERE refusal.day = day.value AND refusal.psp = psp.value`,
  deleteRefusals: "DELETE FROM refusals WHERE day < ?1",
} as const;

/** Upper bounds in milliseconds, each inclusive; what is above the last has a bucket of its own. */
export const LATENCY_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const;

/** Requests of each bucket. */
export type Latencies = readonly number[];

export const NO_LATENCIES: Latencies = Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0);

/** Adds a request to them in place: a new list for each record took as long as all else of its counting. */
export function countLatency(latencies: number[], ms: number): void {
  const place = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
  const bucket = place < 0 ? LATENCY_BOUNDS_MS.length : place;
  latencies[bucket] = (latencies[bucket] ?? 0) + 1;
}

export const addLatencies = (a: Latencies, b: Latencies): Latencies => a.map((count, i) => count + (b[i] ?? 0));

/** The upper bound in milliseconds of the bucket in which this share (0 to 1) of the requests ends; null if there is none. */
export function percentileOf(latencies: Latencies, share: number): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [i, count] of latencies.entries()) {
    below += count;
    if (below >= share * total) return LATENCY_BOUNDS_MS[i] ?? Number.POSITIVE_INFINITY;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * In the place of the number that a certificate says which no listed service has issued: all of these are counted
 * together, else whoever makes numbers up would have a row for each. The records have the numbers.
 */
export const UNVERIFIED = "";

/** The numbers by which a refusal is counted; of several checks those of the PSPs that were allowed nothing. */
function refusedPsps(record: LedgerRecord, outcome: string): ReadonlySet<string> {
  const { event, psp, checks } = record;
  if (event !== "psps.checked" || record.outcome !== "ok")
    return new Set(outcome === "ok" ? [] : countedPsp(psp, checks));
  const refused = [...Map.groupBy(checks, (check) => check.psp)].filter(([, own]) => isAllowedNothing(own));
  return new Set(refused.flatMap(([number, own]) => countedPsp(number, own)));
}

/** At most one. Without a certificate it is that of a token, which a verified PSP got. */
function countedPsp(psp: string | null, checks: LedgerRecord["checks"]): string[] {
  const own = checks.filter((check) => check.psp === psp);
  const isIssued = ({ verdicts }: CheckedCertificate) =>
    // an expired one counts as broken, one of a withdrawn service has a path: its number is true in both cases
    !(verdicts.includes("validQTSP") && verdicts.includes("validSignature"));
  const counted = own.length === 0 || own.some(isIssued) ? psp : UNVERIFIED;
  return counted === null ? [] : [counted];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** For so long hours are kept as such; then they are added up to days. */
const HOURS_KEPT_MS = 7 * DAY_MS;

export interface TrafficCount {
  readonly span: "hour" | "day";
  readonly start: Instant;
  readonly endpoint: string;
  /** By the decision: `ok`, `nothing_allowed` or an error code. */
  readonly outcome: string;
  readonly requests: number;
  readonly ms: Latencies;
}
export interface RefusalCount {
  /** In UTC, such as 2026-11-22. */
  readonly day: string;
  /** Authorisation number in normal form; or {@link UNVERIFIED}. */
  readonly psp: string;
  readonly outcome: string;
  readonly requests: number;
}
/** Of one endpoint and outcome, over hours. */
export type OutcomeTotal = Omit<TrafficCount, "span" | "start">;
/** Of one PSP, over days. */
export type RefusalTotal = Omit<RefusalCount, "day">;

/** Of one PSP in all. */
export type RefusedMost = Omit<RefusalTotal, "outcome">;

/** Whose refusals are asked for: those of `psps`, or of all. */
export interface RefusalQuery {
  /** Days of UTC, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly psps: readonly string[] | null;
}

type Stored = Omit<TrafficCount, "ms"> & { readonly ms: string };
/** What is not stored yet. */
type Counting = Omit<TrafficCount, "requests" | "ms"> & { requests: number; readonly ms: number[] };

export class TrafficCounters {
  readonly #sql: SqlStorage;
  /** Of hours by start, endpoint and outcome; and by day, PSP and outcome. */
  readonly #counts = new Map<string, Counting>();
  /** Of the record before: most of a ledger's are of one endpoint and outcome. */
  #counting: Counting | null = null;
  readonly #refusals = new Map<string, RefusalCount>();
  #stored: number;
  #counted: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#stored = [...sql.exec<{ seq: number }>(STATEMENTS.counted)][0]?.seq ?? 0;
    this.#counted = this.#stored;
  }

  /** The number of the last record that was counted. */
  get counted(): number {
    return this.#counted;
  }

  /** Counts a record; in the order of their numbers. One that is counted already is left out. */
  count(record: LedgerRecord): void {
    const { seq, endpoint, ms } = record;
    if (seq <= this.#counted) return;
    this.#counted = seq;
    if (isActOfPerson(record.event)) return;
    const time = Date.parse(record.time);
    const start = Math.floor(time / HOUR_MS) * HOUR_MS;
    const outcome = outcomeByDecision(record);
    const counting = this.#countingOf(start, endpoint, outcome);
    counting.requests++;
    countLatency(counting.ms, ms);
    // of several checks some may be refused
    const why = outcome === "ok" ? NOTHING_ALLOWED : outcome;
    for (const psp of refusedPsps(record, outcome)) {
      const key = `${nameDay(time)} ${psp} ${why}`;
      const before = this.#refusals.get(key)?.requests ?? 0;
      this.#refusals.set(key, { day: nameDay(time), psp, outcome: why, requests: before + 1 });
    }
  }

  #countingOf(start: Instant, endpoint: string, outcome: string): Counting {
    const last = this.#counting;
    if (last?.start === start && last.endpoint === endpoint && last.outcome === outcome) return last;
    const key = `${start} ${endpoint} ${outcome}`;
    const fresh = { span: "hour" as const, start, endpoint, outcome, requests: 0, ms: [...NO_LATENCIES] };
    const counting = this.#counts.get(key) ?? fresh;
    this.#counts.set(key, counting);
    this.#counting = counting;
    return counting;
  }

  /** Stores what was counted: in the transaction that closes a segment, and with each head. Then {@link forgetStored}. */
  store(): void {
    if (this.#counted === this.#stored) return;
    for (const one of this.#counts.values()) this.#put(one);
    for (const { day, psp, outcome, requests } of this.#refusals.values())
      this.#sql.exec(STATEMENTS.refuse, day, psp, outcome, requests);
    this.#sql.exec(STATEMENTS.setCounted, this.#counted);
  }

  /** After the transaction of {@link store}: one that fails has stored nothing. */
  forgetStored(): void {
    this.#stored = this.#counted;
    this.#counts.clear();
    this.#counting = null;
    this.#refusals.clear();
  }

  #put({ span, start, endpoint, outcome, requests, ms }: TrafficCount): void {
    const find = named(STATEMENTS.find, { span, start, endpoint, outcome });
    const [known] = [...this.#sql.exec<{ requests: number; ms: string }>(...find)];
    const sum = addLatencies(ms, known ? JSON.parse(known.ms) : NO_LATENCIES);
    this.#sql.exec(
      STATEMENTS.put,
      span,
      start,
      endpoint,
      outcome,
      requests + (known?.requests ?? 0),
      JSON.stringify(sum),
    );
  }

  /** Adds hours that are older than a week up to days, and deletes what is from before `until`; both in one transaction. */
  rollUp(now: Instant, until: Instant): void {
    const end = Math.floor((now - HOURS_KEPT_MS) / DAY_MS) * DAY_MS;
    for (const hour of this.#between("hour", 0, end))
      this.#put({ ...hour, span: "day", start: Math.floor(hour.start / DAY_MS) * DAY_MS });
    this.#sql.exec(STATEMENTS.delete, "hour", end);
    this.#sql.exec(STATEMENTS.delete, "day", until);
    this.#sql.exec(STATEMENTS.deleteRefusals, nameDay(until));
  }

  /** What began from `from` to `to` (exclusive): hours of the last week, days before. */
  read(from: Instant, to: Instant): TrafficCount[] {
    const counts = new Map<string, TrafficCount>();
    for (const one of [...this.#between("day", from, to), ...this.#hours(from, to)]) add(counts, one);
    return [...counts.values()];
  }

  readRefusals({ from, to, psps }: RefusalQuery): RefusalTotal[] {
    const totals = new Map<string, RefusalTotal>();
    const count = ({ psp, outcome, requests }: RefusalCount) => {
      const key = `${psp} ${outcome}`;
      totals.set(key, { psp, outcome, requests: requests + (totals.get(key)?.requests ?? 0) });
    };
    for (const one of this.#storedRefusals(from, to, psps)) count(one);
    for (const one of this.#refusals.values())
      if (one.day >= from && one.day <= to && (psps?.includes(one.psp) ?? true)) count(one);
    return [...totals.values()];
  }

  /** The most refused first, at most `limit`; without the outcomes `leftOut`. */
  readMostRefused(days: Pick<RefusalQuery, "from" | "to">, leftOut: readonly string[], limit: number): RefusedMost[] {
    const psps = new Map<string, number>();
    for (const { psp, outcome, requests } of this.readRefusals({ ...days, psps: null }))
      if (!leftOut.includes(outcome)) psps.set(psp, requests + (psps.get(psp) ?? 0));
    const most = [...psps].sort(([, a], [, b]) => b - a).slice(0, limit);
    return most.map(([psp, requests]) => ({ psp, requests }));
  }

  #storedRefusals(from: string, to: string, psps: readonly string[] | null) {
    type Row = RefusalCount & Record<string, SqlStorageValue>;
    if (psps === null) return this.#sql.exec<Row>(STATEMENTS.refusals, from, to);
    const days = JSON.stringify(listDays(from, to));
    return this.#sql.exec<Row>(...named(STATEMENTS.refusalsOf, { days, psps: JSON.stringify(psps) }));
  }

  /** What began from `from` on, which is in the last week: each endpoint and outcome once, as the log lines have it. */
  readTotals(from: Instant): OutcomeTotal[] {
    const totals = new Map<string, TrafficCount>();
    for (const { outcome, ...hour } of this.#hours(from, Number.MAX_SAFE_INTEGER))
      add(totals, { ...hour, outcome: outcome === NOTHING_ALLOWED ? "ok" : outcome, start: from });
    return [...totals.values()].map(({ endpoint, outcome, requests, ms }) => ({ endpoint, outcome, requests, ms }));
  }

  /** Stored, and not stored yet. */
  #hours(from: Instant, to: Instant): TrafficCount[] {
    const pending = [...this.#counts.values()].filter(({ start }) => start >= from && start < to);
    return [...this.#between("hour", from, to), ...pending];
  }

  #between(span: TrafficCount["span"], from: Instant, to: Instant): TrafficCount[] {
    const rows = this.#sql.exec<Stored & Record<string, SqlStorageValue>>(STATEMENTS.between, span, from, to);
    return [...rows].map((row) => ({ ...row, ms: JSON.parse(row.ms) as Latencies }));
  }
}

const listDays = (from: string, to: string): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / DAY_MS + 1 }, (_, i) =>
    nameDay(Date.parse(from) + i * DAY_MS),
  );

function add(counts: Map<string, TrafficCount>, one: TrafficCount): void {
  const key = `${one.span} ${one.start} ${one.endpoint} ${one.outcome}`;
  const known = counts.get(key);
  const sum = known && { requests: known.requests + one.requests, ms: addLatencies(known.ms, one.ms) };
  counts.set(key, { ...one, ...sum });
}
