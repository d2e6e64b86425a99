/**
 * The marks of damage in one ledger's object. Its alarm tells D1, looks again each hour, and takes back what was mended.
 */
import type { Instant } from "../../platform/instant.ts";
import { areWritesRefused } from "../../platform/schema-version.ts";
import { bindNamed } from "../../platform/statements.ts";
import { callStore } from "../../platform/stores.ts";
import { DAMAGE_COLUMNS, type Damage } from "./damage.ts";

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
  INSERT INTO ledger_damage (${DAMAGE_COLUMNS}, fi, noticed_at) VALUES (:file, :first_seq, :last_seq, :first_time, :last_time, :reason, :fi, :now)
  ON CONFLICT (file) DO UPDATE SET first_seq = :first_seq, last_seq = :last_seq, reason = :reason`;
const UNTELL = "DELETE FROM ledger_damage WHERE file = ?1";

/** So often the alarm looks whether a file is mended, and at so many at once. */
const LOOK_AGAIN_MS = 3_600_000;
const LOOKS_AT_ONCE = 32;

/** In the past: at once. */
const NOW = 1;

interface Alarm {
  readonly ring: (at: Instant) => Promise<void>;
}

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

  /** What is to be looked at by now: the first time soon after it was noticed, then each hour. */
  takeDue(now: Instant): readonly Damage[] {
    const due = this.#some ? this.#rows<Damage>(DUE, now - LOOK_AGAIN_MS, LOOKS_AT_ONCE) : [];
    for (const { file } of due) this.#sql.exec(SET_LOOKED, file, now);
    return due;
  }

  /** When the next one is due; null if nothing is damaged. */
  get nextDue(): Instant | null {
    const [next] = this.#some ? this.#rows<{ at: Instant | null }>(NEXT_LOOK) : [];
    return next?.at == null ? null : next.at + LOOK_AGAIN_MS;
  }

  /** Tells D1 what it does not know yet, and returns what was new. Throws StoreError; then the next call tells all. */
  async tell(db: D1Database, fi: string, now: Instant): Promise<readonly Damage[]> {
    const open = this.#some ? this.#rows<Damage & { readonly state: "new" | "healed" }>(UNTOLD) : [];
    // a newer release tells it
    if (open.length === 0 || (await areWritesRefused(db))) return [];
    const statements = open.map((damage) =>
      damage.state === "healed" ? db.prepare(UNTELL).bind(damage.file) : bindNamed(db, TELL, { ...damage, fi, now }),
    );
    await callStore("D1", () => db.batch(statements));
    for (const { file, reason, last_seq, state } of open)
      if (state === "healed") this.#sql.exec(FORGET, file);
      else this.#sql.exec(SET_TOLD, file, reason, last_seq);
    return open.filter(({ state }) => state === "new");
  }
}
