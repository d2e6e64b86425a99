/**
 * An institution's traffic, counted from its records: they are the only book. What is counted and not yet stored is
 * counted again from the open segment after the object was evicted.
 */
import { nameDay } from "../../platform/clock.ts";
import { addLatencies, countLatency, type Latencies, NO_LATENCIES } from "./latencies.ts";
import type { RecordFacts } from "./record-facts.ts";

export const TRAFFIC_TABLES = `
  CREATE TABLE IF NOT EXISTS traffic (
    span     TEXT    NOT NULL CHECK (span IN ('hour', 'day')),
    start    INTEGER NOT NULL,
    endpoint TEXT    NOT NULL,
    outcome  TEXT    NOT NULL,
    requests INTEGER NOT NULL,
    ms       TEXT    NOT NULL, -- JSON: requests by bucket (latencies.ts)
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
  find: "SELECT requests, ms FROM traffic WHERE span = ?1 AND start = ?2 AND endpoint = ?3 AND outcome = ?4",
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
  deleteRefusals: "DELETE FROM refusals WHERE day < ?1",
} as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** For so long hours are kept as such; then they are added up to days. */
const HOURS_KEPT_MS = 7 * DAY_MS;

export interface TrafficCount {
  readonly span: "hour" | "day";
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly endpoint: string;
  /** `ok`, or an error code. */
  readonly outcome: string;
  readonly requests: number;
  readonly ms: Latencies;
}
export interface RefusalCount {
  /** In UTC, such as 2026-11-22. */
  readonly day: string;
  /** Authorisation number in normal form; `UNVERIFIED` of record-facts.ts. */
  readonly psp: string;
  readonly outcome: string;
  readonly requests: number;
}
export interface Traffic {
  readonly counts: readonly TrafficCount[];
  readonly refusals: readonly RefusalCount[];
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
  count({ seq, time, endpoint, outcome, ms, refused }: RecordFacts): void {
    if (seq <= this.#counted) return;
    this.#counted = seq;
    const start = Math.floor(time / HOUR_MS) * HOUR_MS;
    const counting = this.#countingOf(start, endpoint, outcome);
    counting.requests++;
    countLatency(counting.ms, ms);
    if (refused === null) return;
    const key = `${nameDay(time)} ${refused} ${outcome}`;
    const before = this.#refusals.get(key)?.requests ?? 0;
    this.#refusals.set(key, { day: nameDay(time), psp: refused, outcome, requests: before + 1 });
  }

  #countingOf(start: number, endpoint: string, outcome: string): Counting {
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
    const [known] = [
      ...this.#sql.exec<{ requests: number; ms: string }>(STATEMENTS.find, span, start, endpoint, outcome),
    ];
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
  rollUp(now: number, until: number): void {
    const end = Math.floor((now - HOURS_KEPT_MS) / DAY_MS) * DAY_MS;
    for (const hour of this.#between("hour", 0, end))
      this.#put({ ...hour, span: "day", start: Math.floor(hour.start / DAY_MS) * DAY_MS });
    this.#sql.exec(STATEMENTS.delete, "hour", end);
    this.#sql.exec(STATEMENTS.delete, "day", until);
    this.#sql.exec(STATEMENTS.deleteRefusals, nameDay(until));
  }

  /** What began from `from` to `to` (milliseconds since 1970, the latter exclusive): hours of the last week, days before. */
  read(from: number, to: number): Traffic {
    const counts = new Map<string, TrafficCount>();
    const pending = [...this.#counts.values()].filter(({ start }) => start >= from && start < to);
    for (const one of [...this.#between("day", from, to), ...this.#between("hour", from, to), ...pending])
      add(counts, one);
    const [first, last] = [nameDay(from), nameDay(to - 1)];
    const refusals = new Map<string, RefusalCount>();
    const stored = this.#sql.exec<RefusalCount & Record<string, SqlStorageValue>>(STATEMENTS.refusals, first, last);
    const fresh = [...this.#refusals.values()].filter(({ day }) => day >= first && day <= last);
    for (const one of [...stored, ...fresh]) {
      const key = `${one.day} ${one.psp} ${one.outcome}`;
      refusals.set(key, { ...one, requests: one.requests + (refusals.get(key)?.requests ?? 0) });
    }
    return { counts: [...counts.values()], refusals: [...refusals.values()] };
  }

  #between(span: TrafficCount["span"], from: number, to: number): TrafficCount[] {
    const rows = this.#sql.exec<Stored & Record<string, SqlStorageValue>>(STATEMENTS.between, span, from, to);
    return [...rows].map((row) => ({ ...row, ms: JSON.parse(row.ms) as Latencies }));
  }
}

function add(counts: Map<string, TrafficCount>, one: TrafficCount): void {
  const key = `${one.span} ${one.start} ${one.endpoint} ${one.outcome}`;
  const known = counts.get(key);
  const sum = known && { requests: known.requests + one.requests, ms: addLatencies(known.ms, one.ms) };
  counts.set(key, { ...one, ...sum });
}
