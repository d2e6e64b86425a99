/**
 * What people and operators did, as the records say that they signed in or ran a command: in the ledger's object, and found by who,
 * what and PSP without a look at any other record. What an institution's systems ask by the API is not in it.
 */
import type { Instant } from "../../platform/instant.ts";
import { hashText } from "../../platform/node-crypto.ts";
import { named, type Values } from "../../platform/statements.ts";
import { type LedgerEntry, type LedgerEvent, outcomeByDecision, pspsOf } from "./record.ts";

export const ACTS_TABLE = `
  CREATE TABLE IF NOT EXISTS acts (
    key  TEXT    NOT NULL, -- digest of who, event and PSP: each has a value, or stands for all
    time INTEGER NOT NULL, -- of the record
    seq  INTEGER NOT NULL, -- of the record
    line TEXT,             -- JSON of the act; null, but of the key of all acts
    PRIMARY KEY (key, time, seq)
  ) STRICT, WITHOUT ROWID`;

const STATEMENTS = {
  insert: "INSERT INTO acts (key, time, seq, line) VALUES (:key, :time, :seq, :line)",
  // one bound from above: with two SQLite seeks by either
  find: `
    SELECT time, seq FROM acts WHERE key = :key AND time >= :from AND (time, seq) < (:time, :seq)
    ORDER BY time DESC, seq DESC LIMIT :limit`,
  read: "SELECT line FROM acts WHERE key = :key AND time = :time AND seq = :seq",
  oldest: "SELECT time, seq, line FROM acts WHERE key = :key ORDER BY time, seq LIMIT :limit",
  delete: "DELETE FROM acts WHERE key = :key AND time = :time AND seq = :seq",
} as const;

type Signed = Pick<LedgerEntry, "client" | "operator" | "person">;

/** Such as `person:1f2e…`, `client:sandbox-fi`; null of what the API was asked for. */
export function actorOf({ client, operator, person }: Signed): string | null {
  if (person !== undefined) return `person:${person}`;
  if (client !== undefined) return `client:${client}`;
  return operator === undefined ? null : `operator:${operator}`;
}

/** What a list says of an act. The record says more. */
const MEMBERS = [
  ...(["id", "time", "event", "endpoint", "status", "outcome", "psp", "consent", "scopes", "by"] as const),
  ...(["about", "account"] as const),
  ...(["client", "operator", "person"] as const),
];
/** `outcome`: by the decision. */
export interface Act extends Omit<Pick<LedgerEntry, (typeof MEMBERS)[number]>, "account"> {
  /** Its tag. Absent of acts of earlier releases, too. */
  readonly account?: string | null;
  /** Those by which it is found: of a withdrawal also those whose permissions ended. */
  readonly psps: readonly string[];
}

/** Null: any. */
export interface ActQuery {
  readonly who: string | null;
  readonly event: LedgerEvent | null;
  /** Authorisation number in normal form. */
  readonly psp: string | null;
  readonly from: Instant | null;
  /** Exclusive. */
  readonly to: Instant | null;
  /** Where the page before ended. */
  readonly before: ActPosition | null;
  readonly limit: number;
}

interface ActPosition {
  readonly time: Instant;
  readonly seq: number;
}

export interface ActPage {
  /** Newest first. */
  readonly acts: readonly Act[];
  /** Null: it was the last page. */
  readonly next: ActPosition | null;
}

type Any<Value> = Value | null;
const DIGEST_CHARACTERS = 24;
const keyOf = (who: Any<string>, event: Any<LedgerEvent>, psp: Any<string>): string =>
  hashText("sha256", JSON.stringify([who, event, psp])).slice(0, DIGEST_CHARACTERS);
const ALL = keyOf(null, null, null);

/** Eight of an act about one PSP. A withdrawal of all permissions of an account may name a hundred (record.ts). */
const keysOf = (act: Act): string[] =>
  [null, actorOf(act)].flatMap((who) =>
    [null, act.event].flatMap((event) => [null, ...act.psps].map((psp) => keyOf(who, event, psp))),
  );

/** Acts that one alarm deletes at most. */
const FORGOTTEN_AT_ONCE = 256;

export class ActIndex {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  #rows<Form>(sql: string, values: Values): Form[] {
    return [...this.#sql.exec<Form & Record<string, SqlStorageValue>>(...named(sql, values))];
  }

  /** In the transaction that appends the entries. `first`: the number that the first of them gets. */
  add(entries: readonly LedgerEntry[], first: number): void {
    for (const [i, entry] of entries.entries()) {
      if (actorOf(entry) === null) continue;
      const act: Act = { ...entry, outcome: outcomeByDecision(entry), psps: pspsOf(entry) };
      const place = { time: Date.parse(entry.time), seq: first + i };
      for (const key of keysOf(act))
        this.#rows(STATEMENTS.insert, {
          ...place,
          key,
          line: key === ALL ? JSON.stringify(act, [...MEMBERS, "psps"]) : null,
        });
    }
  }

  /** Reads two rows for each act of the page and one more, however many there are. */
  list({ who, event, psp, from, to, before, limit }: ActQuery): ActPage {
    const end = before ?? { time: to ?? Number.MAX_SAFE_INTEGER, seq: 0 };
    const asked = { key: keyOf(who, event, psp), from: from ?? 0, ...end, limit: limit + 1 };
    const found = this.#rows<ActPosition>(STATEMENTS.find, asked);
    const page = found.slice(0, limit);
    const lines = page.flatMap((place) => this.#rows<{ line: string }>(STATEMENTS.read, { ...place, key: ALL }));
    return {
      acts: lines.map(({ line }) => JSON.parse(line) as Act),
      next: found.length > limit ? (page.at(-1) ?? null) : null,
    };
  }

  /** Deletes some whose records are kept no longer: those before the number `oldest`. Returns whether more may be left. */
  forget(oldest: number): boolean {
    const rows = this.#rows<ActPosition & { line: string }>(STATEMENTS.oldest, { key: ALL, limit: FORGOTTEN_AT_ONCE });
    const gone = rows.filter(({ seq }) => seq < oldest);
    for (const { line, time, seq } of gone)
      for (const key of keysOf(JSON.parse(line) as Act)) this.#rows(STATEMENTS.delete, { key, time, seq });
    return gone.length === FORGOTTEN_AT_ONCE;
  }
}
