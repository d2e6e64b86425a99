/**
 * The marks of damaged records in a ledger's object: a read that meets damage leaves one, and the object's alarm tells D1, where
 * /health, `status` and `doctor` find it. The alarm looks again each hour, and takes back what was mended.
 */
import { callStore } from "../../platform/stores.ts";
import { DAMAGE_COLUMNS, type Damage } from "./damage.ts";
import type { LedgerAlarm } from "./ledger-alarm.ts";

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

const LIST = `SELECT ${DAMAGE_COLUMNS}, looked_at, state FROM damage ORDER BY first_seq`;
const NOTE = `
  INSERT INTO damage (${DAMAGE_COLUMNS}, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'new')
  ON CONFLICT (file) DO UPDATE SET first_seq = excluded.first_seq, last_seq = excluded.last_seq, reason = excluded.reason, state = 'new'`;
const HEAL = "UPDATE damage SET state = 'healed' WHERE file = ?1";
const SET_TOLD = "UPDATE damage SET state = 'told' WHERE state = 'new' AND file = ?1 AND reason = ?2";
const SET_LOOKED = "UPDATE damage SET looked_at = ?2 WHERE file = ?1";
const FORGET = "DELETE FROM damage WHERE state = 'healed' AND file = ?1";

const TELL = `
  INSERT INTO ledger_damage (${DAMAGE_COLUMNS}, fi, noticed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (file) DO UPDATE SET first_seq = ?2, last_seq = ?3, reason = ?6`;
const UNTELL = "DELETE FROM ledger_damage WHERE file = ?1";

type Mark = Damage & { readonly state: "new" | "told" | "healed"; readonly looked_at: number };

/** So often the alarm looks whether a file is as it was again, and at so many at once. */
const LOOK_AGAIN_MS = 3_600_000;
const LOOKS_AT_ONCE = 32;

/** In the past: at once. */
const NOW = 1;

/** The marks of one ledger. */
export class DamageMarks {
  readonly #sql: SqlStorage;
  readonly #alarm: Pick<LedgerAlarm, "ring">;
  /** By file. Of most ledgers there are none: then a read costs nothing more. */
  readonly #marks = new Map<string, Mark>();

  constructor(sql: SqlStorage, alarm: Pick<LedgerAlarm, "ring">) {
    this.#sql = sql;
    this.#alarm = alarm;
    for (const mark of sql.exec<Mark & Record<string, SqlStorageValue>>(LIST)) this.#marks.set(mark.file, mark);
  }

  get list(): readonly Damage[] {
    return [...this.#marks.values()].filter(({ state }) => state !== "healed");
  }

  async note(damage: Damage): Promise<void> {
    const { file, first_seq, last_seq, first_time, last_time, reason } = damage;
    const known = this.#marks.get(file);
    if (known && known.state !== "healed" && known.reason === reason && known.last_seq === last_seq) return;
    this.#sql.exec(NOTE, file, first_seq, last_seq, first_time, last_time, reason);
    this.#marks.set(file, { ...damage, looked_at: known?.looked_at ?? 0, state: "new" });
    await this.#alarm.ring(NOW);
  }

  /** The file was read, or is to be kept no longer. */
  async heal(file: string): Promise<void> {
    const known = this.#marks.get(file);
    if (!known || known.state === "healed") return;
    this.#sql.exec(HEAL, file);
    this.#marks.set(file, { ...known, state: "healed" });
    await this.#alarm.ring(NOW);
  }

  /** What is to be looked at by now (milliseconds since 1970): the first time soon after it was noticed. Then it is not due for an hour. */
  takeDue(now: number): readonly Damage[] {
    const isDue = ({ looked_at, state }: Mark) => state !== "healed" && looked_at + LOOK_AGAIN_MS <= now;
    const due = [...this.#marks.values()].filter(isDue).slice(0, LOOKS_AT_ONCE);
    for (const mark of due) {
      this.#sql.exec(SET_LOOKED, mark.file, now);
      this.#marks.set(mark.file, { ...mark, looked_at: now });
    }
    return due;
  }

  /** When the next one is due; null if nothing is damaged. */
  get nextDue(): number | null {
    const looked = [...this.#marks.values()].flatMap(({ state, looked_at }) => (state === "healed" ? [] : looked_at));
    return looked.length === 0 ? null : Math.min(...looked) + LOOK_AGAIN_MS;
  }

  /** Tells D1 what it does not know yet, and returns what was new. Throws StoreError; then all is told by the next call. */
  async tell(db: D1Database, fi: string, now: number): Promise<readonly Damage[]> {
    const open = [...this.#marks.values()].filter(({ state }) => state !== "told");
    if (open.length === 0) return [];
    const statements = open.map(({ file, first_seq, last_seq, first_time, last_time, reason, state }) =>
      state === "healed"
        ? db.prepare(UNTELL).bind(file)
        : db.prepare(TELL).bind(file, first_seq, last_seq, first_time, last_time, reason, fi, now),
    );
    await callStore("D1", () => db.batch(statements));
    for (const mark of open) {
      // another read may have changed it meanwhile
      if (this.#marks.get(mark.file) !== mark) continue;
      if (mark.state === "healed") {
        this.#sql.exec(FORGET, mark.file);
        this.#marks.delete(mark.file);
      } else {
        this.#sql.exec(SET_TOLD, mark.file, mark.reason);
        this.#marks.set(mark.file, { ...mark, state: "told" });
      }
    }
    return open.filter(({ state }) => state === "new");
  }
}
