/** Whose ledger an object keeps: its first record says it. */
import { SegmentFiles } from "./segment-files.ts";

export const OWNER_TABLE = `
  CREATE TABLE IF NOT EXISTS institution (
    one   INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    fi_id INTEGER NOT NULL,
    fi    TEXT    NOT NULL -- fi_reference_id
  ) STRICT`;

const READ = "SELECT fi_id, fi FROM institution";
const INSERT = "INSERT INTO institution (one, fi_id, fi) VALUES (1, ?1, ?2)";

interface Institution {
  readonly fi_id: number;
  readonly fi: string;
}

export class LedgerOwner {
  readonly #sql: SqlStorage;
  #institution: Institution | null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#institution = [...sql.exec<Institution & Record<string, SqlStorageValue>>(READ)][0] ?? null;
  }

  /** Its `fi_reference_id` as of the first record; null before that. */
  get fi(): string | null {
    return this.#institution?.fi ?? null;
  }

  /** Of the first record. */
  note(fi_id: number, fi: string): void {
    this.#sql.exec(INSERT, fi_id, fi);
    this.#institution = { fi_id, fi };
  }

  /** Where its segments lie; null without R2, and before the first record. */
  filesIn(bucket: R2Bucket | undefined): SegmentFiles | null {
    return bucket && this.#institution ? new SegmentFiles(bucket, this.#institution.fi_id) : null;
  }
}
