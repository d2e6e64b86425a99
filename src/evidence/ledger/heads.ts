/** The signed ends of one institution's chain. Those of every minute are kept for two days, those of closed segments with them. */
import type { Signer } from "../signatures/private-key.ts";
import { signHead } from "./head.ts";
import type { ChainEnd } from "./record.ts";

export const HEADS_TABLE = `
  CREATE TABLE IF NOT EXISTS heads (
    seq  INTEGER NOT NULL PRIMARY KEY,
    hash TEXT    NOT NULL,
    time INTEGER NOT NULL,
    jws  TEXT -- null: there was no signing key
  ) STRICT`;

const NEWEST = "SELECT seq, hash, time, jws FROM heads ORDER BY seq DESC LIMIT 1";
const BETWEEN = "SELECT seq, hash, time, jws FROM heads WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq";
const FIRST_SIGNED = "SELECT seq, hash, time, jws FROM heads WHERE seq >= ?1 AND jws IS NOT NULL ORDER BY seq LIMIT 1";
const INSERT = `
  INSERT INTO heads (seq, hash, time, jws) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (seq) DO UPDATE SET time = excluded.time, jws = excluded.jws`;
// by its key, as they are few: 2,880
const DELETE_OLD = "DELETE FROM heads WHERE time < ?1 AND seq < (SELECT max(seq) FROM heads)";

/** After the first record that no head covers. Alarms may be late: with it a minute of activity has a head. */
export const HEAD_INTERVAL_MS = 55_000;
const KEPT_MS = 2 * 86_400_000;

export interface Head extends ChainEnd {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** See head.ts; null without a signing key. */
  readonly jws: string | null;
}
type HeadRow = Head & Record<string, SqlStorageValue>;

export class Heads {
  readonly #sql: SqlStorage;
  #newest: Head | null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#newest = [...sql.exec<HeadRow>(NEWEST)][0] ?? null;
  }

  get newest(): Head | null {
    return this.#newest;
  }

  /** Whether the end of the chain is in no head. */
  isDue({ seq }: ChainEnd): boolean {
    return seq > (this.#newest?.seq ?? 0);
  }

  /** Signs the end of the chain, and keeps it. `now`: milliseconds since 1970. */
  sign(fi: string, end: ChainEnd, signer: Signer | null, now: number): Head {
    const head = makeHead(fi, end, signer, now);
    this.#sql.exec(INSERT, head.seq, head.hash, head.time, head.jws);
    this.#newest = head;
    return head;
  }

  between(from: number, to: number): Head[] {
    return [...this.#sql.exec<HeadRow>(BETWEEN, from, to)];
  }

  /** The first signed one that covers the record; null if none does. */
  firstSigned(seq: number): Head | null {
    return [...this.#sql.exec<HeadRow>(FIRST_SIGNED, seq)][0] ?? null;
  }

  deleteOld(now: number): void {
    this.#sql.exec(DELETE_OLD, now - KEPT_MS);
  }
}

export const makeHead = (fi: string, end: ChainEnd, signer: Signer | null, now: number): Head => ({
  ...{ seq: end.seq, hash: end.hash, time: now },
  jws: signer && signHead({ fi, ...end, time: new Date(now).toISOString() }, signer),
});
