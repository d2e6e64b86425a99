/** The tables of a ledger's closed segments, in its Durable Object. */

export const CLOSED_SEGMENT_TABLES = `
  CREATE TABLE IF NOT EXISTS segments (
    first_seq  INTEGER NOT NULL PRIMARY KEY,
    last_seq   INTEGER NOT NULL,
    first_time INTEGER NOT NULL,
    last_time  INTEGER NOT NULL,
    last_hash  TEXT    NOT NULL,
    sha256     TEXT    NOT NULL,
    bytes      INTEGER NOT NULL,
    head       TEXT,
    day        TEXT    NOT NULL, -- when its first record was appended
    psps       TEXT    NOT NULL  -- JSON
  ) STRICT;
  CREATE INDEX IF NOT EXISTS segments_by_day ON segments (day, first_seq);
  CREATE TABLE IF NOT EXISTS segment_bytes (
    first_seq  INTEGER NOT NULL PRIMARY KEY,
    bytes      INTEGER NOT NULL,
    compressed BLOB    NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS days (
    day        TEXT    NOT NULL PRIMARY KEY,
    first_seq  INTEGER NOT NULL,
    last_seq   INTEGER NOT NULL,
    first_time INTEGER NOT NULL,
    last_time  INTEGER NOT NULL,
    indexed    INTEGER NOT NULL DEFAULT 0 -- 1: its index is in R2; 2: the day is being deleted
  ) STRICT`;

/** Of a {@link Segment} (segment.ts). */
export const SEGMENT_COLUMNS = "first_seq, last_seq, first_time, last_time, last_hash, sha256, bytes, head";
