/**
 * Records that were kept and cannot be read: their file in R2 is gone, or is not what was stored. That does not pass by itself,
 * as an outage of R2 does (StoreError). Every read that meets it says so, and leaves a mark in the ledger's object. Its alarm
 * tells D1, where /health, `status` and `doctor` find it, looks again each hour, and takes back what was mended.
 */
import { callStore } from "../../platform/stores.ts";

/** How it was noticed. `altered`: its SHA-256 is another one. `unreadable`: it cannot be decompressed, or does not hold what it should. */
export const DAMAGE_REASONS = ["missing", "altered", "unreadable"] as const;

export interface Damage {
  /** Of the records, both inclusive. */
  readonly first_seq: number;
  readonly last_seq: number;
  /** Of the records, the earliest and the latest: milliseconds since 1970. */
  readonly first_time: number;
  readonly last_time: number;
  /** Its key in R2: a closed segment, or the index of a day. */
  readonly file: string;
  readonly reason: (typeof DAMAGE_REASONS)[number];
}

export const isDamage = (place: object): place is Damage => "reason" in place;

type Records = Pick<Damage, "first_seq" | "last_seq" | "reason"> & { readonly from: string; readonly to: string };

/** Times in ISO 8601. */
export const nameGap = ({ first_seq, last_seq, first_time, last_time, reason }: Damage): Records => ({
  ...{ first_seq, last_seq, from: new Date(first_time).toISOString(), to: new Date(last_time).toISOString(), reason },
});

const NOTICED: Readonly<Record<Damage["reason"], string>> = {
  missing: "their file is missing",
  altered: "the SHA-256 of their file is not that of what was stored",
  unreadable: "their file does not hold what was stored",
};

export const describeGap = ({ first_seq, last_seq, from, to, reason }: Records): string =>
  `records ${first_seq} to ${last_seq}, of ${from} to ${to}, are damaged: ${NOTICED[reason]}`;

const DAMAGE_COLUMNS = "file, first_seq, last_seq, first_time, last_time, reason";
/** Of all ledgers, in D1. */
export const LIST_DAMAGE = `SELECT fi, ${DAMAGE_COLUMNS} FROM ledger_damage ORDER BY fi, first_seq`;
/** With the institution's `fi_reference_id`. */
export type KnownDamage = Damage & { readonly fi: string };

export const DAMAGE_TABLE = `
  CREATE TABLE IF NOT EXISTS damage (
    file       TEXT    NOT NULL PRIMARY KEY,
    first_seq  INTEGER NOT NULL,
    last_seq   INTEGER NOT NULL,
    first_time INTEGER NOT NULL,
    last_time  INTEGER NOT NULL,
    reason     TEXT    NOT NULL,
    looked_at  INTEGER NOT NULL DEFAULT 0, -- by the alarm, for the last time
    state      TEXT    NOT NULL CHECK (state IN ('new', 'told', 'healed')) -- what D1 knows; healed: it has to forget it
  ) STRICT`;

const DUE = `
  SELECT ${DAMAGE_COLUMNS} FROM damage WHERE state <> 'healed' AND looked_at <= ?1 ORDER BY first_seq LIMIT ?2`;
const NEXT_LOOK = "SELECT min(looked_at) AS at FROM damage WHERE state <> 'healed'";
const UNTOLD = `SELECT ${DAMAGE_COLUMNS}, state FROM damage WHERE state <> 'told' ORDER BY first_seq`;
const NOTE = `
  INSERT INTO damage (${DAMAGE_COLUMNS}, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'new')
  ON CONFLICT (file) DO UPDATE SET first_seq = excluded.first_seq, last_seq = excluded.last_seq, reason = excluded.reason, state = 'new'
  WHERE state = 'healed' OR reason <> excluded.reason OR last_seq <> excluded.last_seq RETURNING file`;
const HEAL = "UPDATE damage SET state = 'healed' WHERE file = ?1 AND state <> 'healed' RETURNING file";
const SET_LOOKED = "UPDATE damage SET looked_at = ?2 WHERE file = ?1";
// another read may have changed it meanwhile
const SET_TOLD = "UPDATE damage SET state = 'told' WHERE state = 'new' AND file = ?1 AND reason = ?2 AND last_seq = ?3";
const FORGET = "DELETE FROM damage WHERE state = 'healed' AND file = ?1";

const TELL = `
  INSERT INTO ledger_damage (${DAMAGE_COLUMNS}, fi, noticed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (file) DO UPDATE SET first_seq = ?2, last_seq = ?3, reason = ?6`;
const UNTELL = "DELETE FROM ledger_damage WHERE file = ?1";

/** So often the alarm looks whether a file is mended, and at so many at once. */
const LOOK_AGAIN_MS = 3_600_000;
const LOOKS_AT_ONCE = 32;

/** In the past: at once. */
const NOW = 1;

interface Alarm {
  readonly ring: (at: number) => Promise<void>;
}

/** The marks of one ledger. */
export class DamageMarks {
  readonly #sql: SqlStorage;
  readonly #alarm: Alarm;
  /** Most ledgers have none: then a read, and the alarm, cost nothing more. */
  #some: boolean;

  constructor(sql: SqlStorage, alarm: Alarm) {
    this.#sql = sql;
    this.#alarm = alarm;
    this.#some = this.#rows("SELECT 1 FROM damage LIMIT 1").length > 0;
  }

  #rows<Form>(statement: string, ...values: SqlStorageValue[]): Form[] {
    return [...this.#sql.exec<Form & Record<string, SqlStorageValue>>(statement, ...values)];
  }

  async note({ file, first_seq, last_seq, first_time, last_time, reason }: Damage): Promise<void> {
    this.#some = true;
    const noted = this.#rows(NOTE, file, first_seq, last_seq, first_time, last_time, reason);
    if (noted.length > 0) await this.#alarm.ring(NOW);
  }

  /** The file was read, or is to be kept no longer. */
  async heal(file: string): Promise<void> {
    if (this.#some && this.#rows(HEAL, file).length > 0) await this.#alarm.ring(NOW);
  }

  /** What is to be looked at by now (milliseconds since 1970): the first time soon after it was noticed, then each hour. */
  takeDue(now: number): readonly Damage[] {
    const due = this.#some ? this.#rows<Damage>(DUE, now - LOOK_AGAIN_MS, LOOKS_AT_ONCE) : [];
    for (const { file } of due) this.#sql.exec(SET_LOOKED, file, now);
    return due;
  }

  /** When the next one is due; null if nothing is damaged. */
  get nextDue(): number | null {
    const [next] = this.#some ? this.#rows<{ at: number | null }>(NEXT_LOOK) : [];
    return next?.at == null ? null : next.at + LOOK_AGAIN_MS;
  }

  /** Tells D1 what it does not know yet, and returns what was new. Throws StoreError; then the next call tells all. */
  async tell(db: D1Database, fi: string, now: number): Promise<readonly Damage[]> {
    const open = this.#some ? this.#rows<Damage & { readonly state: "new" | "healed" }>(UNTOLD) : [];
    if (open.length === 0) return [];
    const statements = open.map(({ file, first_seq, last_seq, first_time, last_time, reason, state }) =>
      state === "healed"
        ? db.prepare(UNTELL).bind(file)
        : db.prepare(TELL).bind(file, first_seq, last_seq, first_time, last_time, reason, fi, now),
    );
    await callStore("D1", () => db.batch(statements));
    for (const { file, reason, last_seq, state } of open)
      if (state === "healed") this.#sql.exec(FORGET, file);
      else this.#sql.exec(SET_TOLD, file, reason, last_seq);
    return open.filter(({ state }) => state === "new");
  }
}
